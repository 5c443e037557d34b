/** Calls to the Graph API: bearer token, app secret proof, and mapping of the platform's error codes. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { hmacSha256 } from '../signatures.ts'
import { versionedBase } from '../versions.ts'
import { graphPage } from './replies.ts'

const GraphError = z.looseObject({
  error: z.looseObject({
    code: z.number(),
    error_subcode: z.number().nullish(),
    message: text,
    error_user_msg: text,
  }),
})

const rateLimitCodes = new Set([4, 17, 32, 613])
const isRateLimit = (code: number) => rateLimitCodes.has(code) || (code >= 80_000 && code <= 80_014)
/** Temporary failures, and 2635 (the version is no longer served), which a new consent does not fix. */
const unavailableCodes = new Set([1, 2, 341, 368, 5000, 2635])
const isPermission = (code: number) => code === 3 || code === 10 || (code >= 200 && code <= 299)

export function graphRefusal(reply: {
  status: number
  body: unknown
  headers: Record<string, string>
}): ProviderError | null {
  const parsed = GraphError.safeParse(reply.body)
  if (!parsed.success) return null
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } = parsed.data.error
  const refuse = (reason: ProviderError['reason'], retryAfterSeconds: number | null = null) =>
    new ProviderError(reason, refusalMessages[reason], {
      providerCode: subcode ? `${code}/${subcode}` : String(code),
      providerMessage: providerMessageIn(userMessage ?? message),
      retryAfterSeconds,
    })
  if (code === 190 || code === 102) return refuse('invalid_grant')
  if (isRateLimit(code))
    return refuse('rate_limited', secondsToRegainAccess(reply.headers['x-business-use-case-usage']))
  if (isPermission(code)) return refuse('permission_missing')
  if (isTooMuchData(code, subcode, `${message} ${userMessage}`)) return refuse('asks_for_less')
  if (code === 2655) return refuse('terms_not_accepted')
  if (unavailableCodes.has(code)) return refuse('unavailable')
  if (code === 803 || (code === 100 && subcode === 33)) return refuse('not_found')
  return refuse('rejected')
}

/**
 * A response that would be too large is refused with code 1 and status 500, recognisable by its subcode or message:
 * 99 for insights, 1487534 for too much data in one call. Both come from public code of integrators, read 2026-11-16.
 */
const isTooMuchData = (code: number, subcode: number | null | undefined, message: string): boolean =>
  subcode === 1487534 ||
  (code === 1 && subcode === 99) ||
  ([1, 2, 100].includes(code) && /reduce the amount of data/i.test(message))

const Usage = z.record(
  z.string(),
  z.array(z.looseObject({ estimated_time_to_regain_access: z.number().nullish() })),
)

/** The header contains, per account and use case, the minutes until calls are accepted again. */
function secondsToRegainAccess(header: string | undefined): number | null {
  if (header === undefined) return null
  try {
    const uses = Object.values(Usage.parse(JSON.parse(header))).flat()
    const minutes = Math.max(0, ...uses.map((use) => use.estimated_time_to_regain_access ?? 0))
    return minutes === 0 ? null : minutes * 60
  } catch {
    return null
  }
}

export type GraphCall<T> = Pick<
  JsonCall<T>,
  'method' | 'query' | 'form' | 'json' | 'schema' | 'once' | 'raw'
> & {
  path: string
}

export function callGraph<T>(
  http: Outbound,
  app: ProviderApp,
  accessToken: string,
  { path, query, ...call }: GraphCall<T>,
): Promise<T> {
  const proof = hmacSha256(app.clientSecret, accessToken).toString('hex')
  return callJson(http, {
    ...call,
    url: `${versionedBase(app.apiBaseUrl, 'social_ads')}${path}`,
    query: { ...query, appsecret_proof: proof },
    bearer: accessToken,
    refusal: graphRefusal,
    isFinalReply: (reply) => graphRefusal(reply)?.reason === 'asks_for_less',
  })
}

/** Returns one page of a list and the cursor of the next; null after the last page. */
export async function readGraphPage<T>(
  http: Outbound,
  app: ProviderApp,
  accessToken: string,
  path: string,
  item: z.ZodType<T>,
  query: Record<string, string | number | undefined>,
): Promise<{ items: T[]; after: string | null }> {
  const page = await callGraph(http, app, accessToken, { path, query, schema: graphPage(item) })
  return { items: page.data, after: page.paging?.next ? (page.paging.cursors?.after ?? null) : null }
}

const maxPages = 200
/** The platform's page size if `limit` is not set. */
const defaultPageSize = 25

/** Reads all pages. If a page would be too large, it and all following pages are requested with half the size. */
export async function readWholeList<T>(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  path: string,
  item: z.ZodType<T>,
  query: Record<string, string | number | undefined> & { limit?: number },
): Promise<T[]> {
  const all: T[] = []
  let after: string | undefined
  let limit = query.limit
  for (let count = 0; count < maxPages; count++) {
    const pageQuery: Record<string, string | number | undefined> = { ...query, limit, after }
    try {
      const page = await readGraphPage(http, app, token.accessToken, path, item, pageQuery)
      all.push(...page.items)
      if (page.after === null) return all
      after = page.after
    } catch (error) {
      if (!(error instanceof ProviderError) || error.reason !== 'asks_for_less' || limit === 1) throw error
      limit = Math.ceil((limit ?? defaultPageSize) / 2)
    }
  }
  throw new ProviderError('malformed', `The platform’s list did not end after ${maxPages} pages`)
}
