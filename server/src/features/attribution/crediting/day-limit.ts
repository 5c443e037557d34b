/**
 * Limit of the money of one day of a profile, so that every sum of a report (at most 366 days) is a safe integer. Above
 * the limit the largest amounts are set aside first: a forged amount is only useful if it is large, so genuine sales of
 * the day still count.
 */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { COUNTED } from './incremental/journeys.ts'

export const MAX_DAY_MINOR = 20_000_000_000_000
/** If every kind of outcome is below this, a day with up to 100 kinds is within the limit. */
export const NEAR_DAY_LIMIT = MAX_DAY_MINOR / 100

const MAX_EVENTS = 1000

/** The events to set aside so that the day is within its limit, at most `MAX_EVENTS` per call. */
export async function listEventsOverDayLimit(
  tx: Tx,
  params: { profileId: string; day: string },
): Promise<string[]> {
  const { profileId, day } = params
  const { rows } = await sql<{ event_id: string; amount_minor: number; total_minor: number }>`
    select event_id, sum(abs(report_value_minor))::bigint as amount_minor,
      (sum(sum(abs(report_value_minor))) over ())::bigint as total_minor
    from conversions
    where profile_id = ${profileId} and day = ${day}::date and ${sql.raw(COUNTED)}
      and report_value_minor <> 0
    group by event_id order by amount_minor desc, event_id limit ${MAX_EVENTS}`.execute(tx)
  return overDayLimit(rows)
}

/** Pure. Expects the largest amounts first. */
export function overDayLimit(
  rows: readonly { event_id: string; amount_minor: number; total_minor: number }[],
): string[] {
  let remainingMinor = rows[0]?.total_minor ?? 0
  const eventIds: string[] = []
  for (const row of rows) {
    if (remainingMinor <= MAX_DAY_MINOR) break
    remainingMinor -= row.amount_minor
    eventIds.push(row.event_id)
  }
  return eventIds
}
