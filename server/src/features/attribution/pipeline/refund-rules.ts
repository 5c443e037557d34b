/** Caps the reported refunds at the value of the payment, independent of the order in which they arrive. */
import type { RateTable } from '../../facts/fx/rates.ts'

export type ReportedRefund = {
  id: string
  occurredAt: Date
  /** In the profile's time zone; exchange rates are of this day. */
  day: string
  reportedMinor: number
  currency: string
}

export type RefundedPayment = { valueMinor: number; currency: string; status: string }

export type CountedRefund = {
  id: string
  /** Counted amount in the refund's currency. */
  amountMinor: number
  /** The same in the payment's currency. */
  countedMinor: number
  /** The exchange rate between the two currencies is missing; the refund counts once it arrives. */
  isWaiting: boolean
}

/** Only received money can be refunded. */
export const isRefundable = (status: string): boolean => status === 'succeeded' || status === 'disputed'

/** Counts refunds in order of time until the value of the payment is used up; later ones count 0. */
export function countRefunds(
  payment: RefundedPayment,
  refunds: readonly ReportedRefund[],
  rates: RateTable,
): CountedRefund[] {
  let leftMinor = isRefundable(payment.status) ? payment.valueMinor : 0
  const inOrder = refunds.toSorted(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.id < b.id ? -1 : 1),
  )
  return inOrder.map((refund) => {
    const { id, reportedMinor, currency, day } = refund
    const inPayment = rates.convert(reportedMinor, currency, payment.currency, day)
    if (inPayment === undefined) return { id, amountMinor: reportedMinor, countedMinor: 0, isWaiting: true }
    const countedMinor = Math.min(inPayment, leftMinor)
    leftMinor -= countedMinor
    const amountMinor =
      countedMinor === inPayment
        ? reportedMinor
        : Math.min(reportedMinor, rates.convert(countedMinor, payment.currency, currency, day) ?? 0)
    return { id, amountMinor, countedMinor, isWaiting: false }
  })
}
