/**
 * Orders of the newer checkouts (`/v1/orders`, fields from the official client mercadopago 3.6.1, read
 * 2026-11-16). Payments of an order that the payments API also has are read there, so
 * that the search and the order report a payment under the same id.
 */
import { z } from 'zod'
import { decimalMoney } from '../amounts.ts'
import { ProviderError, type SyncRecord } from '../connector.ts'
import { emptyPerson, readReference } from '../person.ts'
import { fieldsAside } from '../provider-http.ts'
import { maybeId, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'

type PaymentRecord = Extract<SyncRecord, { type: 'payment' }>
type RefundRecord = Extract<SyncRecord, { type: 'refund' }>

const amount = z.union([z.number(), z.string()])

const OrderPayment = z.looseObject({
  id: z.string().min(1),
  reference_id: maybeId,
  status: text,
  amount,
  paid_amount: amount.nullish(),
})
type OrderPayment = z.infer<typeof OrderPayment>

export const Order = z.looseObject({
  id: z.string().min(1),
  user_id: maybeId,
  external_reference: text,
  currency: text,
  created_date: text,
  last_updated_date: text,
  payer: z.looseObject({ customer_id: maybeId, email: text, first_name: text, last_name: text }).nullish(),
  transactions: z
    .looseObject({
      payments: z.array(OrderPayment).nullish(),
      refunds: z
        .array(z.looseObject({ id: z.string().min(1), transaction_id: text, amount, status: text }))
        .nullish(),
    })
    .nullish(),
})
export type Order = z.infer<typeof Order>

/** The payments API's id of an order's payment; ids of the orders API start with letters. */
export const paymentIdOf = (payment: OrderPayment): string | null =>
  payment.reference_id !== null && /^\d+$/.test(payment.reference_id) ? payment.reference_id : null

export const paymentsOf = (order: Order): OrderPayment[] => order.transactions?.payments ?? []

function statusOf(status: string | null): PaymentRecord['status'] {
  switch (status) {
    case 'processed':
    case 'approved':
    case 'refunded':
    case 'partially_refunded':
      return 'succeeded'
    case 'charged_back':
    case 'in_mediation':
      return 'disputed'
    case 'failed':
    case 'rejected':
    case 'canceled':
    case 'cancelled':
    case 'expired':
      return 'failed'
    default:
      return 'pending'
  }
}

/** Records of a payment that only the order contains, with its refunds. `currency` is the account's, for orders without one. */
export function toOrderRecords(
  order: Order,
  payment: OrderPayment,
  currency: string | null,
): (PaymentRecord | RefundRecord)[] {
  const code = (order.currency ?? currency)?.toUpperCase()
  const createdAt = toInstant(order.created_date)
  if (code === undefined || createdAt === null)
    throw new ProviderError('malformed', 'The order has no currency or no valid time')
  const changedAt = toInstant(order.last_updated_date) ?? createdAt
  // Orders have no metadata; the reference is the only field for the visitor.
  const { shopReference: orderId, anonymousId } = readReference(order.external_reference)
  const refunds = (order.transactions?.refunds ?? []).filter(
    ({ transaction_id: paymentId }) => paymentId === payment.id,
  )
  return [
    {
      type: 'payment',
      externalId: payment.id,
      occurredAt: createdAt,
      amount: decimalMoney(payment.paid_amount ?? payment.amount, code),
      status: statusOf(payment.status),
      person: {
        ...emptyPerson(),
        anonymousId,
        contactId: order.payer?.customer_id ?? null,
        email: order.payer?.email ?? null,
        firstName: order.payer?.first_name ?? null,
        lastName: order.payer?.last_name ?? null,
        visitedAt: createdAt,
      },
      orderId,
      aside: fieldsAside(Order, order),
    },
    ...refunds.map(
      (refund): RefundRecord => ({
        type: 'refund',
        externalId: refund.id,
        paymentExternalId: payment.id,
        occurredAt: changedAt,
        amount: isReturned(refund.status)
          ? decimalMoney(refund.amount, code)
          : { amountMinor: 0, currency: code },
        kind: 'refund',
      }),
    ),
  ]
}

const isReturned = (status: string | null) =>
  status === null || status === 'processed' || status === 'approved'
