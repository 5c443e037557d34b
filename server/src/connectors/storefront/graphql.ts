/** Calls to the store's GraphQL Admin API, which returns errors inside a 200 and may deny single fields. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type SetAside, type TokenSet } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

const apiVersion = apiVersions.storefront.version

/** If the base URL has no placeholder, one host serves all stores and the store is the first path segment. */
export const storeBaseUrl = (base: string, shop: string) =>
  base.includes('{shop}') ? base.replace('{shop}', shop) : `${base}/${shop}`

const GraphqlError = z.looseObject({
  message: text,
  path: z.array(z.union([z.string(), z.number()])).nullish(),
  extensions: z.looseObject({ code: text }).nullish(),
})
type GraphqlError = z.infer<typeof GraphqlError>

const Cost = z
  .looseObject({
    cost: z
      .looseObject({
        requestedQueryCost: z.number(),
        throttleStatus: z.looseObject({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
      })
      .nullish(),
  })
  .nullish()

/** Maps GraphQL errors, which have the status 200, to a `ProviderError`. */
function graphqlRefusal(errors: GraphqlError[], extensions: z.infer<typeof Cost>): ProviderError {
  const code = errors[0]?.extensions?.code ?? null
  const details = { providerCode: code, providerMessage: providerMessageIn(errors[0]?.message) }
  if (code === 'THROTTLED') {
    const cost = extensions?.cost
    const missing = cost ? cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable : 0
    const retryAfterSeconds = cost ? Math.max(1, Math.ceil(missing / cost.throttleStatus.restoreRate)) : null
    return new ProviderError('rate_limited', refusalMessages.rate_limited, { ...details, retryAfterSeconds })
  }
  if (code === 'ACCESS_DENIED')
    return new ProviderError('permission_missing', 'The store refused access', details)
  if (code === 'INTERNAL_SERVER_ERROR') return new ProviderError('unavailable', 'The store failed', details)
  return new ProviderError('rejected', refusalMessages.rejected, details)
}

const isDenied = ({ path, extensions }: GraphqlError) =>
  extensions?.code === 'ACCESS_DENIED' && (path ?? []).length > 1

/** Each denied field once, regardless of the number of records that lack it. */
function deniedFields(errors: GraphqlError[]): SetAside[] {
  const entries = errors.map(({ path, message }) => {
    const field = (path ?? []).filter((part) => typeof part === 'string').join('.')
    const setAside: SetAside = {
      kind: 'field',
      externalId: field,
      reason: `The store denies ${field}: ${providerMessageIn(message) ?? 'no reason given'}`,
    }
    return [field, setAside] as const
  })
  return [...new Map(entries).values()]
}

export type Answer<T> = { data: T; denied: SetAside[] }

export async function graphql<T>(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  document: string,
  variables: Record<string, unknown>,
  data: z.ZodType<T>,
): Promise<Answer<T>> {
  const reply = await callJson(http, {
    url: `${storeBaseUrl(app.apiBaseUrl, token.extra.shop ?? '')}/admin/api/${apiVersion}/graphql.json`,
    headers: { 'x-shopify-access-token': token.accessToken },
    json: { query: document, operationName: /^\s*\w+ (\w+)/.exec(document)![1], variables },
    schema: z.looseObject({
      data: z.unknown().optional(),
      errors: z.array(GraphqlError).nullish(),
      extensions: Cost,
    }),
  })
  const errors = reply.errors ?? []
  // A denied field is null and has an error next to the data; all other data is used.
  const isAnswered = reply.data !== null && reply.data !== undefined && errors.every(isDenied)
  if (errors.length > 0 && !isAnswered) throw graphqlRefusal(errors, reply.extensions)
  const parsed = data.safeParse(reply.data)
  if (parsed.success) return { data: parsed.data, denied: deniedFields(errors) }
  if (errors.length > 0) throw graphqlRefusal(errors, reply.extensions)
  throw new ProviderError('malformed', "The store's response has an unexpected form", { cause: parsed.error })
}
