/** Calls to a shop's REST API (`/wp-json/wc/v3`). Each shop has its own host; differences between hosts are handled here. */
import type { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from '../connector.ts'
import { callForReply, type JsonCall } from '../provider-http.ts'
import { apiVersions } from '../versions.ts'
import { at } from './shop.ts'

/** Some hosts drop the Authorization header before PHP; over TLS the API also accepts the keys as parameters. */
export const authForms = ['header', 'query'] as const
type AuthForm = (typeof authForms)[number]

export type Keys = { shop: string; consumerKey: string; consumerSecret: string; auth: AuthForm }

export const keysOf = ({ accessToken, extra }: TokenSet): Keys => ({
  shop: extra.shop ?? '',
  consumerKey: extra.consumerKey ?? '',
  consumerSecret: accessToken,
  auth: extra.auth === 'query' ? 'query' : 'header',
})

type Call<T> = {
  method?: 'GET' | 'POST' | 'DELETE'
  query?: Record<string, string | number>
  json?: unknown
  schema: z.ZodType<T>
}

export async function callShop<T>(
  http: Outbound,
  app: ProviderApp,
  keys: Keys,
  path: string,
  call: Call<T>,
): Promise<{ data: T; headers: Record<string, string> }> {
  const { consumerKey, consumerSecret, auth } = keys
  const pair = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  return callForReply(http, {
    ...call,
    url: `${at(app.apiBaseUrl, keys.shop)}/wp-json/wc/${apiVersions.woocommerce.version}${path}`,
    ...(auth === 'header'
      ? { headers: { authorization: `Basic ${pair}` } }
      : { query: { ...call.query, consumer_key: consumerKey, consumer_secret: consumerSecret } }),
    refusal,
  })
}

/** The index of WordPress, which requires no key. */
export async function callIndex<T>(
  http: Outbound,
  app: ProviderApp,
  shop: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const query = { _fields: 'name,timezone_string' }
  const url = `${at(app.apiBaseUrl, shop)}/wp-json/`
  return (await callForReply(http, { url, query, schema, refusal })).data
}

type Refusal = NonNullable<JsonCall<unknown>['refusal']>

const refusal: Refusal = ({ status, body }) => {
  if (status >= 300 && status < 400)
    return new ProviderError(
      'rejected',
      'The shop’s address leads to another one: connect the shop by that',
      {
        providerCode: String(status),
      },
    )
  // WordPress returns errors as JSON. An HTML page means that there is no REST API at this address.
  if (status === 404 && (typeof body !== 'object' || body === null))
    return new ProviderError(
      'rejected',
      'The shop has no REST API at /wp-json: in WordPress choose any permalink structure but “Plain”',
      { providerCode: 'no_rest_api' },
    )
  return null
}
