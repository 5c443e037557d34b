/**
 * Storefront speaks Shopify's public protocol: shop-scoped OAuth with a signed callback, the GraphQL
 * Admin API. `{shop}` in a configured base URL stands for the store's own domain.
 */
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import {
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type SyncPage,
  type SyncWindow,
  type TokenSet,
} from '../connector.ts'
import { readOauthCallback } from '../oauth-callback.ts'
import { callJson } from '../provider-http.ts'
import { providerWords, refusalWords } from '../provider-words.ts'
import { text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { judged, toRecordsOf } from '../set-aside.ts'
import { apiVersions } from '../versions.ts'
import { windowBounds } from '../window.ts'
import { OrderNode, toRecords } from './mapping.ts'
import {
  orderQuery,
  ordersQuery,
  shopQuery,
  webPixelCreate,
  webPixelQuery,
  webPixelUpdate,
} from './queries.ts'
import { normaliseShop } from './shop.ts'
import { mapWebhook, verifyCallback, verifyWebhook } from './webhooks.ts'

const apiVersion = apiVersions.storefront.version
const pageSize = 50
const scopes = ['read_orders', 'read_all_orders', 'read_customers', 'read_customer_events', 'write_pixels']

/** A base without the placeholder serves all stores from one host: the store is then its first path segment. */
const at = (base: string, shop: string) =>
  base.includes('{shop}') ? base.replace('{shop}', shop) : `${base}/${shop}`

const Token = z.looseObject({
  access_token: z.string().min(1),
  scope: text,
  expires_in: z.number().nullish(),
  refresh_token: text,
})

async function requestToken(
  http: Outbound,
  app: ProviderApp,
  shop: string,
  now: Date,
  body: Record<string, string | number>,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url: `${at(app.apiBaseUrl, shop)}/admin/oauth/access_token`,
    json: { client_id: app.clientId, client_secret: app.clientSecret, ...body },
    schema: Token,
    refusal: ({ body }) => {
      const { error } = z.looseObject({ error: text }).safeParse(body).data ?? { error: null }
      // A spent or foreign code is called `invalid_request`: the request is always of this form, the grant is not good.
      return error === 'invalid_request'
        ? new ProviderError('invalid_grant', 'The store refused the grant', { providerCode: error })
        : null
    },
  })
  const lifetime = token.expires_in ?? null
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token,
    expiresAt: lifetime === null ? null : new Date(now.getTime() + lifetime * 1000).toISOString(),
    scopes: token.scope === null ? [] : token.scope.split(','),
    extra: { shop },
  }
}

const GraphqlError = z.looseObject({
  message: text,
  extensions: z.looseObject({ code: text }).nullish(),
})
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

/** GraphQL refuses inside a 200; this says it in the words every connector uses. */
function graphqlRefusal(
  errors: z.infer<typeof GraphqlError>[],
  extensions: z.infer<typeof Cost>,
): ProviderError {
  const code = errors[0]?.extensions?.code ?? null
  const details = { providerCode: code, providerMessage: providerWords(errors[0]?.message) }
  if (code === 'THROTTLED') {
    const cost = extensions?.cost
    const missing = cost ? cost.requestedQueryCost - cost.throttleStatus.currentlyAvailable : 0
    const retryAfterSeconds = cost ? Math.max(1, Math.ceil(missing / cost.throttleStatus.restoreRate)) : null
    return new ProviderError('rate_limited', refusalWords.rate_limited, { ...details, retryAfterSeconds })
  }
  if (code === 'ACCESS_DENIED')
    return new ProviderError('permission_missing', 'The store refused access', details)
  if (code === 'INTERNAL_SERVER_ERROR') return new ProviderError('unavailable', 'The store failed', details)
  return new ProviderError('rejected', refusalWords.rejected, details)
}

async function graphql<T>(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  document: string,
  variables: Record<string, unknown>,
  data: z.ZodType<T>,
): Promise<T> {
  const reply = await callJson(http, {
    url: `${at(app.apiBaseUrl, token.extra.shop ?? '')}/admin/api/${apiVersion}/graphql.json`,
    headers: { 'x-shopify-access-token': token.accessToken },
    json: { query: document, operationName: /\w+ (\w+)/.exec(document)![1], variables },
    schema: z.looseObject({
      data: z.unknown().optional(),
      errors: z.array(GraphqlError).nullish(),
      extensions: Cost,
    }),
  })
  if (reply.errors && reply.errors.length > 0) throw graphqlRefusal(reply.errors, reply.extensions)
  const parsed = data.safeParse(reply.data)
  if (!parsed.success) {
    throw new ProviderError('malformed', "The store's answer lacks its form", { cause: parsed.error })
  }
  return parsed.data
}

const ask = <T>(session: Session, document: string, variables: Record<string, unknown>, data: z.ZodType<T>) =>
  graphql(session.http, session.app, session.token, document, variables, data)

const OrdersData = z.looseObject({
  orders: z.looseObject({
    nodes: z.array(judged('order', OrderNode)),
    pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: text }),
  }),
})

const Cursor = z.object({ after: z.string().nullable(), done: z.number().int() })

