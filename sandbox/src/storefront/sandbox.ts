/** An imitation of storefront below `/<store domain>/…`: signed install, GraphQL orders and pixel, signed webhooks. */

import { actInCommon, redirectOrigins, webhookSender } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { hmacSha256 } from '../hmac.ts'
import {
  numberArg,
  pairsArg,
  readFields,
  readJson,
  routedSandbox,
  type SandboxRoute,
  textArg,
} from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits, seededUuid } from '../seeded-random.ts'
import { TokenServer } from '../tokens.ts'
import type { Resolvers } from './graphql.ts'
import { createMarket } from './market.ts'
import { OrderBook, orderNode, orderPayload, refundPayload } from './orders.ts'

type Json = Record<string, unknown>

const defaultShop = 'harbor-and-pine.myshopify.com'
const refreshTtlSeconds = 90 * 86_400
const accessTtlSeconds = 3_600
/** Settings of extensions/storefront/extensions/web-pixel/shopify.extension.toml; a test compares the two. */
export const pixelSettings = ['collectorUrl', 'trackingKey']

/** A store is addressed by its permanent domain or by the handle in it. */
function storeDomain(text: string): string | null {
  const [, handle] = /^([a-z0-9][a-z0-9-]{0,59})(?:\.myshopify\.com)?$/.exec(text.trim().toLowerCase()) ?? []
  return handle === undefined ? null : `${handle}.myshopify.com`
}

/**
 * The signed text of a callback: all parameters except the signature, sorted by name, joined as a query
 * (https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant).
 */
