/** What the payments routes accept: pure checks, each refusal with the code that the catalogue gives it. */
import { ApiError } from '../../contract/errors.ts'
import { isUuid } from '../../contract/ids.ts'
import { parseMoney } from '../../contract/money.ts'
import { decodeCursor } from '../../contract/page.ts'

export type TimeRange = { from: Date; to: Date }

export function readStatus(status: string | undefined): 'all' | 'unidentified' {
  if (status === undefined || status === 'all') return 'all'
  if (status === 'unidentified') return status
  throw new ApiError('status_invalid', 'status: must be all or unidentified.')
}

const instantForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

export function readTimes(query: { from?: string | undefined; to?: string | undefined }): TimeRange {
  const [from, to] = [readInstant(query.from), readInstant(query.to)]
  if (from === undefined || to === undefined || from > to)
    throw new ApiError('range_invalid', 'from and to must both be timestamps, from not after to.')
  return { from, to }
}

function readInstant(text: string | undefined): Date | undefined {
  if (text === undefined || !instantForm.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

export type After = { occurredAt: Date; id: string }

export function readCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null
  const [time, id] = decodeCursor(cursor) ?? []
  if (typeof time !== 'string' || typeof id !== 'string' || !isUuid(id) || Number.isNaN(Date.parse(time)))
    throw new ApiError('invalid_parameter', 'cursor: not one that this route gave.')
  return { occurredAt: new Date(time), id }
}

/** More than nothing and no more than the provider left. */
export function readRefundAmount(amount: number | string, currency: string, leftMinor: number): number {
  const parsed = parseMoney(amount, currency)
  if (!parsed.ok || parsed.amountMinor <= 0 || parsed.amountMinor > leftMinor)
    throw new ApiError(
      'amount_invalid',
      'amount: must be more than 0 and at most the payment’s value minus what the provider gave back.',
    )
  return parsed.amountMinor
}

/** After the payment, where it is known, and not ahead of now. */
export function checkRefundTime(refundedAt: string | undefined, paidAt: Date | null, now: Date): Date {
  const occurredAt = refundedAt === undefined ? now : new Date(refundedAt)
  if ((paidAt !== null && occurredAt < paidAt) || occurredAt > now)
    throw new ApiError('validation_error', 'refunded_at: must lie between the payment and now.')
  return occurredAt
}

const refForm = /^[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,128}$/

/** The reference that a gateway payment is kept by. */
export function gatewayRef(merchantId: string, paymentId: string): string {
  const ref = `${merchantId}:${paymentId}`
  if (!refForm.test(ref))
    throw new ApiError(
      'payment_ref_invalid',
      'merchant_id and payment_id must be letters, digits, dots, _ and -.',
    )
  return ref
}
