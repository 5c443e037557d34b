/** How much of the reported refunds counts: never more than the payment, whatever order things came in. */
import type { RateTable } from '../../facts/fx/rates.ts'

export type ReportedRefund = {
  id: string
  occurredAt: Date
  /** In the profile's time zone; rates are this day's. */
  day: string
  reportedMinor: number
  currency: string
}

export type RefundedPayment = { valueMinor: number; currency: string; status: string }

export type CountedRefund = {
  id: string
  /** What counts, in the refund's own currency. */
  amountMinor: number
  /** The same in the payment's currency. */
  countedMinor: number
  /** No rate between the two currencies is known yet: it counts once there is one. */
  isWaiting: boolean
}

/** Only money that arrived can be given back. */
export const isRefundable = (status: string): boolean => status === 'succeeded' || status === 'disputed'

/** In the order of time; the ones that come after the payment is used up count as nothing. */
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
