import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readColumns } from '../../../../platform/db/read-columns.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'
import { type AsOf, conversionDaily } from '../../rollups/tables.ts'
import { type Queued, queued, toWaiting } from './freshness.ts'

export type ReportFacts = Waiting & {
  cash_minor: number
  fx_missing: number
  /** Payments and refunds without an exchange rate, not contained in `cash_minor`. */
  cash_fx_missing: number
  /** Null if the profile uses the default settings. */
  lookback_days: number | null
  first_touch_lookback_days: number | null
}

const columns = [
  'cash_minor',
  'fx_missing',
  'cash_fx_missing',
  'lookback_days',
  'first_touch_lookback_days',
  'oldest_queued',
  'recomputing',
] as const
type Stored = Omit<ReportFacts, keyof Waiting> & Queued

/**
 * Facts for a report's `meta`, in one query: the profile's totals independent of credit, the settings used, and the work
 * still waiting.
 */
export async function readReportFacts(
  db: Db | Tx,
  params: AsOf & { range: DateRange },
): Promise<ReportFacts> {
  const { profileId, range, asOf } = params
  const lookback = (name: string) => lookbackAt(profileId, asOf, name)
  const rows = await readColumns(
    db,
    columns,
    sql<Stored>`
    select t.cash_minor, t.fx_missing, t.cash_fx_missing, ${lookback('lookback_days')} as lookback_days,
      ${lookback('first_touch_lookback_days')} as first_touch_lookback_days, ${queued(profileId)}
    from (
      select coalesce(sum(value_minor) filter (where revenue_type = 'cash'), 0)::bigint as cash_minor,
        coalesce(sum(fx_missing), 0)::bigint as fx_missing,
        coalesce(sum(fx_missing) filter (where revenue_type = 'cash'), 0)::bigint as cash_fx_missing
      from ${conversionDaily(params)}
      where profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date) t
    left join attribution_settings s on s.profile_id = ${profileId}`,
  )
  const { oldest_queued, recomputing, ...facts } = rows[0]!
  return { ...facts, ...(await toWaiting(db, profileId, { oldest_queued, recomputing })) }
}

/** The setting used for the figures; as of an earlier time, the one that the next recompute replaced. */
function lookbackAt(profileId: string, asOf: Date | undefined, name: string): RawBuilder<unknown> {
  const applied = sql`coalesce(s.${sql.ref(`applied_${name}`)}, s.${sql.ref(name)})`
  if (asOf === undefined) return applied
  return sql`coalesce((
    select (r.settings_before ->> ${sql.lit(name)})::int from recomputes r
    where r.profile_id = ${profileId} and r.settings_before is not null and r.started_at > ${asOf}::timestamptz
    order by r.started_at limit 1), ${applied})`
}
