/** The deployment's own account at cardpay: hosted checkout for a plan, and the payer's portal. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { ProviderError } from '../connector.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { apiVersions } from '../versions.ts'

/** The schemas below are for this version, regardless of the account's default. */
const version = { 'stripe-version': apiVersions.cardpay.version }

export type PaidPlan = 'growth' | 'agency'

export type BillingAccount = {
  secretKey: string
  apiBaseUrl: string
  prices: Record<PaidPlan, string>
  /** Undefined if the deployment receives no webhooks. */
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
    plan: PaidPlan
    reference: string
    /** An existing customer; if undefined the provider creates one. */
    customer: string | undefined
    successUrl: string
    cancelUrl: string
    /** Payment is no longer possible after this time. */
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
      ...(checkout.customer === undefined ? {} : { customer: checkout.customer }),
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
  cancel_at: seconds,
  cancel_at_period_end: z.boolean().nullish(),
  items: z
    .looseObject({
      data: z.array(
        z.looseObject({
          id: text,
          price: z.looseObject({ id: text }).nullish(),
          // Newer API versions have the period on the item.
          ...Period,
        }),
      ),
    })
    .nullish(),
})

export type PaidSubscription = {
  status: 'active' | 'past_due' | 'canceled'
  /** Null if the price is not configured. */
  plan: PaidPlan | null
  itemId: string | null
  periodStart: Date | null
  periodEnd: Date | null
  /** End of a subscription that the payer has cancelled. */
  cancelsAt: Date | null
}

export async function readSubscription(
  http: Outbound,
  account: BillingAccount,
  id: string,
): Promise<PaidSubscription> {
  const subscription = await callJson(http, {
    url: `${account.apiBaseUrl}/v1/subscriptions/${encodeURIComponent(id)}`,
    bearer: account.secretKey,
    headers: version,
    schema: Subscription,
  })
  const item = subscription.items?.data[0]
  const toDate = (time: number | null | undefined) => (time == null ? null : new Date(time * 1000))
  const plans = Object.keys(account.prices) as PaidPlan[]
  const periodEnd = toDate(subscription.current_period_end ?? item?.current_period_end)
  return {
    status: statusOf(subscription.status),
    plan: plans.find((plan) => account.prices[plan] === item?.price?.id) ?? null,
    itemId: item?.id ?? null,
    periodStart: toDate(subscription.current_period_start ?? item?.current_period_start),
    periodEnd,
    cancelsAt:
      toDate(subscription.cancel_at) ?? (subscription.cancel_at_period_end === true ? periodEnd : null),
  }
}

/** Maps the provider's statuses: neither paid nor ended is past due. */
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
      /** Invoices in API versions before basil, which webhook endpoints may still use. */
      subscription: text,
      parent: z
        .looseObject({ subscription_details: z.looseObject({ subscription: text }).nullish() })
        .nullish(),
    }),
  }),
})

/** Parses an event of the billing account; null if it does not concern plans. */
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

export function createPortal(
  http: Outbound,
  account: BillingAccount,
  portal: { customer: string; returnUrl: string },
): Promise<string> {
  return openPortal(http, account, { customer: portal.customer, return_url: portal.returnUrl })
}

/**
 * Opens the page on which the payer confirms another plan of the same subscription: the provider shows and charges the
 * difference for the rest of the period. Fields as in stripe-node 663942164 (2026-08-19), BillingPortal/Sessions.
 */
export function createPlanChange(
  http: Outbound,
  account: BillingAccount,
  change: {
    customer: string
    subscriptionId: string
    itemId: string
    plan: PaidPlan
    returnUrl: string
    cancelUrl: string
  },
): Promise<string> {
  const confirm = 'flow_data[subscription_update_confirm]'
  return openPortal(http, account, {
    customer: change.customer,
    return_url: change.cancelUrl,
    'flow_data[type]': 'subscription_update_confirm',
    [`${confirm}[subscription]`]: change.subscriptionId,
    [`${confirm}[items][0][id]`]: change.itemId,
    [`${confirm}[items][0][price]`]: account.prices[change.plan],
    [`${confirm}[items][0][quantity]`]: '1',
    'flow_data[after_completion][type]': 'redirect',
    'flow_data[after_completion][redirect][return_url]': change.returnUrl,
  })
}

async function openPortal(http: Outbound, account: BillingAccount, form: Record<string, string>) {
  const { url } = await callJson(http, {
    url: `${account.apiBaseUrl}/v1/billing_portal/sessions`,
    bearer: account.secretKey,
    headers: version,
    form,
    schema: z.looseObject({ url: z.url() }),
  })
  return url
}

/** Ends a subscription immediately; the unused time becomes the customer's credit. A missing one counts as ended. */
export async function cancelSubscription(http: Outbound, account: BillingAccount, id: string): Promise<void> {
  await callJson(http, {
    method: 'DELETE',
    url: `${account.apiBaseUrl}/v1/subscriptions/${encodeURIComponent(id)}`,
    bearer: account.secretKey,
    headers: version,
    query: { prorate: 'true' },
    schema: z.unknown(),
  }).catch((error: unknown) => {
    if (!(error instanceof ProviderError && error.reason === 'not_found')) throw error
  })
}
