/** Validates the input of the payments routes. Pure; each refusal has its code of the error catalogue. */
import { parseMoney } from '../../../platform/contract/money.ts'
import { readTimeCursor } from '../../../platform/contract/page.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'

export type TimeRange = { from: Date; to: Date }

export function readStatus(status: string | undefined): 'all' | 'unidentified' | Refusal {
  if (status === undefined || status === 'all') return 'all'
  if (status === 'unidentified') return status
  return new Refusal('status_invalid', 'must be all or unidentified.', { field: 'status' })
}

const instantForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

const timeRule = 'must be a time with a time zone, such as 2026-05-01T00:00:00Z, or a day.'

export function readTimes(query: {
  from?: string | undefined
  to?: string | undefined
}): TimeRange | Refusal {
  const [from, to] = [readInstant(query.from), readInstant(query.to)]
  const invalid = (field: 'from' | 'to', problem: string) => new Refusal('range_invalid', problem, { field })
  if (from === undefined) return invalid('from', timeRule)
  if (to === undefined) return invalid('to', timeRule)
  if (from > to) return invalid('to', 'must not be before from.')
  return { from, to }
}

function readInstant(text: string | undefined): Date | undefined {
  if (text === undefined || !instantForm.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

export type PageCursor = { occurredAt: Date; id: string }

export function readCursor(cursor: string | undefined): PageCursor | null | Refusal {
  const position = readTimeCursor(cursor)
  return position === null || position instanceof Refusal
    ? position
    : { occurredAt: position.at, id: position.id }
}

/** Parses a refund amount: more than 0, at most the part that the provider has not refunded. */
export function readRefundAmount(
  amount: number | string,
  currency: string,
  refundableMinor: number,
): number | Refusal {
  const parsed = parseMoney(amount, currency)
  if (!parsed.ok || parsed.amountMinor <= 0 || parsed.amountMinor > refundableMinor)
    return new Refusal(
      'amount_invalid',
      'must be more than 0 and at most the payment’s value minus the refunds of the provider.',
      { field: 'amount' },
    )
  return parsed.amountMinor
}

/** Parses the refund's time: not in the future, and not before the payment if its time is known. */
export function readRefundTime(
  refundedAt: string | undefined,
  paidAt: Date | null,
  now: Date,
): Date | Refusal {
  const occurredAt = refundedAt === undefined ? now : new Date(refundedAt)
  if ((paidAt !== null && occurredAt < paidAt) || occurredAt > now)
    return new Refusal('validation_error', 'must be between the time of the payment and now.', {
      field: 'refunded_at',
    })
  return occurredAt
}

const refForm = /^[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,128}$/

/** The external id of a gateway payment. */
export function gatewayRef(merchantId: string, paymentId: string): string | Refusal {
  const ref = `${merchantId}:${paymentId}`
  if (!refForm.test(ref))
    return new Refusal(
      'payment_ref_invalid',
      'merchant_id and payment_id must be letters, digits, dots, _ and -.',
    )
  return ref
}
