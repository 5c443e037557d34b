/** The environment, parsed once into a frozen object. No other file reads process.env. */
import { isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { unknownProviders } from './connectors/setting-names.ts'
import { environment, isPathPrefix, registrations, url } from './environment.ts'
import { parseAs } from './platform/contract/parse.ts'
import { withoutTrailing } from './platform/contract/text.ts'

/** The account that the first start of an embedded service creates. */
export const FIRST_EMAIL = 'owner@example.com'

const ProviderRegistration = z.strictObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  authorize_base_url: url,
  api_base_url: url,
  extra: z.record(z.string(), z.string()).default({}),
})

const BillingRegistration = z.strictObject({
  secret_key: z.string().min(1),
  api_base_url: url,
  prices: z.strictObject({ growth: z.string().min(1), agency: z.string().min(1) }),
  webhook_secret: z.string().min(1).optional(),
})

const BackupStoreSettings = z.strictObject({
  endpoint: url,
  region: z.string().min(1),
  bucket: z.string().min(1),
  prefix: z.string().default(''),
  path_style: z.boolean().default(false),
  server_side_encryption: z.enum(['AES256', 'aws:kms']).nullable().default(null),
  access_key_id: z.string().min(1),
  secret_access_key: z.string().min(1),
})

const Environment = z.object(environment)
export type Config = Readonly<
  Omit<z.output<typeof Environment>, 'BASE_URL' | 'BASE_PATH' | 'SANDBOX' | 'DATA_DIR'> & {
    /** Including the path. */
    BASE_URL: string
    /** Empty, or `/whence`. */
    BASE_PATH: string
    SANDBOX: boolean
    /** The service is reachable only from this machine: both HOST and BASE_URL are loopback addresses. */
    isLocal: boolean
    DATA_DIR: string
    providers: Readonly<Record<string, z.output<typeof ProviderRegistration>>>
    billing: z.output<typeof BillingRegistration> | undefined
    backups:
      | {
          /** A folder, or an S3-compatible store. */
          to: string | z.output<typeof BackupStoreSettings>
          everyHours: number
          keep: z.output<typeof Environment>['BACKUP_KEEP']
        }
      | undefined
  }
>

/** Whether a host name or address, as in a URL or HOST, is a loopback address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** An invalid setting; ends the start with a message that names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

function exportFolder({ DATA_EXPORT_DIR, DATABASE_URL, DATA_DIR }: z.output<typeof Environment>) {
  if (DATA_EXPORT_DIR !== undefined) return { DATA_EXPORT_DIR: resolve(DATA_EXPORT_DIR) }
  return DATABASE_URL === undefined ? { DATA_EXPORT_DIR: resolve(DATA_DIR, 'data-exports') } : {}
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const [unknownProvider] = unknownProviders(Object.keys(set), Object.keys(environment))
  if (unknownProvider !== undefined) throw new ConfigError(unknownProvider)
  const parsed = parseAs(Environment, set)
  if (!parsed.ok) throw new ConfigError(parsed.message.replace(': ', ' '))
  const values = parsed.value as z.output<typeof Environment> & Record<string, unknown>
  if (values.DATABASE_URL !== undefined && values.MASTER_KEYS === undefined)
    throw new ConfigError(
      'MASTER_KEYS must be set when DATABASE_URL is: the keys cannot be stored with the data they encrypt.',
    )
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined)
    throw new ConfigError(
      'DATABASE_DIRECT_URL requires DATABASE_URL: it is the same database, without a pooler.',
    )
  const registered = readProviders(set)
  const { baseUrl, basePath } = readAddress(values)
  const isLocal = isLoopback(values.HOST) && isLoopback(new URL(baseUrl).hostname)
  const isTrial = values.DATABASE_URL === undefined && isLocal && Object.keys(registered).length === 0
  const sandbox = values.SANDBOX === undefined ? isTrial : values.SANDBOX === 'on'
  if (sandbox && !isLocal && values.SANDBOX_SECRET === undefined)
    throw new ConfigError(
      'SANDBOX_SECRET must be set for SANDBOX=on if the service is reachable by others (HOST or BASE_URL is not a loopback address).',
    )
  return Object.freeze({
    ...values,
    BASE_URL: baseUrl,
    BASE_PATH: basePath,
    OPERATORS:
      set.OPERATORS === undefined && values.DATABASE_URL === undefined ? [FIRST_EMAIL] : values.OPERATORS,
    isLocal,
    DATA_DIR: resolve(values.DATA_DIR),
    ...exportFolder(values),
    SANDBOX: sandbox,
    // A local trial receives its webhooks on the same machine.
    WEBHOOK_ALLOW_CIDRS:
      set.WEBHOOK_ALLOW_CIDRS === undefined && sandbox && isLocal
        ? ['127.0.0.0/8', '::1/128']
        : values.WEBHOOK_ALLOW_CIDRS,
    providers: Object.freeze(registered),
    billing:
      set.BILLING === undefined ? undefined : readRegistration(BillingRegistration, 'BILLING', set.BILLING),
    backups: readBackups(values),
  })
}

function readBackups({
  BACKUP_TO,
  BACKUP_HOURS,
  BACKUP_KEEP,
}: z.output<typeof Environment>): Config['backups'] {
  if (BACKUP_TO === undefined) return undefined
  const to = BACKUP_TO.startsWith('{')
    ? readRegistration(BackupStoreSettings, 'BACKUP_TO', BACKUP_TO)
    : resolve(BACKUP_TO)
  return { to, everyHours: BACKUP_HOURS, keep: BACKUP_KEEP }
}

/** The path may be part of BASE_URL, or set separately. */
function readAddress({
  PORT,
  ...values
}: {
  PORT: number
  BASE_URL?: string | undefined
  BASE_PATH?: string | undefined
}) {
  const { origin, pathname } = new URL(values.BASE_URL ?? `http://localhost:${PORT}`)
  const urlPath = withoutTrailing(pathname, '/')
  if (!isPathPrefix(urlPath))
    throw new ConfigError('BASE_URL must have no path, or one such as /whence: letters, digits, - and _.')
  const basePath = values.BASE_PATH ?? urlPath
  if (urlPath !== '' && urlPath !== basePath)
    throw new ConfigError(
      `BASE_PATH is ${basePath || 'empty'}, but BASE_URL has the path ${urlPath}: set one of them.`,
    )
  return { baseUrl: `${origin}${basePath}`, basePath }
}

function readProviders(env: Record<string, string | undefined>) {
  const providers: Record<string, z.output<typeof ProviderRegistration>> = {}
  for (const provider of registrations) {
    const name = `PROVIDER_${provider.toUpperCase()}`
    const text = env[name]
    if (text === undefined) continue
    providers[provider] = readRegistration(ProviderRegistration, name, text)
  }
  return providers
}

function readRegistration<T>(schema: z.ZodType<T>, name: string, text: string): T {
  const parsed = parseAs(schema, parseJson(text, name), 'the object')
  if (parsed.ok) return parsed.value
  throw new ConfigError(`${name} is not valid at ${parsed.message}`)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(`${name} must be a JSON object.`)
  }
}
