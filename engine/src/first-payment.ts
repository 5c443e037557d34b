/**
 * Which of one customer's payments are first payments: the pure rules, over all of the customer's payments at once.
 * A tagged payment (it names its subject) is judged within its subject, an untagged one within the customer.
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

/** A deposit and its balance this close together are one first payment. */
export const FIRST_PAYMENT_GROUP_MS = 7 * DAY_MS

type Opening = { at: number; isFirst: boolean; id: string }

/** The first payments by id, what opens one and its balance; the order of the input does not matter. */
export function firstPayments(payments: readonly Payment[]): Map<string, 'opens' | 'balance'> {
  const first = new Map<string, 'opens' | 'balance'>()
  const subjects = new Map<string, Opening>()
  let customer: Opening | undefined
  for (const payment of payments.toSorted(compareRecorded)) {
    const subject = payment.source === 'events' ? payment.subjectRef : null
    const { id, occurredAt: at } = payment
    let opening: Opening
    if (subject === null) {
      // The first payment of all opens the customer; after a tagged one, no untagged payment can be first.
      customer ??= { id, at, isFirst: !payment.isInstallment }
      opening = subjects.size === 0 ? customer : { id, at, isFirst: false }
    } else {
      // An earlier untagged payment may have been this subject's, so it makes the subject a returning one.
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
