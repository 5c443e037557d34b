/** Whether a report as it was is known: from the profile's first ledger day on, for days that were closed then. */
import type { DateRange } from '../../../platform/contract/dates.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { closedThrough, DEFAULT_GRACE_HOURS, HOUR_MS } from '../../facts/restatements/closed-days.ts'
import { isThinned, ledgerStart } from './queries/ledger-start.ts'

const unknown = (problem: string, hint: string, field: string) =>
  new Refusal('invalid_parameter', problem, { field, hint })

type Context = { profile: { id: string; timezone: string }; now: Date }

export async function requireKnown(
  tx: Tx,
  context: Context,
  range: Pick<DateRange, 'to'>,
  asOf: Date,
  field = 'as_of',
): Promise<void> {
  const { id: profileId, timezone } = context.profile
  if (asOf > context.now) throw toError(unknown('is in the future.', 'Use a time up to now.', field))
  const { since, longest_grace_hours: longest } = await ledgerStart(tx, { profileId })
  if (asOf < since)
    throw toError(
      unknown(
        `is before ${since.toISOString()}, from when on changes of past days are recorded.`,
        'Use a later time.',
        field,
      ),
    )
  const lastClosed = closedThrough(asOf, timezone, longest ?? DEFAULT_GRACE_HOURS)
  if (range.to > lastClosed)
    throw toError(
      unknown(
        `is before ${range.to} was closed; days stay open for late events.`,
        `Use a date_to up to ${lastClosed}, or a later time.`,
        field,
      ),
    )
  const { start, end } = dayBounds(localDay(asOf, timezone), timezone)
  if (asOf > start && (await isThinned(tx, { profileId, after: asOf, before: end })))
    throw toError(
      unknown(
        `is within a day whose changes are kept in sum only.`,
        `Use ${start.toISOString()} or ${end.toISOString()}.`,
        field,
      ),
    )
}

/** When the last day of the range was closed, or the record began; undefined while it is open. */
export async function closingOf(
  tx: Tx,
  context: Context,
  range: Pick<DateRange, 'to'>,
): Promise<Date | undefined> {
  const { id: profileId, timezone } = context.profile
  const { since, longest_grace_hours: longest } = await ledgerStart(tx, { profileId })
  const grace = (longest ?? DEFAULT_GRACE_HOURS) * HOUR_MS
  const closing = new Date(dayBounds(range.to, timezone).end.getTime() + grace)
  const known = closing > since ? closing : since
  if (known > context.now) return undefined
  const { start, end } = dayBounds(localDay(known, timezone), timezone)
  const isSummed = known > start && (await isThinned(tx, { profileId, after: known, before: end }))
  return isSummed ? end : known
}
