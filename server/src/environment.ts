/** The environment variables, each with its meaning; config.ts reads them. */
import { z } from 'zod'
import { providers } from './connectors/connector.ts'
import { mailboxVendors } from './connectors/mailbox.ts'
import { withoutTrailing } from './platform/contract/text.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const url = z.url({ protocol: /^https?$/ }).transform((value) => withoutTrailing(value, '/'))
const key = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=(,[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=)*$/,
    'must be id:base64 pairs separated by commas, each key 32 bytes',
  )

/** Empty, or such as /whence. */
export function isPathPrefix(value: string): boolean {
  return /^(\/[\w-]+)*$/.test(value)
}

/** Providers that a deployment can be registered with: of connections and mailboxes, and the bank link. */
export const registrations = [...providers, ...mailboxVendors, 'banklink'] as const

/** Each variable with its meaning; docs/operating.md is generated from this. */
export const environment = {
  PORT: wholeNumber(0, 65535).default(4400).describe('Port the service listens on; 0 uses any free port'),
  PROCESSES: z
    .union([z.literal('auto'), wholeNumber(1, 256)])
    .default(1)
    .describe(
      'Number of processes behind the port; auto is one per core, half as many with a database on the same machine. Always one with SANDBOX=on',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address the service listens on'),
  BASE_URL: url.optional().describe('Public address of the service; defaults to http://localhost:PORT'),
  BASE_PATH: z
    .string()
    .transform((value) => withoutTrailing(value, '/'))
    .refine(isPathPrefix, 'must be a path such as /whence: letters, digits, - and _')
    .optional()
    .describe(
      'Path below which a proxy serves the service, such as /whence; defaults to the path of BASE_URL. Requests are accepted with and without it, so the proxy may strip it or not',
    ),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL or Citus server to use; if unset, the embedded database under DATA_DIR is started'),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      'The same database without a connection pooler in between, for migrations, backup and restore; needed if DATABASE_URL goes through PgBouncer in transaction mode',
    ),
  DATABASE_POOL: wholeNumber(2, 200)
    .default(20)
    .describe('Maximum number of database connections of this process; on Citus, per node'),
  DATABASE_NODES: z
    .enum(['direct', 'coordinator'])
    .default('direct')
    .describe(
      "On Citus, whether a profile's work goes to the node with its shard (direct) or always to the coordinator (if the service cannot reach the nodes)",
    ),
  DATABASE_CONNECT_SECONDS: wholeNumber(1, 60)
    .default(3)
    .describe('Maximum wait for a database connection, from the pool or new, before 503'),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(10)
    .describe('Statement timeout of requests, after which they fail with 503'),
  SHUTDOWN_SECONDS: wholeNumber(0, 600)
    .default(10)
    .describe('Time that requests in flight have to finish when the service stops'),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .default(0)
    .describe(
      'How long the service continues to serve after a stop signal, while /readyz returns 503, so that load balancers stop sending requests; 0 stops immediately',
    ),
  REQUEST_TIMEOUT_SECONDS: wholeNumber(1, 600)
    .default(30)
    .describe('Maximum time for a request to arrive, header and body'),
  OPEN_REQUESTS_PER_ADDRESS: wholeNumber(1, 1_000_000)
    .default(1000)
    .describe('Maximum concurrent requests per client address (for IPv6 per /64)'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.whence')
    .describe('Folder of the embedded database, generated keys and the mail outbox'),
  DATA_EXPORT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for data exports of the kind file, with one subfolder per profile; shared by all processes. Unset: DATA_DIR/data-exports with the embedded database, otherwise stores only',
    ),
  MASTER_KEYS: key
    .optional()
    .describe(
      '32-byte keys as id:base64,…; the first is current. Generated into DATA_DIR in embedded mode, required with DATABASE_URL',
    ),
  ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe(
      'Role of this process: api serves requests, worker processes events and runs jobs, syncs and webhooks, all does both',
    ),
  OPERATORS: list
    .transform((addresses) => addresses.map((address) => address.toLowerCase()))
    .default([])
    .describe(
      'Email addresses of accounts with access to the operator page and API, separated by commas; defaults to owner@example.com with the embedded database',
    ),
  SANDBOX: z
    .enum(['on', 'off'])
    .optional()
    .describe(
      'Serve simulated providers and an adjustable clock; if unset, on with the embedded database on a loopback address while no provider is configured',
    ),
  SANDBOX_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'Secret (Authorization: Bearer) to move the clock and control the simulated providers; required with SANDBOX=on if HOST or BASE_URL is not a loopback address',
    ),
  OTP_RELAY_URL: url
    .optional()
    .describe(
      'Relay that captures the codes sent to the operator’s own chat numbers: GET {url}/codes/{digits} returns { code } or 404',
    ),
  METRICS_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:]+):\d{1,5}$/, 'must be host:port')
    .transform((value) => ({
      host: value.slice(0, value.lastIndexOf(':')).replace(/^\[|\]$/g, ''),
      port: Number(value.slice(value.lastIndexOf(':') + 1)),
    }))
    .optional()
    .describe(
      'Separate host:port for /metrics, /healthz and /readyz, also for processes with ROLE=worker; /metrics is then served only there',
    ),
  METRICS_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'At least 16 characters; sent to /metrics as Authorization: Bearer. Without it and METRICS_ADDRESS, /metrics is served only on loopback addresses',
    ),
  LINK_TOKEN_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'At least 32 characters; signs the tokens of links to known customers. If unset, no tokens are issued, and earlier ones are ignored',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Minimum log level'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'OpenTelemetry collector to which traces are sent by OTLP over HTTP, such as http://localhost:4318; if unset, tracing is off',
    ),
  OTEL_SERVICE_NAME: z.string().min(1).default('whence').describe('Name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be from 0 to 1')
    .transform(Number)
    .default(1)
    .describe(
      "Share of traces that is recorded, from 0 to 1; the caller's decision in traceparent takes precedence",
    ),
  TRUST_PROXY: list.default([]).describe('Addresses or CIDRs of proxies whose X-Forwarded-For is trusted'),
  KNOWN_APPS: list
    .default([])
    .describe(
      'Client ids of the apps that the operator vouches for; the consent page warns about other apps, except those registered by the person’s own workspaces',
    ),
  WEBHOOK_ALLOW_CIDRS: list
    .default([])
    .describe(
      'Private address ranges to which webhooks may be sent, also over http; defaults to the loopback ranges for a sandbox on a loopback address',
    ),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 10_000_000)
    .default(600)
    .describe('Rate limit units per minute and credential'),
  RATE_LIMIT_BURST: wholeNumber(1, 10_000_000)
    .default(100)
    .describe('Burst of rate limit units per credential'),
  INGEST_PER_SECOND: wholeNumber(1, 10_000_000)
    .default(500)
    .describe('Maximum events per second and profile'),
  PROCESSOR_PARALLEL: wholeNumber(1, 64)
    .default(2)
    .describe('Profiles whose events a process handles concurrently; on Citus, per node'),
  RAW_EVENT_DAYS: wholeNumber(0, 36_500)
    .refine((days) => days === 0 || days >= 100, 'must be 0 or at least 100')
    .default(400)
    .describe(
      'Days that raw events are kept: older ones are dropped unless other data depends on them. Outcomes, payments, touches, people and all figures are kept; 0 keeps all',
    ),
  INGEST_BURST: wholeNumber(1, 10_000_000).default(1000).describe('Burst of events per profile'),
  BREACH_RANGE_URL: url
    .optional()
    .describe(
      'k-anonymity range endpoint of the breached-password check; if unset or unreachable, all passwords are allowed',
    ),
  SIGN_UP: z
    .enum(['open', 'closed'])
    .default('open')
    .describe(
      'closed: only people with an invitation, or with an account created by an app or the operator, can sign in',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('Mail server; if unset, mail is written to DATA_DIR/outbox'),
  MAIL_FROM: z.string().default('Whence <no-reply@localhost>').describe('Sender of mail'),
  MAIL_RETURN_PATH_HOST: z
    .string()
    .regex(/^[a-z0-9.-]+\.[a-z]{2,63}$/i, 'must be a host name')
    .optional()
    .describe(
      'Host that receives bounces of mail from sender domains; each domain then needs a CNAME bounce.<domain> to it and an SPF include. Unset: bounces go to MAIL_FROM',
    ),
  GEO_DATABASE: z
    .string()
    .optional()
    .describe('Path of a MaxMind country database; if unset, countries are unknown'),
  FX_RATES_SOURCE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'URL or file of reference rates, CSV or XML as the European Central Bank publishes them, read at startup and every six hours; if unset, other currencies are not converted',
    ),
  UTM_SCAN_SECONDS: wholeNumber(1, 300)
    .default(20)
    .describe(
      'Maximum time that a request waits for the UTM check of ads before it returns 504; a job then finishes the check',
    ),
  SHORTVIDEO_BASE_URL: url
    .optional()
    .describe(
      'URL of the short-video Events API for conversion exports; defaults to the public one, or the simulated one in sandbox mode',
    ),
  BACKUP_TO: z
    .string()
    .optional()
    .describe(
      'Where backups are stored on a schedule: a folder, or as JSON an S3-compatible store: endpoint, region, bucket, prefix, path_style, access_key_id, secret_access_key; if unset, there are none',
    ),
  BACKUP_HOURS: wholeNumber(1, 168).default(24).describe('Hours between two scheduled backups'),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d{1,3},\d{1,3},\d{1,3}$/, 'must be three numbers: days,weeks,months')
    .transform((value) => {
      const [days, weeks, months] = value.split(',').map(Number)
      return { days: days!, weeks: weeks!, months: months! }
    })
    .default({ days: 7, weeks: 4, months: 12 })
    .describe(
      'Scheduled backups that are kept, as days,weeks,months: the newest of each of the last days, weeks and months',
    ),
  BILLING: z
    .string()
    .optional()
    .describe(
      'Payment account for plans, as JSON: secret_key, api_base_url, prices { growth, agency }, webhook_secret (of the endpoint BASE_URL/billing/webhook; without it the provider is polled every 5 minutes); if unset, paid plans have no checkout',
    ),
  ...Object.fromEntries(
    registrations.map((provider) => [
      `PROVIDER_${provider.toUpperCase()}`,
      z
        .string()
        .optional()
        .describe(
          `Registration at the provider ${provider} as JSON: client_id, client_secret, authorize_base_url, api_base_url, extra`,
        ),
    ]),
  ),
}
