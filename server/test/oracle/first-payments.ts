/** Which of a customer's payments are first payments, following the rules literally. */

import { inOrder } from './credit.ts'
import { DAY } from './decimal.ts'
import { hasArrived, type Payment } from './outcomes.ts'

const GROUPED_MS = 7 * DAY

/** First payments by id: `isOpening` is false for the balance of a deposit. */
export function firstPayments(payments: readonly Payment[]): Map<string, { isOpening: boolean }> {
  const first = new Map<string, { isOpening: boolean }>()
  const ordered = inOrder(payments.filter((payment) => hasArrived(payment.status)))
  for (const [index, payment] of ordered.entries()) {
    if (payment.isInstallment) continue
    const tag = payment.subject
    const earlier = ordered.slice(0, index)
    if (tag === null && earlier.some((other) => other.subject !== null)) continue
    const opening = ordered.find((other) => other.subject === tag)!
    const beforeOpening = ordered.slice(0, ordered.indexOf(opening))
    if (opening.isInstallment || payment.at - opening.at > GROUPED_MS) continue
    if (beforeOpening.some((other) => tag === null || other.subject === null)) continue
    first.set(payment.id, { isOpening: opening === payment })
  }
  return first
}
