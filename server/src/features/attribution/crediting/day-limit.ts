/**
 * How much money one day of a profile may hold, so that whatever a report sums is a safe integer: its ranges are at
 * most 366 days. Past it the largest amounts are set aside first, because a forged amount is worth sending only when it
 * is large: honest sales of the day go on being counted.
 */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { COUNTED } from './incremental/journeys.ts'

export const MAX_DAY_MINOR = 20_000_000_000_000
/** Below it in every kind of outcome, a day with up to a hundred kinds is within its limit. */
export const NEAR_DAY_LIMIT = MAX_DAY_MINOR / 100

const AT_ONCE = 1000

/** The events to set aside, so that the rest of the day is within its limit; of very many the first so many. */
export async function listPastLimit(tx: Tx, params: { profileId: string; day: string }): Promise<string[]> {
  const { profileId, day } = params
  const { rows } = await sql<{ event_id: string; amount_minor: number; total_minor: number }>`
    select event_id, sum(abs(report_value_minor))::bigint as amount_minor,
      (sum(sum(abs(report_value_minor))) over ())::bigint as total_minor
    from conversions
    where profile_id = ${profileId} and day = ${day}::date and ${sql.raw(COUNTED)}
      and report_value_minor <> 0
    group by event_id order by amount_minor desc, event_id limit ${AT_ONCE}`.execute(tx)
  return pastLimit(rows)
}

/** Pure: given the largest first. */
export function pastLimit(
  rows: readonly { event_id: string; amount_minor: number; total_minor: number }[],
): string[] {
  let left = rows[0]?.total_minor ?? 0
  const past: string[] = []
  for (const row of rows) {
    if (left <= MAX_DAY_MINOR) break
    left -= row.amount_minor
    past.push(row.event_id)
  }
  return past
}