function signedLine(query: URLSearchParams): string {
  const escapePart = (part: string) => part.replaceAll('%', '%25').replaceAll('&', '%26')
  return [...query]
    .filter(([name]) => name !== 'hmac' && name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escapePart(name).replaceAll('=', '%3D')}=${escapePart(value)}`)
    .join('&')
}

export function createStorefrontSandbox(options: SandboxOptions): Sandbox {
  const tokens = new TokenServer({ ...options, accessTtlSeconds, refreshTtlSeconds, rotates: true })
  const faults = createFaults()
  const book = new OrderBook(options.seed, options.now)
  const pixels = new Map<string, { id: string; settings: string }>()
  const writes: Json[] = []
  const denied = new Set<string>()
  let lastShop = defaultShop
  let serial = 0
  const webhooks = webhookSender(options)

  /** As the platform signs every link to the app. */
  function sign(query: URLSearchParams, shop: string): void {
    query.set('shop', shop)
    query.set('host', Buffer.from(`${shop}/admin`).toString('base64url'))
    query.set('timestamp', String(Math.floor(options.now().getTime() / 1000)))
    query.set('hmac', hmacSha256(options.clientSecret, signedLine(query)).toString('hex'))
  }
  const market = createMarket(options, { sign, defaultShop })

  const screenFor = (shop: string): ConsentScreen => ({
    providerName: 'Shopify',
    oneAccount: true,
    accounts: [{ id: shop, name: shop }],
    scopes: [
      'read_orders',
      'read_all_orders',
      'read_customers',
      'read_customer_events',
      'write_pixels',
      'read_products',
    ],
    refusal: {
      decline: { error: 'access_denied', error_description: 'The merchant cancelled the installation' },
      'deny-app': {
        error: 'unauthorized_client',
        error_description: 'The app is not available for this store',
      },
      'provider-error': { error: 'server_error', error_description: 'Something went wrong' },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
    decorate: (query) => sign(query, shop),
  })

  /** The page's links lead to `/consent/…`, whose path has no store, so the store is in the query. */
  function install(request: SandboxRequest, params: Record<string, string>): SandboxReply {
    const shop = storeDomain(params.shop!)
    if (shop === null || shop !== params.shop) return { status: 404, body: 'Not found' }
    const query = new URLSearchParams(request.query)
    query.set('shop', shop)
    return consentPage(screenFor(shop), { ...request, query }, options.clientId)
  }

  function token(request: SandboxRequest, params: Record<string, string>): SandboxReply {
    const body = readFields(request)
    if (!tokens.knowsClient(body.client_id ?? null, body.client_secret ?? null)) {
      return oauthFailure('invalid_client', 'The client is not known')
    }
    const issued =
      body.grant_type === 'refresh_token'
        ? tokens.refresh(body.refresh_token ?? '')
        : tokens.redeemCode({ code: body.code ?? '', redirectUri: null, codeVerifier: null })
    if ('error' in issued) return oauthFailure('invalid_request', issued.description)
    const granted = issued.grant.accountIds[0]
    if (granted !== undefined && granted !== params.shop) {
      return oauthFailure('invalid_request', 'The code belongs to another store')
    }
    lastShop = params.shop!
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: {
        access_token: issued.accessToken,
        scope: issued.grant.scopes.join(','),
        expires_in: issued.expiresInSeconds,
        refresh_token: issued.refreshToken,
        refresh_token_expires_in: refreshTtlSeconds,
      },
    }
  }

  function authorised(request: SandboxRequest, shop: string): SandboxReply | null {
    const grant = tokens.authenticate(request.headers['x-shopify-access-token'] ?? null)
    if (grant === null) return { status: 401, body: { errors: '[API] Invalid API key or access token' } }
    if (grant.accountIds.length === 0) return { status: 402, body: { errors: 'Unavailable Shop' } }
    return grant.accountIds.includes(shop) ? null : { status: 403, body: { errors: 'Forbidden' } }
  }

  async function graphql(request: SandboxRequest, params: Record<string, string>): Promise<SandboxReply> {
    const shop = params.shop!
    // Unknown versions are 404; expired versions fall forward, which the response would show.
    if (!/^20\d\d-(01|04|07|10)$/.test(params.version!)) return { status: 404, body: { errors: 'Not Found' } }
    const refusal = authorised(request, shop)
    if (refusal !== null) return refusal
    // Loaded with the first query: the library and its schema take 5 MB.
    const { answerGraphql } = await import('./graphql.ts')
    return answerGraphql(readJson(request), resolversOf(shop, request.baseUrl), denied)
  }

  const resolversOf = (shop: string, baseUrl: string): Resolvers => ({
    shop: () => ({
      id: 'gid://shopify/Shop/1',
      name: 'Harbor & Pine',
      email: 'owner@harborandpine.example',
      myshopifyDomain: shop,
      currencyCode: 'USD',
      ianaTimezone: 'America/New_York',
    }),
    orders: (args) => ordersPage(shop, args),
    order({ id }) {
      const order = book.find(String(id).replace('gid://shopify/Order/', ''))
      return order === null ? null : orderNode(order, shop)
    },
    webPixel: () => pixels.get(shop) ?? null,
    webPixelCreate(args) {
      if (!pixels.has(shop)) return writePixel(shop, args)
      const takenError = { code: 'TAKEN', field: ['webPixel'], message: 'Web pixel is taken.' }
      return { webPixel: null, userErrors: [takenError] }
    },
    webPixelUpdate: (args) => writePixel(shop, args),
    node: ({ id }) => market.find(String(id)),
    appSubscriptionCreate: (args) => createSubscription(shop, args, baseUrl),
  })

  function createSubscription(shop: string, args: Json, baseUrl: string): Json {
    const { created, confirmationUrl } = market.create(shop, args, { baseUrl, serial: ++serial })
    writes.push({ shop, kind: 'app_subscription', at: created.createdAt, ...args })
    return { appSubscription: created, confirmationUrl, userErrors: [] }
  }

  /** Refuses settings that the extension's manifest does not define, like the platform. */
  function writePixel(shop: string, variables: Json): Json {
    const settings = String((variables.webPixel as Json | undefined)?.settings ?? '{}')
    const names = Object.keys(JSON.parse(settings) as Json).sort()
    if (names.join() !== pixelSettings.join()) {
      const message = 'Settings do not match the extension’s definition'
      return { webPixel: null, userErrors: [{ code: 'INVALID_SETTINGS', field: ['settings'], message }] }
    }
    const pixel = { id: `gid://shopify/WebPixel/${seededDigits(10, options.seed, shop, 'pixel')}`, settings }
    pixels.set(shop, pixel)
    writes.push({ shop, kind: 'web_pixel', at: options.now().toISOString(), ...pixel })
    return { webPixel: pixel, userErrors: [] }
  }

  /** Cursors contain the last change and the order, like the provider's, so that no order is lost while paging. */
  function ordersPage(shop: string, variables: Json): Json {
    const query = String(variables.query ?? '')
    const bound = (sign: string) =>
      Date.parse(new RegExp(`updated_at:${sign}'([^']+)'`).exec(query)?.[1] ?? '')
    const from = bound('>=') || 0
    const until = bound('<=') || Number.POSITIVE_INFINITY
    const keyOf = (updatedAt: Date, id: string) => `${String(updatedAt.getTime()).padStart(15, '0')} ${id}`
    const after = Buffer.from(String(variables.after ?? ''), 'base64').toString()
    const orders = book
      .list()
      .filter(({ updatedAt }) => updatedAt.getTime() >= from && updatedAt.getTime() <= until)
      .filter(({ updatedAt, id }) => keyOf(updatedAt, id) > after)
    const page = orders.slice(0, Number(variables.first ?? 10))
    const last = page.at(-1)
    return {
      nodes: page.map((order) => orderNode(order, shop)),
      pageInfo: {
        hasNextPage: page.length < orders.length,
        hasPreviousPage: after !== '',
        endCursor: last ? Buffer.from(keyOf(last.updatedAt, last.id)).toString('base64') : null,
      },
    }
  }

  async function deliver(topic: string, shop: string, payload: Json): Promise<void> {
    const body = JSON.stringify(payload)
    await webhooks.send({
      provider: 'storefront',
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': shop,
        'x-shopify-api-version': '2026-07',
        'x-shopify-webhook-id': seededUuid('webhook', options.now().getTime(), ++serial),
        'x-shopify-triggered-at': options.now().toISOString(),
        'x-shopify-hmac-sha256': hmacSha256(
          options.extra.webhookSecret ?? options.clientSecret,
          body,
        ).toString('base64'),
      },
      body,
    })
  }

  const routes: SandboxRoute[] = [
    ...market.routes,
    { on: 'GET /{shop}/admin/oauth/authorize', answer: install },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => {
        const shop = storeDomain(request.query.get('shop') ?? '') ?? defaultShop
        return consentAnswer(screenFor(shop), request, options.clientId, choice!)
      },
    },
    { on: 'POST /{shop}/admin/oauth/access_token', answer: token },
    { on: 'POST /{shop}/admin/api/{version}/graphql.json', answer: graphql },
    {
      on: 'DELETE /{shop}/admin/api_permissions/current.json',
      answer: (request) => {
        const wasRevoked = tokens.revoke(request.headers['x-shopify-access-token'] ?? '')
        return wasRevoked ? { status: 200, body: '' } : { status: 401, body: { errors: 'Unauthorized' } }
      },
    },
  ]

  async function act(action: string, args: Json): Promise<Json> {
    const done = actInCommon({ tokens, faults, reset: () => denied.clear() }, action, args)
    if (done !== null) return done
    const shop = storeDomain(textArg(args, 'shop') ?? textArg(args, 'account_id') ?? '') ?? lastShop
    const chosen = () => {
      const id = textArg(args, 'order_id')
      const order = id === null ? book.list().at(-1) : book.find(id)
      if (!order) throw new Error('No such order')
      return order
    }
    switch (action) {
      case 'webhook':
      case 'new_charge':
      case 'new_order': {
        const order = book.make({
          serial: ++serial,
          amountMinor: numberArg(args, 'amount_minor') ?? 4900,
          email: textArg(args, 'email'),
          anonymousId: textArg(args, 'anonymous_id'),
          attributes: pairsArg(args, 'attributes'),
        })
        await deliver('orders/create', shop, orderPayload(order))
        return { order_id: order.id, shop }
      }
      case 'refund': {
        const order = chosen()
        const at = options.now()
        const refund = {
          id: seededDigits(12, 'made refund', order.id, ++serial),
          at,
          amountMinor: numberArg(args, 'amount_minor') ?? order.amountMinor,
        }
        const after = book.put({ ...order, updatedAt: at, refunds: [...order.refunds, refund] })
        await deliver('refunds/create', shop, refundPayload(after, after.refunds.length - 1))
        await deliver('orders/updated', shop, orderPayload(after))
        return { order_id: order.id, refund_id: refund.id }
      }
      case 'cancel_order': {
        const order = book.put({ ...chosen(), updatedAt: options.now(), cancelledAt: options.now() })
        await deliver('orders/updated', shop, orderPayload(order))
        return { order_id: order.id }
      }
      case 'update_product': {
        const id = Number(textArg(args, 'product_id') ?? seededDigits(13, 'product', ++serial))
        const change = textArg(args, 'change') ?? 'update'
        const at = options.now().toISOString()
        // The platform's webhook for a deleted product only has its id.
        const product = change === 'delete' ? { id } : { id, title: 'Linen apron', updated_at: at }
        await deliver(`products/${change}`, shop, product)
        return { product_id: String(id) }
      }
      case 'uninstall':
        tokens.revokeAccount(shop)
        await deliver('app/uninstalled', shop, { id: 1, name: 'Harbor & Pine', myshopify_domain: shop })
        return { shop }
      case 'data_request':
      case 'customer_redact': {
        const { customer, email } = chosen()
        const topic = action === 'data_request' ? 'customers/data_request' : 'customers/redact'
        const customerFields = { id: customer && Number(customer.id), email, phone: customer?.phone ?? null }
        await deliver(topic, shop, { shop_id: 1, shop_domain: shop, customer: customerFields })
        return { customer_id: customer?.id ?? null, email }
      }
      case 'shop_redact':
        await deliver('shop/redact', shop, { shop_id: 1, shop_domain: shop })
        return { shop }
      case 'settle_subscription': {
        const id = textArg(args, 'subscription_id')
        return { subscription_id: market.settle(id, textArg(args, 'status') ?? 'ACTIVE') }
      }
      case 'partner_dashboard':
        return market.dashboard()
      case 'deny_fields':
        for (const field of args.fields as string[]) denied.add(field)
        return {}
      case 'resend_webhook':
        return webhooks.resend()
      default:
        throw new Error(`Storefront's sandbox has no action ${action}`)
    }
  }

  return routedSandbox({
    name: 'storefront',
    routes,
    faults,
    otherwise: { status: 404, body: { errors: 'Not Found' } },
    writes: () => [...writes],
    act,
  })
}

const oauthFailure = (error: string, description: string): SandboxReply => ({
  status: 400,
  body: { error, error_description: description },
})
