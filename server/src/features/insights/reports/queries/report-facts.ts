import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'
import { waiting } from './freshness.ts'

export type ReportFacts = Waiting & {
  cash_minor: number
  fx_missing: number
  /** Payments and refunds without a rate, which `cash_minor` leaves out. */
  cash_fx_missing: number
  /** Null where the profile keeps to the usual settings. */
  lookback_days: number | null
  first_touch_lookback_days: number | null
}

/** What a report says of itself, in one question: the profile's own sums, counted apart from any credit, the settings that the figures were made with, and what it does not hold yet. */
export async function readReportFacts(
  db: Db | Tx,
  params: { profileId: string; range: DateRange },
): Promise<ReportFacts> {
  const { profileId, range } = params
  const { rows } = await sql<ReportFacts>`
    select t.cash_minor, t.fx_missing, t.cash_fx_missing, coalesce(s.applied_lookback_days, s.lookback_days) as lookback_days,
      coalesce(s.applied_first_touch_lookback_days, s.first_touch_lookback_days) as first_touch_lookback_days, ${waiting(profileId)}
    from (
      select coalesce(sum(value_minor) filter (where revenue_type = 'cash'), 0)::bigint as cash_minor,
        coalesce(sum(fx_missing), 0)::bigint as fx_missing,
        coalesce(sum(fx_missing) filter (where revenue_type = 'cash'), 0)::bigint as cash_fx_missing
      from conversion_daily
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date) t
    left join attribution_settings s on s.profile_id = ${profileId}`.execute(db)
  return rows[0]!
}
