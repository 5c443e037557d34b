/**
 * Cardpay objects (Stripe's public API) to plain records. Amounts come in the provider's own minor
 * units, which differ from ISO 4217 for a few currencies; times are Unix seconds.
 */
import { z } from 'zod'
import { rescaleMinor } from '../amounts.ts'
import type { Money, PaymentRecord, PersonRecord, RefundRecord } from '../connector.ts'
import { emptyPerson, mergeTracking, readTrackingPairs, splitName } from '../person.ts'
import { flag, scalarPairs, text } from '../reply-fields.ts'

/** Currencies the provider counts in whole units, whatever ISO 4217 says. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '))

/** ISK and UGX have no minor unit, yet the provider counts them in hundredths. */
export function cardpayExponent(currency: string): number {
  if (zeroDecimal.has(currency)) return 0
  return threeDecimal.has(currency) ? 3 : 2
}

export function toMoney(amount: number, currency: string): Money {
  const code = currency.toUpperCase()
  return { amountMinor: rescaleMinor(amount, cardpayExponent(code), code), currency: code }
}

const seconds = z.number().int().nonnegative()
const at = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

/** A field that holds an id, or the object itself where it was asked to be expanded. */
const reference = z
  .union([z.string(), z.looseObject({ id: z.string() }).transform((object) => object.id)])
  .nullish()
  .transform((value) => value ?? null)

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
    .looseObject({ email: text, phone: text, name: text })
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

export const CheckoutSession = z.looseObject({
  id: z.string().min(1),
  client_reference_id: text,
  metadata: scalarPairs,
  customer_details: z
    .looseObject({ email: text, phone: text, name: text })
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
    ...splitName(charge.billing_details?.name),
    externalId: charge.metadata.external_id ?? charge.metadata.user_id ?? null,
  }
}

function paymentStatus(charge: Charge): PaymentRecord['status'] {
  if (charge.status !== 'succeeded') return charge.status
  if (charge.captured === false) return 'pending'
  return charge.disputed === true ? 'disputed' : 'succeeded'
}

export function toPayment(charge: Charge): PaymentRecord {
  const taken = charge.captured === false ? charge.amount : (charge.amount_captured ?? charge.amount)
  return {
    type: 'payment',
    externalId: charge.id,
    occurredAt: at(charge.created),
    amount: toMoney(taken, charge.currency),
    status: paymentStatus(charge),
    person: chargePerson(charge),
    orderId: charge.metadata.order_id ?? null,
  }
}

/** The same payment again, now with what only the checkout knew: the visitor's id and the typed details. */
export function toSessionPayment(session: CheckoutSession): PaymentRecord | null {
  const intent = session.payment_intent
  if (intent === null || intent === undefined || typeof intent === 'string') return null
  const charge = intent.latest_charge
  if (charge === null || charge === undefined || typeof charge === 'string') return null
  const payment = toPayment(charge)
  const tracking = mergeTracking(
    readTrackingPairs({ ...intent.metadata, ...session.metadata }),
    payment.person,
  )
  const typed = splitName(session.customer_details?.name)
  return {
    ...payment,
    orderId: payment.orderId ?? session.metadata.order_id ?? intent.metadata.order_id ?? null,
    person: {
      ...payment.person,
      ...tracking,
      anonymousId: tracking.anonymousId ?? session.client_reference_id,
      email: session.customer_details?.email ?? payment.person.email,
      phone: session.customer_details?.phone ?? payment.person.phone,
      firstName: typed.firstName ?? payment.person.firstName,
      lastName: typed.lastName ?? payment.person.lastName,
    },
  }
}

/** A refund that failed or was cancelled gave nothing back: amount 0 undoes what was recorded under its id. */
export function toRefund(refund: Refund): RefundRecord | null {
  if (refund.charge === null) return null
  const gone = refund.status === 'failed' || refund.status === 'canceled'
  return {
    type: 'refund',
    externalId: refund.id,
    paymentExternalId: refund.charge,
    occurredAt: at(refund.created),
    amount: toMoney(gone ? 0 : refund.amount, refund.currency),
    kind: 'refund',
  }
}

const openDispute = new Set(['needs_response', 'under_review'])

/**
 * A lost dispute takes the money; a won one gives it back (amount 0). While it is open the payment
 * is `disputed`; an inquiry (`warning_…`) takes no money and changes nothing.
 */
export function toDisputeRecords(dispute: Dispute): (PaymentRecord | RefundRecord)[] {
  const records: (PaymentRecord | RefundRecord)[] = []
  const chargeId = typeof dispute.charge === 'string' ? dispute.charge : dispute.charge.id
  const open = openDispute.has(dispute.status)
  if (typeof dispute.charge !== 'string') {
    const payment = toPayment(dispute.charge)
    const settled = payment.status === 'disputed' && !open && dispute.status !== 'lost'
    records.push(settled ? { ...payment, status: 'succeeded' } : payment)
  }
  if (dispute.status === 'lost' || dispute.status === 'won') {
    records.push({
      type: 'refund',
      externalId: dispute.id,
      paymentExternalId: chargeId,
      occurredAt: at(dispute.created),
      amount: toMoney(dispute.status === 'lost' ? dispute.amount : 0, dispute.currency),
      kind: 'dispute',
    })
  }
  return records
}
