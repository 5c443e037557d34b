import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'

export type PaidClicks = { platform: string; named: number; unnamed: number }

export async function paidClicks(
  db: Db | Tx,
  params: { profileId: string; range: DateRange },
): Promise<PaidClicks[]> {
  const { rows } = await sql<PaidClicks>`
    select platform, coalesce(sum(touches) filter (where named_ad), 0)::bigint as named,
      coalesce(sum(touches) filter (where not named_ad), 0)::bigint as unnamed
    from paid_touch_daily
    where profile_id = ${params.profileId} and day between ${params.range.from}::date and ${params.range.to}::date
    group by platform`.execute(db)
  return rows
}

/** Ads that credit stands on and no platform has told of. */
export async function unknownAds(
  db: Db | Tx,
  params: { profileId: string; limit: number },
): Promise<{ total: number; ads: { ad_id: string; entity_id: string }[] }> {
  const { rows } = await sql<{ ad_id: string; entity_id: string; total: number }>`
    select external_id as ad_id, id as entity_id, count(*) over () as total from ad_entities
    where profile_id = ${params.profileId} and level = 'ad' and source is null
    order by external_id limit ${params.limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, ads: rows.map(({ ad_id, entity_id }) => ({ ad_id, entity_id })) }
}
