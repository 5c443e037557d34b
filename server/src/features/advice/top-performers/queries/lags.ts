/** Days between the last ad touch and the conversion, counted over touches old enough to have converted. */
import { sql } from 'kysely'
import { addDays } from '../../../../platform/contract/dates.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { localDayOf } from '../../../../platform/db/local-day.ts'
import { MAX_LAG_DAYS } from '../score/lags.ts'

/** Younger touches are excluded: of those, only the fast conversions have happened, which would bias the lag downwards. */
const MATURE_DAYS = 28
const SAMPLE_DAYS = 120
const MAX_CONVERSIONS = 5000

export type LagCounts = { cash: number[]; pipeline: number[] }

export async function countLags(
  tx: Tx,
  params: { profileId: string; day: string; timezone: string },
): Promise<LagCounts> {
  const { profileId, day, timezone } = params
  const { rows } = await sql<{ revenue_type: 'cash' | 'pipeline'; lag: number; count: number }>`
    with sample as (
      select c.id, c.identifier_id, c.occurred_at, c.day, c.revenue_type from conversions c
      where c.profile_id = ${profileId} and c.revenue_type in ('cash', 'pipeline') and c.duplicate_of is null
        and c.day between ${addDays(day, -SAMPLE_DAYS)}::date and ${day}::date
      order by c.day desc, c.id limit ${MAX_CONVERSIONS})
    select s.revenue_type, least(${MAX_LAG_DAYS}::integer, greatest(0, s.day - t.day))::integer as lag,
      count(*)::integer as count
    from sample s
    join identifiers i on i.profile_id = ${profileId} and i.id = s.identifier_id
    cross join lateral (
      select ${localDayOf(sql`max(last.occurred_at)`, timezone)} as day from (
        -- A customer's id is that of its first identifier; the index contains only the others.
        select i.customer_id as id
        union all
        select j.id from identifiers j
        where j.profile_id = ${profileId} and j.customer_id = i.customer_id and j.customer_id <> j.id) member
      -- A lateral join by identifier, so that the plan is good even without statistics, as in a new profile.
      cross join lateral (
        select t.occurred_at from touches t
        where t.profile_id = ${profileId} and t.identifier_id = member.id and t.occurred_at <= s.occurred_at
          and t.ad_external_id is not null
        order by t.occurred_at desc limit 1) last) t
    where t.day <= ${addDays(day, -MATURE_DAYS)}::date
    group by 1, 2`.execute(tx)
  const counts: LagCounts = {
    cash: new Array<number>(MAX_LAG_DAYS + 1).fill(0),
    pipeline: new Array<number>(MAX_LAG_DAYS + 1).fill(0),
  }
  for (const row of rows) counts[row.revenue_type][row.lag]! += row.count
  return counts
}
