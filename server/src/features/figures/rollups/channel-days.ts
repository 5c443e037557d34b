import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isCash, modelColumns } from './credit-by-entity.ts'
import { type AsOf, creditDaily, heldDaily } from './tables.ts'

/** `credit`: all money, once. `held_campaign`: ad sets and ads without a campaign. `held_ad_set`: sources of visits. */
export type ChannelDay = {
  part: 'credit' | 'held_campaign' | 'held_ad_set'
  holder: string
  day: string
  value_minor: number
}

/** Money per holder and day, from the same rollups as the report's totals. */
export async function channelDays(
  db: Db | Tx,
  params: AsOf & { model: Model; range: DateRange },
): Promise<ChannelDay[]> {
  const { profileId, range } = params
  const { minor } = modelColumns(params.model)
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date and ${isCash}`
  const { rows } = await sql<ChannelDay>`
    select 'credit' as part, entity_id::text as holder, day, sum(${minor})::bigint as value_minor
    from ${creditDaily(params)} where ${inRange} and level = 'campaign'
    group by entity_id, day having sum(${minor}) <> 0
    union all
    select 'held_' || level, holder, day, sum(${minor})::bigint
    from ${heldDaily(params)} where ${inRange} and level in ('campaign', 'ad_set')
    group by level, holder, day having sum(${minor}) <> 0`.execute(db)
  return rows
}
