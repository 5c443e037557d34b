/** The deployment's own account at cardpay: hosted checkout for a plan, and the payer's portal. */
import { z } from 'zod'
import type { Outbound } from '../../outbound/outbound.ts'
import { callJson } from '../provider-http.ts'
import { text } from '../reply-fields.ts'

export type BillingAccount = {
  secretKey: string
  apiBaseUrl: string
  prices: Record<'growth' | 'agency', string>
}

const Session = z.looseObject({
  id: z.string().min(1),
  url: text,
  client_reference_id: text,
  payment_status: text,
  customer: text,
})
export type CheckoutSession = z.infer<typeof Session>

export function createCheckout(
  http: Outbound,
  account: BillingAccount,
  checkout: { plan: 'growth' | 'agency'; reference: string; successUrl: string; cancelUrl: string },
): Promise<CheckoutSession> {
  return callJson(http, {
    url: `${account.apiBaseUrl}/v1/checkout/sessions`,
    bearer: account.secretKey,
    // A retry of the same checkout gets the same session.
    headers: { 'idempotency-key': checkout.reference },
    form: {
      mode: 'subscription',
      'line_items[0][price]': account.prices[checkout.plan],
      'line_items[0][quantity]': '1',
      client_reference_id: checkout.reference,
      success_url: checkout.successUrl,
      cancel_url: checkout.cancelUrl,
    },
    schema: Session,
  })
}

export function readCheckout(http: Outbound, account: BillingAccount, id: string): Promise<CheckoutSession> {
  return callJson(http, {
    url: `${account.apiBaseUrl}/v1/checkout/sessions/${encodeURIComponent(id)}`,
    bearer: account.secretKey,
    schema: Session,
  })
}

export async function createPortal(
  http: Outbound,
  account: BillingAccount,
  portal: { customer: string; returnUrl: string },
): Promise<string> {
  const { url } = await callJson(http, {
    url: `${account.apiBaseUrl}/v1/billing_portal/sessions`,
    bearer: account.secretKey,
    form: { customer: portal.customer, return_url: portal.returnUrl },
    schema: z.looseObject({ url: z.url() }),
  })
  return url
}
