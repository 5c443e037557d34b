/** The deployment's own account at cardpay: hosted checkout for a plan, and the payer's portal. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

/** The shapes below are of this version, whatever the account's default is. */
const version = { 'stripe-version': apiVersions.cardpay.version }

export type BillingAccount = {
  secretKey: string
  apiBaseUrl: string
  prices: Record<'growth' | 'agency', string>
  /** Undefined where the provider shows nothing by itself. */
  webhookSecret: string | undefined
}

const Session = z.looseObject({
  id: z.string().min(1),
  url: text,
  client_reference_id: text,
  payment_status: text,
  customer: text,
  subscription: text,
})
export type CheckoutSession = z.infer<typeof Session>

export function createCheckout(
  http: Outbound,
  account: BillingAccount,
  checkout: {
    plan: 'growth' | 'agency'
    reference: string
    successUrl: string
    cancelUrl: string
    /** No one can pay after it. */
    expiresAt: Date
  },
): Promise<CheckoutSession> {
  return callJson(http, {
    url: `${account.apiBaseUrl}/v1/checkout/sessions`,
    bearer: account.secretKey,
    // A retry of the same checkout gets the same session.
    headers: { ...version, 'idempotency-key': checkout.reference },
    form: {
      mode: 'subscription',
      'line_items[0][price]': account.prices[checkout.plan],
      'line_items[0][quantity]': '1',
      client_reference_id: checkout.reference,
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
      expires_at: String(Math.floor(checkout.expiresAt.getTime() / 1000)),
    },
    schema: Session,
  })
}

export function readCheckout(http: Outbound, account: BillingAccount, id: string): Promise<CheckoutSession> {
  return callJson(http, {
    url: `${account.apiBaseUrl}/v1/checkout/sessions/${encodeURIComponent(id)}`,
    bearer: account.secretKey,
    headers: version,
    schema: Session,
  })
}

const seconds = z.int().nullish()
const Period = { current_period_start: seconds, current_period_end: seconds }
const Subscription = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  ...Period,
  // Newer versions of the API keep the period on the item.
  items: z.looseObject({ data: z.array(z.looseObject(Period)) }).nullish(),
})

export type PaidSubscription = {
  status: 'active' | 'past_due' | 'canceled'
  periodStart: Date | null
  periodEnd: Date | null
}

export async function readSubscription(
  http: Outbound,
  account: BillingAccount,
  id: string,
): Promise<PaidSubscription> {
  const found = await callJson(http, {
    url: `${account.apiBaseUrl}/v1/subscriptions/${encodeURIComponent(id)}`,
    bearer: account.secretKey,
    headers: version,
    schema: Subscription,
  })
  const item = found.items?.data[0]
  const toDate = (time: number | null | undefined) => (time == null ? null : new Date(time * 1000))
  return {
    status: statusOf(found.status),
    periodStart: toDate(found.current_period_start ?? item?.current_period_start),
    periodEnd: toDate(found.current_period_end ?? item?.current_period_end),
  }
}

/** The provider's words in ours: what is not paid and not over is past due. */
function statusOf(status: string): PaidSubscription['status'] {
  if (status === 'active' || status === 'trialing') return 'active'
  return status === 'canceled' || status === 'incomplete_expired' ? 'canceled' : 'past_due'
}

const BillingEvent = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    object: z.looseObject({
      id: text,
      client_reference_id: text,
      /** Of an invoice in versions before basil, which webhook endpoints may still be set to. */
      subscription: text,
      parent: z
        .looseObject({ subscription_details: z.looseObject({ subscription: text }).nullish() })
        .nullish(),
    }),
  }),
})

/** What an event of the billing account is about; null for what does not concern plans. */
export function readBillingEvent(
  body: unknown,
): { checkout: { sessionId: string; reference: string } } | { subscriptionId: string } | null {
  const event = BillingEvent.safeParse(body).data
  const object = event?.data.object
  if (event === undefined || object === undefined) return null
  if (/^checkout\.session\.(completed|async_payment_succeeded)$/.test(event.type))
    return object.id !== null && object.client_reference_id !== null
      ? { checkout: { sessionId: object.id, reference: object.client_reference_id } }
      : null
  const subscriptionId = event.type.startsWith('customer.subscription.')
    ? object.id
    : event.type.startsWith('invoice.')
      ? (object.parent?.subscription_details?.subscription ?? object.subscription)
      : null
  return subscriptionId === null ? null : { subscriptionId }
}

export async function createPortal(
  http: Outbound,
  account: BillingAccount,
  portal: { customer: string; returnUrl: string },
): Promise<string> {
  const { url } = await callJson(http, {
    url: `${account.apiBaseUrl}/v1/billing_portal/sessions`,
    bearer: account.secretKey,
    headers: version,
    form: { customer: portal.customer, return_url: portal.returnUrl },
    schema: z.looseObject({ url: z.url() }),
  })
  return url
}
