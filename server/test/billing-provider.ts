/**
 * An imitation of the payment provider of plans, from its published API (stripe-node 663942164, 2026-08-19): hosted
 * checkouts, subscriptions with one item, and the portal page that confirms a new price. A test acts as the payer.
 */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Subscription = {
  id: string
  customer: string
  status: string
  cancel_at_period_end: boolean
  items: {
    data: { id: string; price: { id: string }; current_period_start: number; current_period_end: number }[]
  }
}
type Checkout = { id: string; form: URLSearchParams; subscription: string | null }

export const prices = { growth: 'price_growth', agency: 'price_agency' }
const SECRET_KEY = 'sk_billing'
const WEBHOOK_SECRET = 'whsec_billing'
const MONTH_S = 30 * 86_400
const nowSeconds = () => Math.floor(Date.now() / 1000)

export type BillingProvider = Awaited<ReturnType<typeof startBillingProvider>>

export async function startBillingProvider() {
  const checkouts: Checkout[] = []
  const subscriptions = new Map<string, Subscription>()
  const portals: URLSearchParams[] = []

  function answer(method: string, url: URL, form: URLSearchParams): [number, object] {
    const missing: [number, object] = [
      404,
      { error: { type: 'invalid_request_error', code: 'resource_missing' } },
    ]
    const [, , noun = '', id = ''] = url.pathname.split('/')
    if (noun === 'subscriptions') {
      const subscription = subscriptions.get(id)
      if (subscription === undefined || (method === 'DELETE' && subscription.status === 'canceled'))
        return missing
      if (method === 'DELETE') subscription.status = 'canceled'
      return [200, subscription]
    }
    if (url.pathname === '/v1/billing_portal/sessions') {
      portals.push(form)
      const item = form.get('flow_data[subscription_update_confirm][items][0][id]')
      const subscription = subscriptions.get(
        form.get('flow_data[subscription_update_confirm][subscription]') ?? '',
      )
      if (form.has('flow_data[type]') && subscription?.items.data[0]?.id !== item) return missing
      return [200, { id: `bps_${portals.length}`, url: `https://portal.example/${portals.length}` }]
    }
    if (method === 'POST') {
      const customer = form.get('customer')
      if (customer !== null && ![...subscriptions.values()].some((paid) => paid.customer === customer))
        return [400, missing[1]]
      const checkout = { id: `cs_${checkouts.length + 1}`, form, subscription: null }
      checkouts.push(checkout)
      return [200, { ...toSession(checkout), url: `https://pay.example/${checkout.id}` }]
    }
    const session = checkouts.find((checkout) => url.pathname.endsWith(`/${checkout.id}`))
    return session === undefined ? missing : [200, toSession(session)]
  }

  function toSession({ id, form, subscription }: Checkout) {
    return {
      id,
      url: null,
      client_reference_id: form.get('client_reference_id'),
      payment_status: subscription === null ? 'unpaid' : 'paid',
      customer: subscription === null ? form.get('customer') : subscriptions.get(subscription)!.customer,
      subscription,
    }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isKnown = request.headers.authorization === `Bearer ${SECRET_KEY}`
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const [status, body] = isKnown
      ? answer(request.method!, new URL(request.url!, 'http://provider'), form)
      : [401, { error: { type: 'invalid_request_error' } }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const apiBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    checkouts,
    subscriptions,
    portals,
    config: JSON.stringify({
      secret_key: SECRET_KEY,
      api_base_url: apiBaseUrl,
      prices,
      webhook_secret: WEBHOOK_SECRET,
    }),
    /** Pays the given or the newest checkout; returns the redirect URL. */
    pay(checkout = checkouts.at(-1)!): { id: string; returnUrl: string } {
      const id = `sub_${checkout.id}`
      subscriptions.set(id, {
        id,
        customer: checkout.form.get('customer') ?? `cus_${checkout.id}`,
        status: 'active',
        cancel_at_period_end: false,
        items: {
          data: [
            {
              id: `si_${checkout.id}`,
              price: { id: checkout.form.get('line_items[0][price]')! },
              current_period_start: nowSeconds(),
              current_period_end: nowSeconds() + MONTH_S,
            },
          ],
        },
      })
      checkout.subscription = id
      return {
        id,
        returnUrl: checkout.form.get('success_url')!.replace('{CHECKOUT_SESSION_ID}', checkout.id),
      }
    },
    /** Confirms the change of plan on the newest portal page. */
    confirmChange(portal = portals.at(-1)!): void {
      const field = 'flow_data[subscription_update_confirm]'
      const item = subscriptions.get(portal.get(`${field}[subscription]`)!)!.items.data[0]!
      item.price.id = portal.get(`${field}[items][0][price]`)!
    },
    /** Sends a webhook with the provider's signature to the service. */
    async send(baseUrl: string, type: string, object: object, secret = WEBHOOK_SECRET): Promise<number> {
      const body = JSON.stringify({ id: 'evt_1', type, data: { object } })
      const time = nowSeconds()
      const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
      const reply = await fetch(`${baseUrl}/billing/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
        body,
      })
      return reply.status
    },
    close: () => server.close(),
  }
}