/** By the last change: an order that changes while we page comes again at the end, none is skipped. */
async function syncPage(session: Session, window: SyncWindow, cursorText: string | null): Promise<SyncPage> {
  const cursor = cursorText === null ? { after: null, done: 0 } : Cursor.parse(JSON.parse(cursorText))
  const bounds = windowBounds(window)
  const query = `updated_at:>='${bounds.from.toISOString()}' updated_at:<='${bounds.until.toISOString()}'`
  const variables = { first: pageSize, after: cursor.after, query }
  const { orders } = await ask(session, ordersQuery, variables, OrdersData)
  const done = cursor.done + orders.nodes.length
  const next = orders.pageInfo.hasNextPage ? { after: orders.pageInfo.endCursor, done } : null
  return {
    ...toRecordsOf('order', orders.nodes, toRecords),
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: null, unit: 'orders' },
  }
}

const PixelPayload = z.looseObject({
  webPixel: z.looseObject({ id: z.string() }).nullish(),
  userErrors: z.array(z.looseObject({ code: text, message: text })),
})

/** A store has at most one pixel per app, so one that exists gets the new settings. */
async function activateWebPixel(session: Session, settings: { trackingKey: string; collectorUrl: string }) {
  const webPixel = { settings: JSON.stringify(settings) }
  const made = await ask(
    session,
    webPixelCreate,
    { webPixel },
    z.looseObject({ webPixelCreate: PixelPayload }),
  )
  let payload = made.webPixelCreate
  if (payload.userErrors.some(({ code }) => code === 'TAKEN')) {
    const current = z.looseObject({ webPixel: z.looseObject({ id: z.string() }) })
    const { id } = (await ask(session, webPixelQuery, {}, current)).webPixel
    const updated = z.looseObject({ webPixelUpdate: PixelPayload })
    payload = (await ask(session, webPixelUpdate, { id, webPixel }, updated)).webPixelUpdate
  }
  const [problem] = payload.userErrors
  if (problem || !payload.webPixel) {
    throw new ProviderError('rejected', 'The store made no pixel', {
      providerCode: problem?.code ?? null,
      providerMessage: providerWords(problem?.message),
    })
  }
  return { status: 'active', webPixelId: payload.webPixel.id }
}

const ShopData = z.looseObject({
  shop: z.looseObject({ name: text, myshopifyDomain: z.string(), currencyCode: text, ianaTimezone: text }),
})

/** A frozen or closed store answers 402 or 423 to everything. */
const isClosedStore = (error: unknown) =>
  error instanceof ProviderError && (error.providerCode === '402' || error.providerCode === '423')

export const storefront: Connector = {
  provider: 'storefront',
  accountKind: 'store',
  exclusiveAccount: true,
  authorizeUrl(app, request) {
    const shop = normaliseShop(request.shop ?? '')
    if (shop === null) throw new ProviderError('rejected', 'A store is named by its own store domain')
    const query = new URLSearchParams({
      client_id: app.clientId,
      scope: scopes.join(','),
      redirect_uri: request.redirectUri,
      state: request.state,
    })
    return `${at(app.authorizeBaseUrl, shop)}/admin/oauth/authorize?${query}`
  },
  readCallback: (app, query) => (verifyCallback(app, query) ? readOauthCallback(query) : { type: 'error' }),
  exchange(http, app, args) {
    const shop = normaliseShop(args.query.shop ?? '')
    if (shop === null) throw new ProviderError('rejected', 'The callback names no store')
    return requestToken(http, app, shop, args.now, { code: args.code, expiring: 1 })
  },
  async refresh(http, app, token, now) {
    // Apps of a single store may hold a token without end, which needs no refreshing.
    if (token.refreshToken === null) return token
    const body = { grant_type: 'refresh_token', refresh_token: token.refreshToken }
    const fresh = await requestToken(http, app, token.extra.shop ?? '', now, body)
    return { ...fresh, refreshToken: fresh.refreshToken ?? token.refreshToken }
  },
  async revoke(http, app, token) {
    await endGrant(
      callJson(http, {
        method: 'DELETE',
        url: `${at(app.apiBaseUrl, token.extra.shop ?? '')}/admin/api_permissions/current.json`,
        headers: { 'x-shopify-access-token': token.accessToken },
        schema: z.unknown(),
      }),
    )
  },
  async listAccounts(http, app, token) {
    try {
      const { shop } = await graphql(http, app, token, shopQuery, {}, ShopData)
      const { myshopifyDomain: id, currencyCode: currency, ianaTimezone: timezone } = shop
      return [{ id, name: shop.name ?? id, kind: 'store', currency, timezone }]
    } catch (error) {
      if (isClosedStore(error)) return []
      throw error
    }
  },
  syncPage,
  verifyWebhook,
  mapWebhook,
  async readBack(session, resource, id) {
    if (resource !== 'order') throw new ProviderError('rejected', `No ${resource} can be read back`)
    const data = z.looseObject({ order: OrderNode.nullable() })
    const { order } = await ask(session, orderQuery, { id: `gid://shopify/Order/${id}` }, data)
    return order === null ? [] : toRecords(order)
  },
  activateWebPixel,
}
