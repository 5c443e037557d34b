/**
 * An imitation of a WooCommerce shop below `/<shop>/…`: approval that posts keys (class-wc-auth.php), orders and refunds,
 * signed webhooks (class-wc-webhook.php). Written from WooCommerce's source and REST API documentation, read 2026-11-17.
 */

import { actInCommon, redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { createFaults } from '../faults.ts'
import { hmacSha256 } from '../hmac.ts'
import { numberArg, pairsArg, readJson, routedSandbox, type SandboxRoute, textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'
import { TokenServer } from '../tokens.ts'
import { orderJson, refundJson, type ShopOrder, ShopOrders } from './orders.ts'

type Json = Record<string, unknown>
type Webhook = {
  id: number
  topic: string
  deliveryUrl: string
  secret: string
  status: string
  failures: number
}

const A_CENTURY = 100 * 365 * 86_400
const defaultShop = 'harbor.example'
const wpError = (status: number, code: string, message: string): SandboxReply => ({
  status,
  body: { code, message, data: { status } },
})

export function createWoocommerceSandbox(options: SandboxOptions): Sandbox {
  const tokens = new TokenServer({ ...options, accessTtlSeconds: A_CENTURY, rotates: false })
  const faults = createFaults()
  const orders = new ShopOrders(options.seed, options.now)
  const webhooks: Webhook[] = []
  let serial = 0
  /** Quirks of shop hosts. */
  const host = { dropsAuthorization: false, plainPermalinks: false, redirects: false, deliveries: 1 }

  const screen: ConsentScreen = {
    providerName: 'WooCommerce',
    oneAccount: true,
    accounts: [{ id: defaultShop, name: 'Harbor Linen' }],
    scopes: ['read'],
    refusal: { decline: { success: '0' }, 'deny-app': {}, 'provider-error': {} },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: redirectOrigins(options.extra),
  }

  /** The page's links lead to `/consent/…` with the parameters of the original request. */
  function authorize(request: SandboxRequest, shop: string): SandboxReply {
    const missing = ['app_name', 'user_id', 'return_url', 'callback_url', 'scope'].find(
      (name) => !request.query.get(name),
    )
    if (missing !== undefined) return accessDenied(`Missing parameter ${missing}`)
    if (!['read', 'write', 'read_write'].includes(request.query.get('scope')!))
      return accessDenied('Invalid scope')
    const callback = URL.parse(request.query.get('callback_url')!)
    const isLocal = ['127.0.0.1', 'localhost'].includes(callback?.hostname ?? '')
    if (callback?.protocol !== 'https:' && !isLocal)
      return accessDenied('The callback_url needs to be over SSL')
    const query = new URLSearchParams(request.query)
    query.set('client_id', query.get('app_name')!)
    query.set('redirect_uri', query.get('return_url')!)
    query.set('shop', shop)
    return consentPage(screen, { ...request, query }, options.clientId)
  }

  /** Posts the keys before redirecting the person back; the shop deletes them unless the response is 200. */
  async function answerConsent(request: SandboxRequest, choice: string): Promise<SandboxReply> {
    if (choice === 'deny-app') return accessDenied('You do not have permission to access this page')
    if (choice === 'provider-error') return accessDenied('An error occurred in the request')
    const answered = consentAnswer(screen, request, options.clientId, choice)
    const location = answered.headers?.location
    if (location === undefined) return answered
    const returnUrl = new URL(location)
    const code = returnUrl.searchParams.get('code')
    returnUrl.searchParams.delete('code')
    returnUrl.searchParams.set('user_id', request.query.get('user_id')!)
    if (choice === 'decline')
      return { ...answered, headers: { ...answered.headers, location: returnUrl.href } }
    returnUrl.searchParams.set('success', '1')
    let delayMs = 0
    if (code !== null) {
      const issued = tokens.redeemCode({ code, redirectUri: null, codeVerifier: null })
      const isGood = !('error' in issued)
      delayMs = isGood ? issued.delayMs : 0
      const keys = {
        key_id: ++serial,
        user_id: request.query.get('user_id'),
        consumer_key: `ck_${seededHex(40, options.seed, 'key', serial)}`,
        consumer_secret: `cs_${isGood ? issued.accessToken : seededHex(40, options.seed, 'bad', serial)}`,
        key_permissions: request.query.get('scope'),
      }
      const status = await options.postTo?.(request.query.get('callback_url')!, JSON.stringify(keys))
      if (status !== 200)
        return accessDenied(
          'An error occurred in the request and at the time were unable to send the consumer data',
        )
    }
    return { ...answered, headers: { ...answered.headers, location: returnUrl.href }, delayMs }
  }

  function refusalOf(request: SandboxRequest): SandboxReply | null {
    const basic = host.dropsAuthorization ? '' : (request.headers.authorization ?? '')
    const [key = '', secret = ''] = Buffer.from(/^Basic (.+)$/.exec(basic)?.[1] ?? '', 'base64')
      .toString()
      .split(':')
    const consumerKey = key || request.query.get('consumer_key') || ''
    const consumerSecret = secret || request.query.get('consumer_secret') || ''
    const isKnown =
      consumerKey.startsWith('ck_') && tokens.authenticate(consumerSecret.replace(/^cs_/, '')) !== null
    return isKnown ? null : wpError(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
  }

  const behindKeys =
    (answer: SandboxRoute['answer']): SandboxRoute['answer'] =>
    (request, params) =>
      quirkOf(request) ?? refusalOf(request) ?? answer(request, params)

  function quirkOf(request: SandboxRequest): SandboxReply | null {
    if (host.redirects) return { status: 301, headers: { location: 'https://www.harbor.example/' }, body: '' }
    return host.plainPermalinks
      ? { status: 404, headers: { 'content-type': 'text/html' }, body: `<html>No ${request.path}</html>` }
      : null
  }

  function listOrders({ query }: SandboxRequest): SandboxReply {
    const time = (name: string) => {
      const text = query.get(name)
      // Like WordPress: a time with a zone is converted to the shop's local time, which is an hour ahead here.
      return text === null
        ? null
        : Date.parse(/[Zz]$/.test(text) ? text : `${text}Z`) + (/[Zz]$/.test(text) ? 3_600_000 : 0)
    }
    const [after, before] = [time('modified_after'), time('modified_before')]
    const isTrash = query.get('status') === 'trash'
    const matchingOrders = orders
      .list()
      .filter((order) => (order.status === 'trash') === isTrash)
      .filter(({ modifiedAt }) => after === null || modifiedAt.getTime() > after)
      .filter(({ modifiedAt }) => before === null || modifiedAt.getTime() < before)
    const perPage = Math.min(100, Number(query.get('per_page') ?? 10))
    const page = Number(query.get('page') ?? 1)
    return {
      status: 200,
      headers: {
        'x-wp-total': String(matchingOrders.length),
        'x-wp-totalpages': String(Math.ceil(matchingOrders.length / perPage)),
      },
      body: matchingOrders.slice((page - 1) * perPage, page * perPage).map(orderJson),
    }
  }

  const unknownOrder = wpError(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')

  const webhookJson = ({ id, topic, deliveryUrl, status }: Webhook): Json => ({
    id,
    name: `Webhook ${id}`,
    status,
    topic,
    resource: topic.split('.')[0],
    event: topic.split('.')[1],
    delivery_url: deliveryUrl,
  })

  async function createWebhook(request: SandboxRequest): Promise<SandboxReply> {
    const { topic, delivery_url: deliveryUrl, secret } = readJson(request)
    const webhook: Webhook = {
      id: ++serial,
      topic: String(topic),
      deliveryUrl: String(deliveryUrl),
      secret: String(secret),
      status: 'active',
      failures: 0,
    }
    webhooks.push(webhook)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await send(webhook.deliveryUrl, headers, `webhook_id=${webhook.id}`)
    return { status: 201, body: webhookJson(webhook) }
  }

  const send = (deliveryUrl: string, headers: Record<string, string>, body: string) =>
    options.sendWebhook({
      provider: 'woocommerce',
      headers,
      body,
      query: Object.fromEntries(new URL(deliveryUrl).searchParams),
    })

  async function deliver(topic: string, payload: Json): Promise<void> {
    const body = JSON.stringify(payload)
    const active = webhooks.filter((webhook) => webhook.topic === topic && webhook.status === 'active')
    // Some shops send each change several times (woocommerce #28329), as separate deliveries.
    for (const webhook of Array.from({ length: host.deliveries }, () => active).flat())
      await send(
        webhook.deliveryUrl,
        {
          'content-type': 'application/json',
          'x-wc-webhook-source': 'https://www.harbor.example/',
          'x-wc-webhook-topic': topic,
          'x-wc-webhook-resource': 'order',
          'x-wc-webhook-event': topic.split('.')[1]!,
          'x-wc-webhook-signature': hmacSha256(webhook.secret, body).toString('base64'),
          'x-wc-webhook-id': String(webhook.id),
          'x-wc-webhook-delivery-id': seededHex(32, options.seed, 'delivery', ++serial),
        },
        body,
      )
  }

  const api = '/{shop}/wp-json/wc/v3'
  const routes: SandboxRoute[] = [
    { on: 'GET /{shop}/wc-auth/v1/authorize', answer: (request, { shop }) => authorize(request, shop!) },
    { on: 'GET /consent/{choice}', answer: (request, { choice }) => answerConsent(request, choice!) },
    {
      on: 'GET /{shop}/wp-json/',
      answer: (request) =>
        quirkOf(request) ?? {
          status: 200,
          body: { name: 'Harbor Linen', timezone_string: 'Europe/Madrid' },
        },
    },
    {
      on: `GET ${api}/data/currencies/current`,
      answer: behindKeys(() => ({ status: 200, body: { code: 'EUR', name: 'Euro', symbol: '&euro;' } })),
    },
    { on: `GET ${api}/orders`, answer: behindKeys(listOrders) },
    {
      on: `GET ${api}/orders/{id}`,
      answer: behindKeys((_request, { id }) => {
        const order = orders.find(Number(id))
        return order === undefined ? unknownOrder : { status: 200, body: orderJson(order) }
      }),
    },
    {
      on: `GET ${api}/orders/{id}/refunds`,
      answer: behindKeys((_request, { id }) => {
        const order = orders.find(Number(id))
        return order === undefined ? unknownOrder : { status: 200, body: order.refunds.map(refundJson) }
      }),
    },
    {
      on: `GET ${api}/webhooks`,
      answer: behindKeys(() => ({ status: 200, body: webhooks.map(webhookJson) })),
    },
    { on: `POST ${api}/webhooks`, answer: behindKeys(createWebhook) },
    {
      on: `DELETE ${api}/webhooks/{id}`,
      answer: behindKeys((_request, { id }) => {
        const index = webhooks.findIndex((webhook) => webhook.id === Number(id))
        if (index >= 0) webhooks.splice(index, 1)
        return { status: 200, body: { id: Number(id) } }
      }),
    },
  ]

  function makeOrder(args: Json): ShopOrder {
    const now = options.now()
    const status = textArg(args, 'status') ?? 'processing'
    return orders.put({
      id: orders.nextId(),
      status,
      currency: textArg(args, 'currency') ?? 'EUR',
      amountMinor: numberArg(args, 'amount_minor') ?? 4900,
      createdAt: now,
      modifiedAt: now,
      paidAt: status === 'processing' || status === 'completed' ? now : null,
      customerId: 0,
      email: textArg(args, 'email') ?? 'buyer@shoppers.example',
      phone: textArg(args, 'phone') ?? '612 345 678',
      country: textArg(args, 'country') ?? 'ES',
      meta: pairsArg(args, 'meta'),
      refunds: [],
    })
  }

  async function act(action: string, args: Json): Promise<Json> {
    const token = textArg(args, 'token')?.replace(/^cs_/, '')
    const common = token === undefined ? args : { ...args, token }
    const done = actInCommon({ tokens, faults, reset: () => void webhooks.splice(0) }, action, common)
    if (done !== null) return done
    const chosen = () => {
      const id = numberArg(args, 'order_id')
      const order = id === null ? orders.list().at(-1) : orders.find(id)
      if (order === undefined) throw new Error('No such order')
      return order
    }
    switch (action) {
      case 'host':
        return Object.assign(host, args)
      case 'new_order': {
        const order = makeOrder(args)
        await deliver('order.created', orderJson(order))
        return { order_id: order.id }
      }
      case 'change_order': {
        const changes = args.changes as Partial<ShopOrder>
        const order = orders.put({ ...chosen(), ...changes, modifiedAt: options.now() })
        await deliver('order.updated', orderJson(order))
        return { order_id: order.id }
      }
      case 'refund': {
        const order = chosen()
        const refund = {
          id: 990_000 + ++serial,
          at: options.now(),
          amountMinor: numberArg(args, 'amount_minor') ?? order.amountMinor,
        }
        const after = orders.put({ ...order, modifiedAt: options.now(), refunds: [...order.refunds, refund] })
        await deliver('order.updated', orderJson(after))
        return { order_id: order.id, refund_id: refund.id }
      }
      case 'trash_order': {
        const order = orders.put({ ...chosen(), status: 'trash', modifiedAt: options.now() })
        await deliver('order.deleted', { id: order.id })
        return { order_id: order.id }
      }
      case 'delete_order': {
        const { id } = chosen()
        orders.remove(id)
        return { order_id: id }
      }
      // The shop disables webhooks after more than five failures in a row.
      case 'disable_webhooks':
        for (const webhook of webhooks) webhook.status = 'disabled'
        return {}
      case 'list_webhooks':
        return { webhooks: webhooks.map(webhookJson) }
      default:
        throw new Error(`WooCommerce's sandbox has no action ${action}`)
    }
  }

  return routedSandbox({
    name: 'woocommerce',
    routes,
    faults,
    otherwise: wpError(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
    act,
  })
}

/** The page of `wp_die`: the person stays at the shop. */
const accessDenied = (message: string): SandboxReply => ({
  status: 401,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Access denied</title><p>Error: ${message}.</p>`,
})
