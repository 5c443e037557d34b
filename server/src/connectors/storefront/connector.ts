/**
 * Shopify's public API: shop-scoped OAuth with a signed callback, and the GraphQL
 * Admin API. `{shop}` in a configured base URL represents the store's own domain.
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
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
import { providerMessageIn } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { endGrant } from '../revocation.ts'
import { mapItems, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { toExpiry, windowBounds } from '../window.ts'
import { type Answer, graphql, storeBaseUrl } from './graphql.ts'
import { type Order, OrderNode, toRecords } from './mapping.ts'
import {
  orderQuery,
  ordersQuery,
  shopQuery,
  webPixelCreate,
  webPixelQuery,
  webPixelUpdate,
} from './queries.ts'
import { normaliseShop } from './shop.ts'
import { mapWebhook, readPrivacyRequest, verifyCallback, verifyWebhook } from './webhooks.ts'

const pageSize = 25
const scopes = [
  'read_orders',
  'read_all_orders',
  'read_customers',
  'read_customer_events',
  'write_pixels',
  'read_products',
]

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
    url: `${storeBaseUrl(app.apiBaseUrl, shop)}/admin/oauth/access_token`,
    json: { client_id: app.clientId, client_secret: app.clientSecret, ...body },
    schema: Token,
    refusal: ({ body }) => {
      const { error } = z.looseObject({ error: text }).safeParse(body).data ?? { error: null }
      // A used or foreign code is reported as `invalid_request`; our request is always well-formed, so the grant is invalid.
      return error === 'invalid_request'
        ? new ProviderError('invalid_grant', 'The store refused the grant', { providerCode: error })
        : null
    },
  })
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token,
    expiresAt: toExpiry(token.expires_in, now),
    scopes: token.scope === null ? [] : token.scope.split(','),
    extra: { shop },
  }
}

const OrdersData = z.looseObject({
  orders: z.looseObject({
    nodes: z.array(parsedOrSetAside('order', OrderNode)),
    pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: text }),
  }),
})

const Cursor = z.object({
  begin: z.string(),
  /** Used only within the instant `begin`. */
  after: z.string().nullable(),
  /** Orders of the instant `begin` that were already returned. */
  seen: z.array(z.string()),
  done: z.number().int(),
})
type Cursor = z.infer<typeof Cursor>

/**
 * Sorted by last change, each page starting at the time where the previous one ended: an order that changes during
 * pagination is returned again at the end, none is skipped, and no cursor exceeds the platform's limit of 25,000
 * objects (https://shopify.dev/docs/api/usage/limits, read 2026-11-16).
 */
async function syncPage(session: Session, window: SyncWindow, cursorText: string | null): Promise<SyncPage> {
  const bounds = windowBounds(window)
  const start: Cursor = { begin: bounds.from.toISOString(), after: null, seen: [], done: 0 }
  const cursor = cursorText === null ? start : (Cursor.safeParse(JSON.parse(cursorText)).data ?? start)
  const query = `updated_at:>='${cursor.begin}' updated_at:<='${bounds.until.toISOString()}'`
  const { data, denied } = await readOrders(session, { after: cursor.after, query }, pageSize)
  const { nodes, pageInfo } = data.orders
  const fresh = nodes.filter(({ item }) => item === null || !cursor.seen.includes(item.id))
  const done = cursor.done + fresh.length
  const next = pageInfo.hasNextPage
    ? nextCursor(cursor, readableItems(nodes), pageInfo.endCursor, done)
    : null
  const { records, setAside } = mapItems('order', fresh, toRecords)
  return {
    records,
    setAside: [...setAside, ...denied],
    // Without orders the response shows no denied fields.
    ...(cursorText === null && nodes.length > 0 ? { clearedKinds: ['field'] } : {}),
    cursor: next === null ? null : JSON.stringify(next),
    progress: { done, total: null, unit: 'orders' },
  }
}

function nextCursor(cursor: Cursor, orders: Order[], endCursor: string | null, done: number): Cursor {
  const last = orders.at(-1)?.updatedAt ?? cursor.begin
  if (Date.parse(last) <= Date.parse(cursor.begin)) return { ...cursor, after: endCursor, done }
  const seen = orders.filter(({ updatedAt }) => updatedAt === last).map(({ id }) => id)
  return { begin: last, after: null, seen, done }
}

/** If the query cost of a page is too high, half of the page costs half. */
async function readOrders(
  session: Session,
  variables: { after: string | null; query: string },
  first: number,
): Promise<Answer<z.infer<typeof OrdersData>>> {
  try {
    return await queryWithDenied(session, ordersQuery, { ...variables, first }, OrdersData)
  } catch (error) {
    const isCostly = error instanceof ProviderError && error.providerCode === 'MAX_COST_EXCEEDED'
    if (!isCostly || first === 1) throw error
    return readOrders(session, variables, Math.ceil(first / 2))
  }
}

