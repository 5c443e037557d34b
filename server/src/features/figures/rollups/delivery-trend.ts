import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { type AsOf, deliveryDaily } from './tables.ts'

export type TrendSum = {
  entity_id: string
  day: string
  spend_minor: number
  impressions: number
  clicks: number
  messaging_started_7d: number | null
  fx_missing: number
}

/** Days with delivery, in the requested order of entities. */
export async function deliveryTrend(
  db: Db | Tx,
  params: AsOf & { level: AdLevel; range: DateRange; entityIds: readonly string[] },
): Promise<TrendSum[]> {
  const { rows } = await sql<TrendSum>`
    select entity_id, day, sum(spend_minor)::bigint as spend_minor, coalesce(sum(impressions), 0)::bigint as impressions,
      coalesce(sum(clicks), 0)::bigint as clicks, sum(messaging_started_7d)::bigint as messaging_started_7d,
      sum(fx_missing)::bigint as fx_missing
    from ${deliveryDaily(params)}
    where profile_id = ${params.profileId} and level = ${params.level} and entity_id = any(${params.entityIds}::uuid[])
      and day between ${params.range.from}::date and ${params.range.to}::date
    group by entity_id, day
    order by array_position(${params.entityIds}::uuid[], entity_id), day`.execute(db)
  return rows
}
