import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { CASH } from '../../../attribution/crediting/credits/rollups.ts'
import { ALL } from '../../../attribution/crediting/reach/rules.ts'
import { hasRevenueType } from '../../../figures/rollups/credit-by-entity.ts'
import { sumsOf } from '../../../figures/rollups/sums.ts'
import type { Window } from '../verdict-rules.ts'

export type ArrivalRow = {
  platform: string
  clicks: number
  unnamed: number
  since: string | null
  /** Revenue whose last touch is a click without an ad. */
  value_minor: number
}

export async function listArrivals(db: Db | Tx, { profileId, from, to }: Window): Promise<ArrivalRow[]> {
  const { rows } = await sql<ArrivalRow>`
    with clicks as (
      select platform, sum(touches)::bigint as clicks,
        coalesce(sum(touches) filter (where not named_ad), 0)::bigint as unnamed,
        min(day) filter (where not named_ad and touches > 0) as since
      from paid_touch_daily
      where profile_id = ${profileId} and day between ${from}::date and ${to}::date
      group by platform),
    unassigned as (
      select holder, sum(last_touch_minor)::bigint as value_minor from held_daily
      where profile_id = ${profileId} and level = 'ad' and day between ${from}::date and ${to}::date and ${hasRevenueType(CASH)}
      group by holder)
    select c.platform, c.clicks, c.unnamed, c.since, coalesce(u.value_minor, 0)::bigint as value_minor
    from clicks c left join unassigned u on u.holder = c.platform
    order by c.unnamed desc, c.platform`.execute(db)
  return rows
}

export type UnknownAdRow = { ad_id: string; touches: number; since: string }

/** Ads named by clicks but not listed by a platform; `listed` is false if no platform has listed any ad. */
export async function listUnknownAds(
  db: Db | Tx,
  { profileId, from, to }: Window,
): Promise<{ listed: boolean; ads: UnknownAdRow[] }> {
  const { rows: listedAds } = await sql`
    select 1 from ad_entities
    where profile_id = ${profileId} and level = 'ad' and source is not null limit 1`.execute(db)
  const { rows: ads } = await sql<UnknownAdRow>`
    select r.ad_external_id as ad_id, sum(r.touches)::bigint as touches, min(r.day) as since
    from reach_ads r
    where r.profile_id = ${profileId} and r.channel = ${ALL} and r.origin = ${ALL}
      and r.day between ${from}::date and ${to}::date and not exists (
        select 1 from ad_entities e where e.profile_id = ${profileId} and e.level = 'ad'
          and e.external_id = r.ad_external_id and e.source is not null)
    group by r.ad_external_id having sum(r.touches) > 0
    order by 2 desc, 1 limit 1000`.execute(db)
  return { listed: listedAds.length > 0, ads }
}

export type MarkedRow = { platform: string; clicks: number; unmarked: number; since: Date | null }

/** Visits marked as paid by UTM parameters, and those of them without the platform's click id. */
export async function listMarkedClicks(
  db: Db | Tx,
  { profileId, start, platforms }: Window & { platforms: readonly string[] },
): Promise<MarkedRow[]> {
  const { rows } = await sql<MarkedRow>`
    select platform, count(*)::bigint as clicks, count(*) filter (where click_id_kind is null)::bigint as unmarked,
      min(occurred_at) filter (where click_id_kind is null) as since
    from touches
    where profile_id = ${profileId} and recorded_at >= ${start} and occurred_at >= ${start}
      and platform = any(${platforms}::text[]) and utm_medium is not null and origin = 'web' and reported_at is null
    group by platform order by 3 desc, 1`.execute(db)
  return rows
}

export type CampaignSpendRow = {
  campaign_id: string
  name: string | null
  source: string
  spend_minor: number
  clicks: number
  since: string
  has_arrivals: boolean
}

/** Campaigns with spend, their clicks as counted by the platform, and whether any of them arrived. */
export async function listCampaignSpend(db: Db | Tx, { profileId, from, to }: Window) {
  const spent = sumsOf({
    profileId,
    from,
    to,
    measures: { spend_minor: 'spend_minor', clicks: 'clicks', since: 'first_spend_day' },
    by: ['entity_id'],
  })
  const { rows } = await sql<CampaignSpendRow>`
    with spent as (select * from (${spent}) sums where spend_minor > 0)
    select s.entity_id as campaign_id, e.name, e.source, s.spend_minor, s.clicks, s.since,
      (exists (
        select 1 from reach_ads r
        join ad_entities a on a.profile_id = ${profileId} and a.level = 'ad' and a.external_id = r.ad_external_id
        where r.profile_id = ${profileId} and r.channel = ${ALL} and r.origin = ${ALL}
          and r.day between ${from}::date and ${to}::date and r.touches > 0 and a.campaign_id = s.entity_id)
      or exists (
        select 1 from ad_paths p where p.profile_id = ${profileId} and p.campaign_id = s.entity_id and p.ad_id is null))
        as has_arrivals
    from spent s
    join ad_entities e on e.profile_id = ${profileId} and e.id = s.entity_id
    where e.source is not null
    order by s.spend_minor desc, s.entity_id limit 1000`.execute(db)
  return rows
}
