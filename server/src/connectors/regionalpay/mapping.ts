/**
 * Maps regionalpay payments (Mercado Pago's public API) to records. Amounts are decimals of the
 * payment's currency; refunds and chargebacks are part of the payment.
 */
import { z } from 'zod'
import { decimalMoney, decimalToMinor } from '../amounts.ts'
import { type PersonRecord, ProviderError, type SyncRecord } from '../connector.ts'
import { countryField, emptyPerson, readReference, readTrackingPairs } from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { id, maybeId, scalarPairs, text } from '../reply-fields.ts'
import { parsedOrSetAside } from '../set-aside.ts'
import { toInstant } from '../window.ts'

type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type RefundRecord = Extract<SyncRecord, { type: 'refund' }>

const amount = z.union([z.number(), z.string()])

const Phone = z
  .looseObject({ area_code: maybeId, number: maybeId })
  .nullish()
  .transform((phone) => (phone?.number ? `${phone.area_code ?? ''}${phone.number}` : null))

const Payer = z
  .looseObject({ id: maybeId, email: text, first_name: text, last_name: text, phone: Phone })
  .nullish()
  .transform((payer) => payer ?? null)

const RefundPart = z.looseObject({ id, amount, date_created: text, status: text })

export const Payment = z.looseObject({
  id,
  date_created: z.string(),
  date_approved: text,
  date_last_updated: text,
  status: z.string(),
  status_detail: text,
  currency_id: z.string().length(3),
  transaction_amount: amount,
  transaction_amount_refunded: amount.nullish(),
  operation_type: text,
  collector_id: maybeId,
  external_reference: text,
  metadata: scalarPairs,
  payer: Payer,
  additional_info: z.looseObject({ payer: Payer }).nullish(),
  refunds: z
    .array(RefundPart)
    .nullish()
    .transform((refunds) => refunds ?? []),
})
export type Payment = z.infer<typeof Payment>

export const PaymentSearch = z.looseObject({
  paging: z.looseObject({ total: z.number().int(), limit: z.number().int(), offset: z.number().int() }),
  results: z.array(parsedOrSetAside('payment', Payment)),
})

/**
 * Operations in which a buyer pays the seller. The others move the account's own money: funding it,
 * transfers, investments, card validations. Values from public integrations, 2026-11-16; the
 * platform publishes no complete list, so unknown values do not count as income.
 */
const saleOperations = new Set(['regular_payment', 'recurring_payment', 'pos_payment', 'payment_addition'])

/** The API also returns payments made by the account; only payments of others to this account are income. */
export function isIncome(payment: Payment, accountId: string): boolean {
  if (payment.operation_type !== null && !saleOperations.has(payment.operation_type)) return false
  if (payment.collector_id !== null && payment.collector_id !== accountId) return false
  return payment.payer?.id !== accountId
}

/** Search results omit refunds, which is detected by the refunded total. */
export function lacksRefunds(payment: Payment): boolean {
  const currency = payment.currency_id.toUpperCase()
  const listedTotal = toRefunds(payment).reduce((sum, { amount }) => sum + amount.amountMinor, 0)
  return decimalToMinor(payment.transaction_amount_refunded ?? 0, currency) > listedTotal
}

function paymentStatus(payment: Payment): PaymentRecord['status'] {
  switch (payment.status) {
    case 'approved':
    case 'refunded':
      return 'succeeded'
    case 'in_mediation':
      return 'disputed'
    case 'charged_back':
      return payment.status_detail === 'reimbursed' ? 'succeeded' : 'disputed'
    case 'rejected':
    case 'cancelled':
      return 'failed'
    default:
      return 'pending'
  }
}

function instant(time: string | null): string {
  const at = toInstant(time)
  if (at === null) throw new ProviderError('malformed', 'The payment has no valid time')
  return at
}

/** The provider masks some email addresses; masked values are dropped. */
const email = (value: string | null | undefined) => (value?.includes('@') ? value : null)

function toPerson(payment: Payment): PersonRecord {
  const typed = payment.additional_info?.payer ?? null
  const tracking = readTrackingPairs(payment.metadata)
  return {
    ...emptyPerson(),
    ...tracking,
    anonymousId: tracking.anonymousId ?? readReference(payment.external_reference).anonymousId,
    contactId: payment.payer?.id ?? null,
    email: email(payment.payer?.email) ?? email(typed?.email),
    phone: payment.payer?.phone ?? typed?.phone ?? null,
    // Each country has its own site and currency; phone numbers have no country code.
    ...countryField(payment.currency_id.slice(0, 2)),
    firstName: payment.payer?.first_name ?? typed?.first_name ?? null,
    lastName: payment.payer?.last_name ?? typed?.last_name ?? null,
    externalId: payment.metadata.external_id ?? payment.metadata.user_id ?? null,
    // The payment is created in the checkout, which may be days before the money arrives.
    visitedAt: instant(payment.date_created),
  }
}

export function toPayment(payment: Payment): PaymentRecord {
  const currency = payment.currency_id.toUpperCase()
  return {
    type: 'payment',
    externalId: payment.id,
    occurredAt: instant(payment.date_approved ?? payment.date_created),
    amount: decimalMoney(payment.transaction_amount, currency),
    status: paymentStatus(payment),
    person: toPerson(payment),
    orderId: readReference(payment.external_reference).shopReference,
    aside: fieldsAside(Payment, payment),
  }
}

/** Refunds that are not approved have amount 0, so that a later rejection reverses an earlier record. */
function toRefunds(payment: Payment): RefundRecord[] {
  const currency = payment.currency_id.toUpperCase()
  return payment.refunds.map((refund) => ({
    type: 'refund',
    externalId: refund.id,
    paymentExternalId: payment.id,
    occurredAt: instant(refund.date_created ?? payment.date_last_updated ?? payment.date_created),
    amount:
      refund.status === null || refund.status === 'approved'
        ? decimalMoney(refund.amount, currency)
        : { amountMinor: 0, currency },
    kind: 'refund',
  }))
}

/** A settled chargeback takes the amount that was not refunded; a reimbursed one takes nothing. */
function toChargeback(payment: Payment, payable: number, refunded: number): RefundRecord[] {
  if (payment.status !== 'charged_back') return []
  if (payment.status_detail !== 'settled' && payment.status_detail !== 'reimbursed') return []
  return [
    {
      type: 'refund',
      externalId: `${payment.id}-chargeback`,
      paymentExternalId: payment.id,
      occurredAt: instant(payment.date_last_updated ?? payment.date_created),
      amount: {
        amountMinor: payment.status_detail === 'settled' ? payable - refunded : 0,
        currency: payment.currency_id.toUpperCase(),
      },
      kind: 'dispute',
    },
  ]
}

export function toRecords(payment: Payment): (PaymentRecord | RefundRecord)[] {
  const paid = toPayment(payment)
  const refunds = toRefunds(payment)
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount.amountMinor, 0)
  return [paid, ...refunds, ...toChargeback(payment, paid.amount.amountMinor, refunded)]
}
