/** Calls to the versioned Rest.li API: headers, query tunnelling, LinkedIn's errors, pagination by token. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callJson, type JsonCall, retryAfterSeconds } from '../provider-http.ts'
import { refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { type ParsedItem, parsedOrSetAside } from '../set-aside.ts'
import { apiVersions } from '../versions.ts'

const { version } = apiVersions.linkedin_ads

type Caller = { http: Outbound; app: ProviderApp; token: TokenSet }
/** Values are encoded as Rest.li (`restli.ts`). */
type Query = Readonly<Record<string, string | undefined>>

/** Longer queries are sent in the body; LinkedIn returns 414 for a URL that is too long. */
const MAX_QUERY_LENGTH = 4000
/** Limits last until midnight UTC and have no header, so a retry within seconds cannot succeed. */
const LIMIT_PAUSE_SECONDS = 3600

type Reply = { status: number; body: unknown; headers: Record<string, string> }

const isLimit = ({ status, headers }: Reply) =>
  status === 429 && retryAfterSeconds(headers, Date.now()) === null

function refusal(reply: Reply): ProviderError | null {
  if (reply.status === 426)
    return new ProviderError(
      'rejected',
      `linkedin_ads: LinkedIn no longer answers API version ${version}; update Whence`,
      { providerCode: 'api_version_ended' },
    )
  if (reply.status === 414)
    return new ProviderError('asks_for_less', refusalMessages.asks_for_less, { providerCode: '414' })
  if (isLimit(reply))
    return new ProviderError('rate_limited', refusalMessages.rate_limited, {
      providerCode: '429',
      retryAfterSeconds: LIMIT_PAUSE_SECONDS,
    })
  return null
}

type RestCall<T> = Pick<JsonCall<T>, 'schema' | 'json' | 'once'> & {
  query?: Query
  /** `X-RestLi-Method`, if the path does not determine it. */
  restliMethod?: 'BATCH_GET' | 'BATCH_CREATE' | 'FINDER' | 'PARTIAL_UPDATE'
}

export async function callRest<T>(caller: Caller, path: string, call: RestCall<T>): Promise<T> {
  const query = Object.entries(call.query ?? {})
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&')
  const url = `${caller.app.apiBaseUrl}/rest${path}`
  const common = {
    bearer: caller.token.accessToken,
    headers: {
      'linkedin-version': version,
      'x-restli-protocol-version': '2.0.0',
      ...(call.restliMethod === undefined ? {} : { 'x-restli-method': call.restliMethod }),
    },
    schema: call.schema,
    refusal,
    isFinalReply: isLimit,
  }
  const tunnelled = () =>
    callJson(caller.http, {
      ...common,
      method: 'POST',
      url,
      headers: { ...common.headers, 'x-http-method-override': 'GET' },
      raw: { contentType: 'application/x-www-form-urlencoded', bytes: Buffer.from(query) },
    })
  if (query.length > MAX_QUERY_LENGTH) return tunnelled()
  try {
    return await callJson(caller.http, {
      ...common,
      url: query === '' ? url : `${url}?${query}`,
      ...(call.json === undefined ? {} : { json: call.json }),
      ...(call.once === undefined ? {} : { once: call.once }),
    })
  } catch (error) {
    const isTooLong = error instanceof ProviderError && error.providerCode === '414'
    if (!isTooLong || call.json !== undefined) throw error
    return tunnelled()
  }
}

type Page<T> = { items: ParsedItem<T>[]; nextToken: string | null }

/** One page of a search. Only the token shows whether another page follows; a short page may not be the last. */
export async function readPage<T>(
  caller: Caller,
  path: string,
  kind: string,
  item: z.ZodType<T>,
  request: { query: Query; pageSize: number; after: string | null; restliMethod?: 'FINDER' },
): Promise<Page<T>> {
  const schema = z.looseObject({
    elements: z.array(parsedOrSetAside(kind, item)),
    metadata: z.looseObject({ nextPageToken: text }).nullish(),
  })
  const page = await callRest(caller, path, {
    query: {
      ...request.query,
      pageSize: String(request.pageSize),
      pageToken: request.after === null ? undefined : encodeURIComponent(request.after),
    },
    schema,
    ...(request.restliMethod === undefined ? {} : { restliMethod: request.restliMethod }),
  })
  return { items: page.elements, nextToken: page.metadata?.nextPageToken ?? null }
}
