/** Calls to TikTok's Business API: token in `Access-Token`, lists as JSON text; errors are a 200 with a code. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type Session } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { type ParsedItem, parsedOrSetAside } from '../set-aside.ts'
import { versionedBase } from '../versions.ts'

type Caller = { http: Outbound; app: ProviderApp; token: { accessToken: string } }

const Envelope = z.looseObject({ code: z.number(), message: text, data: z.unknown() })

const tokenCodes = new Set([40102, 40104, 40105])
const throttledCodes = new Set([40100, 40133])
const reasonOf = (code: number): ProviderError['reason'] => {
  if (tokenCodes.has(code)) return 'invalid_grant'
  if (throttledCodes.has(code)) return 'rate_limited'
  if (code === 40001) return 'permission_missing'
  if (code === 40067) return 'asks_for_less'
  return code >= 50_000 ? 'unavailable' : 'rejected'
}

export function refusalOf(body: unknown): ProviderError | null {
  const answer = Envelope.safeParse(body).data
  if (answer === undefined || answer.code === 0) return null
  const reason = reasonOf(answer.code)
  return new ProviderError(reason, refusalMessages[reason], {
    providerCode: String(answer.code),
    providerMessage: answer.message === null ? null : providerMessageIn(answer.message),
  })
}

type TiktokCall<T> = {
  query?: Record<string, unknown>
  json?: unknown
  headers?: Record<string, string>
  /** Schema of `data`. */
  schema: z.ZodType<T>
}

export const apiUrl = (app: ProviderApp, path: string): string =>
  `${versionedBase(`${app.apiBaseUrl}/open_api`, 'tiktok_ads')}${path}`

export async function callTiktok<T>(
  { http, app, token }: Caller,
  path: string,
  { query = {}, json, headers, schema }: TiktokCall<T>,
): Promise<T> {
  const answer = await callJson(http, {
    url: apiUrl(app, path),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, toParameter(value)])),
    headers: { 'access-token': token.accessToken, ...headers },
    ...(json === undefined ? {} : { json }),
    schema: Envelope,
  })
  const refusal = refusalOf(answer)
  if (refusal !== null) throw refusal
  const parsed = schema.safeParse(answer.data)
  if (parsed.success) return parsed.data
  const issuePaths = parsed.error.issues.map((issue) => ['data', ...issue.path].join('.')).slice(0, 5)
  throw new ProviderError(
    'malformed',
    `The provider's response has an unexpected form at ${issuePaths.join(', ')}`,
    {
      cause: parsed.error,
    },
  )
}

const toParameter = (value: unknown): string | number | undefined =>
  typeof value === 'object' ? JSON.stringify(value) : (value as string | number | undefined)

const PageInfo = z.looseObject({ page: z.number(), total_page: z.number() })

export type ListRequest<T> = {
  /** Kind of the items in notices about unreadable ones. */
  kind: string
  path: string
  item: z.ZodType<T>
  query: Record<string, unknown>
  pageSize: number
}

/** One page of a list of the account; `next` is null after the last. */
export async function readPage<T>(
  session: Session,
  { kind, path, item, query, pageSize }: ListRequest<T>,
  page: number,
): Promise<{ items: ParsedItem<T>[]; next: number | null }> {
  const answer = await callTiktok(session, path, {
    query: { advertiser_id: session.accountId, ...query, page, page_size: pageSize },
    schema: z.looseObject({
      list: z.array(parsedOrSetAside(kind, item)).nullish(),
      page_info: PageInfo.nullish(),
    }),
  })
  const last = answer.page_info?.total_page ?? page
  return { items: answer.list ?? [], next: page < last ? page + 1 : null }
}

/** For optional features that not every app or account has: maps a refusal to a fallback value. */
export async function orElse<T>(
  read: () => Promise<T>,
  otherwise: (refusal: ProviderError) => T,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isRefused =
      error instanceof ProviderError &&
      ['permission_missing', 'not_found', 'rejected', 'terms_not_accepted'].includes(error.reason)
    if (isRefused) return otherwise(error)
    throw error
  }
}
