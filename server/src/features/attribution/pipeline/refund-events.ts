/** Refunds that senders report as events, and which payments of the order they reduce by how much. Pure. */
import { REFUND_EVENT } from '../../facts/events/name-rules.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { isRefundable } from './refund-rules.ts'

export type RefundReport = {
  eventId: string
  orderRef: string
  keyedPaymentId: string
  occurredAt: Date
  /** Null: everything that is left. */
  amountMinor: number | null
  currency: string | null
  byBrowser: boolean
}

/** A payment that an event reported. Providers report the refunds of their own payments. */
export type ReportedPayment = {
  id: string
  occurredAt: Date
  valueMinor: number
  currency: string
  status: string
  byBrowser: boolean
}

export type RefundPart = { eventId: string; paymentId: string; amountMinor: number; currency: string }

export function refundReportOf(event: StoredEvent): RefundReport | undefined {
  const { order_ref: orderRef, refund_of: keyedPaymentId, money, retracted } = event.body
  if (event.name !== REFUND_EVENT || event.isBot || retracted === true) return undefined
  if (orderRef === undefined || keyedPaymentId === undefined) return undefined
  return {
    eventId: event.id,
    orderRef,
    keyedPaymentId,
    occurredAt: event.occurredAt,
    amountMinor: money?.minor ?? null,
    currency: money?.currency ?? null,
    byBrowser: event.source === 'tracker',
  }
}

const byTime = (a: { occurredAt: Date }, b: { occurredAt: Date }) =>
  a.occurredAt.getTime() - b.occurredAt.getTime()

/**
 * Divides the refunds of an order among its payments, both in order of time, so that the order of arrival does not matter.
 * What exceeds all payments stays with the last one, where it is capped. Browsers refund only what browsers reported:
 * anyone can send with the public key of a page.
 */
export function divideRefunds(
  refunds: readonly RefundReport[],
  payments: readonly ReportedPayment[],
): RefundPart[] {
  const refundable = payments
    .filter((payment) => isRefundable(payment.status))
    .toSorted((a, b) => byTime(a, b) || (a.id < b.id ? -1 : 1))
  const left = new Map(refundable.map((payment) => [payment.id, payment.valueMinor]))
  return refunds
    .toSorted((a, b) => byTime(a, b) || (a.eventId < b.eventId ? -1 : 1))
    .flatMap((refund) => {
      const open = refundable.filter((payment) => payment.byBrowser || !refund.byBrowser)
      const { eventId } = refund
      if (refund.amountMinor === null)
        return open.flatMap(({ id, currency }) => {
          const amountMinor = left.get(id)!
          left.set(id, 0)
          return amountMinor === 0 ? [] : [{ eventId, paymentId: id, amountMinor, currency }]
        })
      return divide(refund.amountMinor, refund.currency!, open, left).map((part) => ({ ...part, eventId }))
    })
}

/** A payment in another currency takes all that remains: it is converted when it is counted. */
function divide(
  amountMinor: number,
  currency: string,
  payments: readonly ReportedPayment[],
  left: Map<string, number>,
): Omit<RefundPart, 'eventId'>[] {
  const parts: Omit<RefundPart, 'eventId'>[] = []
  let restMinor = amountMinor
  for (const [at, payment] of payments.entries()) {
    const open = left.get(payment.id)!
    const isLast = at === payments.length - 1
    const partMinor =
      isLast || payment.currency !== currency
        ? open > 0 || isLast
          ? restMinor
          : 0
        : Math.min(restMinor, open)
    if (partMinor === 0) continue
    parts.push({ paymentId: payment.id, amountMinor: partMinor, currency })
    left.set(payment.id, payment.currency === currency ? Math.max(0, open - partMinor) : 0)
    restMinor -= partMinor
    if (restMinor === 0) break
  }
  return parts
}
