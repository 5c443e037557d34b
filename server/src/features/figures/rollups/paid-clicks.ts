import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { ALL } from '../../attribution/crediting/reach/rules.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { type AsOf, paidTouchDaily } from './tables.ts'

export type PaidClicks = { platform: string; named: number; unnamed: number }

export async function paidClicks(db: Db | Tx, params: AsOf & { range: DateRange }): Promise<PaidClicks[]> {
  const { rows } = await sql<PaidClicks>`
    select platform, coalesce(sum(touches) filter (where named_ad), 0)::bigint as named,
      coalesce(sum(touches) filter (where not named_ad), 0)::bigint as unnamed
    from ${paidTouchDaily(params)}
    where profile_id = ${params.profileId} and day between ${params.range.from}::date and ${params.range.to}::date
    group by platform`.execute(db)
  return rows
}

/** Ads that touches of the range name but no platform has listed. */
export async function unknownAds(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; limit: number },
): Promise<{ total: number; ads: { ad_id: string; entity_id: string }[] }> {
  const { profileId, range } = params
  const { rows } = await sql<{ ad_id: string; total: number }>`
    select r.ad_external_id as ad_id, count(*) over () as total
    from (
      select distinct ad_external_id from reach_ads
      where profile_id = ${profileId} and channel = ${ALL} and origin = ${ALL}
        and day between ${range.from}::date and ${range.to}::date) r
    where not exists (
      select 1 from ad_entities e
      where e.profile_id = ${profileId} and e.level = 'ad' and e.external_id = r.ad_external_id and e.source is not null)
    order by r.ad_external_id limit ${params.limit}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    ads: rows.map(({ ad_id }) => ({ ad_id, entity_id: entityId(profileId, 'ad', ad_id) })),
  }
}
