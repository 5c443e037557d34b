/**
 * Checks that a report can be computed as of an earlier time: the time must be after the restatement ledger began, and
 * the report's days must have been closed by then.
 */
import type { DateRange } from '../../../platform/contract/dates.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { closedThrough, DEFAULT_GRACE_HOURS, HOUR_MS } from '../../facts/restatements/closed-days.ts'
import { isThinned, ledgerStart } from './queries/ledger-start.ts'

const unavailable = (problem: string, hint: string, field: string) =>
  new Refusal('invalid_parameter', problem, { field, hint })

type Context = { profile: { id: string; timezone: string }; now: Date }

export async function requireAsOfAvailable(
  tx: Tx,
  context: Context,
  range: Pick<DateRange, 'to'>,
  asOf: Date,
  field = 'as_of',
): Promise<void> {
  const { id: profileId, timezone } = context.profile
  if (asOf > context.now) throw toError(unavailable('is in the future.', 'Use a time up to now.', field))
  const { since, longest_grace_hours: longest } = await ledgerStart(tx, { profileId })
  if (asOf < since)
    throw toError(
      unavailable(
        `is before ${since.toISOString()}, when recording of changes to past days began.`,
        'Use a later time.',
        field,
      ),
    )
  const lastClosed = closedThrough(asOf, timezone, longest ?? DEFAULT_GRACE_HOURS)
  if (range.to > lastClosed)
    throw toError(
      unavailable(
        `is before ${range.to} was closed; days stay open for late events.`,
        `Use a date_to up to ${lastClosed}, or a later time.`,
        field,
      ),
    )
  const { start, end } = dayBounds(localDay(asOf, timezone), timezone)
  if (asOf > start && (await isThinned(tx, { profileId, after: asOf, before: end })))
    throw toError(
      unavailable(
        'is within a day whose changes are stored only as a daily sum.',
        `Use ${start.toISOString()} or ${end.toISOString()}.`,
        field,
      ),
    )
}

/** When the last day of the range was closed, or the ledger began if that is later; undefined while the day is open. */
export async function rangeClosedAt(
  tx: Tx,
  context: Context,
  range: Pick<DateRange, 'to'>,
): Promise<Date | undefined> {
  const { id: profileId, timezone } = context.profile
  const { since, longest_grace_hours: longest } = await ledgerStart(tx, { profileId })
  const grace = (longest ?? DEFAULT_GRACE_HOURS) * HOUR_MS
  const closing = new Date(dayBounds(range.to, timezone).end.getTime() + grace)
  const available = closing > since ? closing : since
  if (available > context.now) return undefined
  const { start, end } = dayBounds(localDay(available, timezone), timezone)
  const isSummed = available > start && (await isThinned(tx, { profileId, after: available, before: end }))
  return isSummed ? end : available
}