const PixelPayload = z.looseObject({
  webPixel: z.looseObject({ id: z.string() }).nullish(),
  userErrors: z.array(z.looseObject({ code: text, message: text })),
})

/** A store has at most one pixel per app, so an existing one is updated. */
async function activateWebPixel(session: Session, settings: { trackingKey: string; collectorUrl: string }) {
  const webPixel = { settings: JSON.stringify(settings) }
  const created = await runQuery(
    session,
    webPixelCreate,
    { webPixel },
    z.looseObject({ webPixelCreate: PixelPayload }),
  )
  let payload = created.webPixelCreate
  if (payload.userErrors.some(({ code }) => code === 'TAKEN')) {
    const current = z.looseObject({ webPixel: z.looseObject({ id: z.string() }) })
    const { id } = (await runQuery(session, webPixelQuery, {}, current)).webPixel
    const updated = z.looseObject({ webPixelUpdate: PixelPayload })
    payload = (await runQuery(session, webPixelUpdate, { id, webPixel }, updated)).webPixelUpdate
  }
  const [problem] = payload.userErrors
  if (problem || !payload.webPixel) {
    throw new ProviderError('rejected', 'The store did not create the pixel', {
      providerCode: problem?.code ?? null,
      providerMessage: providerMessageIn(problem?.message),
    })
  }
  return { status: 'active', webPixelId: payload.webPixel.id }
}

const runQuery = async <T>(
  session: Session,
  document: string,
  variables: Record<string, unknown>,
  data: z.ZodType<T>,
): Promise<T> => (await queryWithDenied(session, document, variables, data)).data

const queryWithDenied = <T>(
  session: Session,
  document: string,
  variables: Record<string, unknown>,
  data: z.ZodType<T>,
) => graphql(session.http, session.app, session.token, document, variables, data)

const ShopData = z.looseObject({
  shop: z.looseObject({ name: text, myshopifyDomain: z.string(), currencyCode: text, ianaTimezone: text }),
})

/** A frozen or closed store returns 402 or 423 to every request. */
const isClosedStore = (error: unknown) =>
  error instanceof ProviderError && (error.providerCode === '402' || error.providerCode === '423')

export const storefront: Connector = {
  provider: 'storefront',
  accountKind: 'store',
  exclusiveAccount: true,
  oauth: {
    authorizeUrl(app, request) {
      const shop = normaliseShop(request.shop ?? '')
      if (shop === null) throw new ProviderError('rejected', 'The store’s permanent domain is required')
      const query = new URLSearchParams({
        client_id: app.clientId,
        scope: scopes.join(','),
        redirect_uri: request.redirectUri,
        state: request.state,
      })
      return `${storeBaseUrl(app.authorizeBaseUrl, shop)}/admin/oauth/authorize?${query}`
    },
    readCallback: (app, query) => (verifyCallback(app, query) ? readOauthCallback(query) : { type: 'error' }),
    exchange(http, app, args) {
      const shop = normaliseShop(args.query.shop ?? '')
      if (shop === null) throw new ProviderError('rejected', 'The callback contains no valid store')
      return requestToken(http, app, shop, args.now, { code: args.code, expiring: 1 })
    },
    async refresh(http, app, token, now) {
      // Apps of a single store may have a token without expiry, which needs no refresh.
      if (token.refreshToken === null) return token
      const body = { grant_type: 'refresh_token', refresh_token: token.refreshToken }
      const fresh = await requestToken(http, app, token.extra.shop ?? '', now, body)
      return { ...fresh, refreshToken: fresh.refreshToken ?? token.refreshToken }
    },
    async revoke(http, app, token) {
      await endGrant(
        callJson(http, {
          method: 'DELETE',
          url: `${storeBaseUrl(app.apiBaseUrl, token.extra.shop ?? '')}/admin/api_permissions/current.json`,
          headers: { 'x-shopify-access-token': token.accessToken },
          schema: z.unknown(),
        }),
      )
    },
  },
  async listAccounts(http, app, token) {
    try {
      const { shop } = (await graphql(http, app, token, shopQuery, {}, ShopData)).data
      const { myshopifyDomain: id, currencyCode: currency, ianaTimezone: timezone } = shop
      return [{ id, name: shop.name ?? id, kind: 'store', currency, timezone }]
    } catch (error) {
      if (isClosedStore(error)) return []
      throw error
    }
  },
  sync: { page: syncPage },
  webhooks: {
    verify: verifyWebhook,
    map: mapWebhook,
    readPrivacyRequest,
    async readBack(session, resource, id) {
      if (resource !== 'order') throw new ProviderError('rejected', `No ${resource} can be read back`)
      const data = z.looseObject({ order: OrderNode.nullable() })
      const { order } = await runQuery(session, orderQuery, { id: `gid://shopify/Order/${id}` }, data)
      return order === null ? [] : toRecords(order)
    },
  },
  webPixel: { activate: activateWebPixel },
}
