import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { ALL } from '../../attribution/crediting/reach/rules.ts'
import { sumsOf } from '../../figures/rollups/sums.ts'

export type ReachRow = {
  bucket: string
  origin: string
  /** Distinct people in the bucket. */
  people: number
  touches: number
  /** People whose first touch in the whole window is in this bucket. */
  window_people: number
}

type Params = { profileId: string; channel: string; range: DateRange }

const startOf = (groupBy: 'month' | 'day', from: string) =>
  groupBy === 'day' ? sql`day` : sql`greatest(date_trunc('month', day)::date, ${from}::date)`

/** Per bucket and origin; the origin `all` counts a person once across origins. */
export async function reachByTime(db: Db | Tx, params: Params & { groupBy: 'month' | 'day' }) {
  const { profileId, channel, range, groupBy } = params
  const { rows } = await sql<ReachRow>`
    select bucket, origin, sum(people) filter (where previous_day < bucket)::bigint as people, sum(touches)::bigint as touches,
      coalesce(sum(people) filter (where previous_day < ${range.from}::date), 0)::bigint as window_people
    from (
      select ${startOf(groupBy, range.from)} as bucket, origin, previous_day, people, touches from reach_daily
      where profile_id = ${profileId} and channel = ${channel} and day between ${range.from}::date and ${range.to}::date) days
    group by bucket, origin`.execute(db)
  return rows
}

/** People by the bucket and origin of their first touch in the window. */
export async function firstByTime(db: Db | Tx, params: Params & { groupBy: 'month' | 'day' }) {
  const { profileId, channel, range, groupBy } = params
  const { rows } = await sql<{ bucket: string; origin: string; people: number }>`
    select ${startOf(groupBy, range.from)} as bucket, first_origin as origin, sum(people)::bigint as people
    from reach_daily
    where profile_id = ${profileId} and channel = ${channel} and origin = ${ALL}
      and day between ${range.from}::date and ${range.to}::date and previous_day < ${range.from}::date
    group by 1, 2`.execute(db)
  return rows
}

export type AdReach = { ad: string; origin: string; people: number; touches: number }

export async function reachByAd(db: Db | Tx, params: Params): Promise<AdReach[]> {
  const { profileId, channel, range } = params
  const { rows } = await sql<AdReach>`
    select ad_external_id as ad, origin,
      coalesce(sum(people) filter (where previous_day < ${range.from}::date), 0)::bigint as people, sum(touches)::bigint as touches
    from reach_ads
    where profile_id = ${profileId} and channel = ${channel} and day between ${range.from}::date and ${range.to}::date
    group by ad_external_id, origin`.execute(db)
  return rows
}

export async function firstByAd(db: Db | Tx, params: Params): Promise<AdReach[]> {
  const { profileId, channel, range } = params
  const { rows } = await sql<AdReach>`
    select ad_external_id as ad, origin, sum(people)::bigint as people, sum(people)::bigint as touches
    from reach_first
    where profile_id = ${profileId} and channel = ${channel} and day between ${range.from}::date and ${range.to}::date
      and previous_day < ${range.from}::date
    group by ad_external_id, origin`.execute(db)
  return rows
}

export type AdName = { ad: string; name: string | null; started: number | null }

export async function adNames(
  db: Db | Tx,
  params: { profileId: string; range: DateRange; ads: readonly string[] },
): Promise<Map<string, AdName>> {
  const { profileId, range } = params
  const ads = sql`profile_id = ${profileId} and level = 'ad' and external_id = any(${params.ads}::text[])`
  const messaging = sumsOf({
    profileId,
    from: range.from,
    to: range.to,
    level: 'ad',
    entities: sql`select id from ad_entities where ${ads}`,
    measures: { started: 'messaging_started' },
    by: ['entity_id'],
  })
  const { rows } = await sql<AdName>`
    select e.external_id as ad, e.name, d.started
    from (select id, external_id, name from ad_entities where ${ads}) e
    left join (${messaging}) d on d.entity_id = e.id`.execute(db)
  return new Map(rows.map((row) => [row.ad, row]))
}

/** Whether a platform has listed the ad; a stub created from a touch does not count. */
export async function isKnownAd(db: Db | Tx, params: { profileId: string; adId: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ad_entities
    where profile_id = ${params.profileId}
      and level = 'ad' and external_id = ${params.adId} and source is not null`.execute(db)
  return rows.length > 0
}
