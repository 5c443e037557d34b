/**
 * Maps cardpay objects (Stripe's public API) to records. Amounts are in the provider's own minor
 * units, which differ from ISO 4217 for a few currencies; times are Unix seconds.
 */
import { z } from 'zod'
import { decimalMoney, toDecimal } from '../amounts.ts'
import type { Money, PersonRecord, SyncRecord } from '../connector.ts'
import { countryField, emptyPerson, mergeTracking, readTrackingPairs, splitName } from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { flag, scalarPairs, text } from '../reply-fields.ts'

type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type ContactRecord = Extract<SyncRecord, { type: 'contact' }>
type RefundRecord = Extract<SyncRecord, { type: 'refund' }>

/** Currencies that the provider counts in whole units, regardless of ISO 4217. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '))

/** ISK and UGX have no minor unit, yet the provider counts them in hundredths. */
export function cardpayExponent(currency: string): number {
  if (zeroDecimal.has(currency)) return 0
  return threeDecimal.has(currency) ? 3 : 2
}

export function toMoney(amount: number, currency: string): Money {
  const code = currency.toUpperCase()
  return decimalMoney(toDecimal(amount, cardpayExponent(code)), code)
}

const seconds = z.number().int().nonnegative()
const at = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

/** A field that contains an id, or the object itself if its expansion was requested. */
const reference = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null)

const Address = z.looseObject({ country: text }).nullish()

export const Charge = z.looseObject({
  id: z.string().min(1),
  amount: z.number().int(),
  amount_captured: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? null),
  currency: z.string().length(3),
  created: seconds,
  status: z.enum(['succeeded', 'pending', 'failed']),
  captured: flag,
  disputed: flag,
  customer: reference,
  payment_intent: reference,
  receipt_email: text,
  billing_details: z
    .looseObject({ email: text, phone: text, name: text, address: Address })
    .nullish()
    .transform((value) => value ?? null),
  metadata: scalarPairs,
})
export type Charge = z.infer<typeof Charge>

export const Refund = z.looseObject({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().length(3),
  created: seconds,
  charge: reference,
  status: text,
})
export type Refund = z.infer<typeof Refund>

export const Dispute = z.looseObject({
  id: z.string().min(1),
  amount: z.number().int(),
  currency: z.string().length(3),
  created: seconds,
  charge: z.union([z.string(), Charge]),
  status: z.string(),
})
export type Dispute = z.infer<typeof Dispute>

/** Payment of an invoice; one paid from a payment record has no charge. */
const InvoicePayment = z.looseObject({
  payment: z.looseObject({ payment_intent: reference }),
})
const Invoice = z.looseObject({
  id: z.string(),
  payments: z.looseObject({ data: z.array(InvoicePayment) }).nullish(),
})

export const CheckoutSession = z.looseObject({
  id: z.string().min(1),
  created: seconds.nullish(),
  customer: reference,
  /** Subscriptions: payments belong to the invoice and `payment_intent` is null. */
  invoice: z.union([z.string(), Invoice]).nullish(),
  client_reference_id: text,
  metadata: scalarPairs,
  customer_details: z
    .looseObject({ email: text, phone: text, name: text, address: Address })
    .nullish()
    .transform((value) => value ?? null),
  payment_intent: z
    .union([
      z.string(),
      z.looseObject({
        id: z.string(),
        metadata: scalarPairs,
        latest_charge: z.union([z.string(), Charge]).nullish(),
      }),
    ])
    .nullish(),
})
export type CheckoutSession = z.infer<typeof CheckoutSession>

export function listOf<T extends z.ZodType>(item: T) {
  return z.looseObject({ object: z.literal('list'), data: z.array(item), has_more: z.boolean() })
}

function chargePerson(charge: Charge): PersonRecord {
  return {
    ...emptyPerson(),
    ...readTrackingPairs(charge.metadata),
    contactId: charge.customer,
    email: charge.billing_details?.email ?? charge.receipt_email,
    phone: charge.billing_details?.phone ?? null,
    ...countryField(charge.billing_details?.address?.country),
    ...splitName(charge.billing_details?.name),
    externalId: charge.metadata.external_id ?? charge.metadata.user_id ?? null,
  }
}

const openDispute = new Set(['needs_response', 'under_review'])

/** A charge stays marked as disputed for ever; the outcome is only in its disputes. */
function paymentStatus(charge: Charge, disputes: Dispute[]): PaymentRecord['status'] {
  if (charge.status !== 'succeeded') return charge.status
  if (charge.captured === false) return 'pending'
  if (charge.disputed !== true) return 'succeeded'
  const settled =
    disputes.length > 0 && !disputes.some(({ status }) => openDispute.has(status) || status === 'lost')
  return settled ? 'succeeded' : 'disputed'
}

