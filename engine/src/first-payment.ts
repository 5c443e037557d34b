/**
 * Determines the first payments of one customer, from all payments of the customer. A tagged payment (with a subject) is
 * compared within its subject, an untagged one within the customer. Pure.
 */
import { DAY_MS } from './models.ts'
import { compareRecorded } from './order.ts'

export type Payment = {
  id: string
  occurredAt: number
  recordedAt: number
  subjectRef: string | null
  source: 'events' | 'integration'
  isInstallment: boolean
}

/** Payments within this time of the opening payment (deposit and balance) are one first payment. */
export const FIRST_PAYMENT_GROUP_MS = 7 * DAY_MS

type Opening = { at: number; isFirst: boolean; id: string }

/** First payments by id: the opening payment and its balance. The order of the input does not matter. */
export function firstPayments(payments: readonly Payment[]): Map<string, 'opens' | 'balance'> {
  const first = new Map<string, 'opens' | 'balance'>()
  const subjects = new Map<string, Opening>()
  let customer: Opening | undefined
  for (const payment of payments.toSorted(compareRecorded)) {
    const subject = payment.source === 'events' ? payment.subjectRef : null
    const { id, occurredAt: at } = payment
    let opening: Opening
    if (subject === null) {
      // The first of all payments opens the customer; an untagged payment after a tagged one cannot be first.
      customer ??= { id, at, isFirst: !payment.isInstallment }
      opening = subjects.size === 0 ? customer : { id, at, isFirst: false }
    } else {
      // An earlier untagged payment may have been of this subject, so the subject counts as returning.
      const isNew = !payment.isInstallment && customer === undefined
      opening = subjects.get(subject) ?? { id, at, isFirst: isNew }
      subjects.set(subject, opening)
    }
    const isGrouped = at - opening.at <= FIRST_PAYMENT_GROUP_MS
    if (opening.isFirst && isGrouped && !payment.isInstallment)
      first.set(id, opening.id === id ? 'opens' : 'balance')
  }
  return first
}