/** The checkout adds data that the charge lacks: the visitor's id and what the person entered. */
export function toPayment(
  charge: Charge,
  related: { checkout?: CheckoutSession | null; disputes?: Dispute[] } = {},
): PaymentRecord {
  const capturedAmount = charge.captured === false ? charge.amount : (charge.amount_captured ?? charge.amount)
  const checkout = related.checkout ?? null
  return {
    type: 'payment',
    externalId: charge.id,
    occurredAt: at(charge.created),
    amount: toMoney(capturedAmount, charge.currency),
    status: paymentStatus(charge, related.disputes ?? []),
    person: checkout === null ? chargePerson(charge) : checkoutPerson(charge, checkout),
    orderId: charge.metadata.order_id ?? checkout?.metadata.order_id ?? null,
    aside: fieldsAside(Charge, charge),
  }
}

/** The person of a checkout without payment (a trial), so that they are known before the first payment. */
export function toCheckoutContact(checkout: CheckoutSession): ContactRecord[] {
  const created = checkout.created ?? null
  if (created === null || checkout.customer === null) return []
  const person = withCheckout({ ...emptyPerson(), contactId: checkout.customer }, checkout)
  return [{ type: 'contact', externalId: checkout.customer, updatedAt: at(created), person }]
}

const checkoutPerson = (charge: Charge, checkout: CheckoutSession): PersonRecord =>
  withCheckout(chargePerson(charge), checkout)

function withCheckout(person: PersonRecord, checkout: CheckoutSession): PersonRecord {
  const tracking = mergeTracking(readTrackingPairs(checkout.metadata), person)
  const typed = splitName(checkout.customer_details?.name)
  return {
    ...person,
    ...tracking,
    visitedAt: checkout.created === null || checkout.created === undefined ? null : at(checkout.created),
    anonymousId: tracking.anonymousId ?? checkout.client_reference_id,
    email: checkout.customer_details?.email ?? person.email,
    phone: checkout.customer_details?.phone ?? person.phone,
    ...countryField(checkout.customer_details?.address?.country),
    firstName: typed.firstName ?? person.firstName,
    lastName: typed.lastName ?? person.lastName,
  }
}

/** The payment intents of a checkout: its own, or those of its expanded invoice. */
export function intentsOf(checkout: CheckoutSession): string[] {
  const intent = checkout.payment_intent
  const intentId = typeof intent === 'string' ? intent : intent?.id
  if (intentId !== undefined) return [intentId]
  const invoice = typeof checkout.invoice === 'string' ? null : checkout.invoice
  return (invoice?.payments?.data ?? []).flatMap(({ payment }) => payment.payment_intent ?? [])
}

export const PaymentIntent = z.looseObject({
  id: z.string().min(1),
  latest_charge: z.union([z.string(), Charge]).nullish(),
})

/** The expanded charge of a checkout. */
export function chargeOf(checkout: CheckoutSession): Charge | null {
  const intent = checkout.payment_intent
  const charge = typeof intent === 'string' ? null : intent?.latest_charge
  return typeof charge === 'string' ? null : (charge ?? null)
}

/** A failed or cancelled refund has amount 0, which reverses an earlier record with the same id. */
export function toRefund(refund: Refund): RefundRecord | null {
  if (refund.charge === null) return null
  const isVoid = refund.status === 'failed' || refund.status === 'canceled'
  return {
    type: 'refund',
    externalId: refund.id,
    paymentExternalId: refund.charge,
    occurredAt: at(refund.created),
    amount: toMoney(isVoid ? 0 : refund.amount, refund.currency),
    kind: 'refund',
    aside: fieldsAside(Refund, refund),
  }
}

export const disputedCharge = (dispute: Dispute): string =>
  typeof dispute.charge === 'string' ? dispute.charge : dispute.charge.id

/** A lost dispute is a refund, a won one has amount 0; open disputes and inquiries are none yet. */
export function toDisputeRefund(dispute: Dispute): RefundRecord | null {
  if (dispute.status !== 'lost' && dispute.status !== 'won') return null
  return {
    type: 'refund',
    externalId: dispute.id,
    paymentExternalId: disputedCharge(dispute),
    occurredAt: at(dispute.created),
    amount: toMoney(dispute.status === 'lost' ? dispute.amount : 0, dispute.currency),
    kind: 'dispute',
    aside: fieldsAside(Dispute, dispute),
  }
}
