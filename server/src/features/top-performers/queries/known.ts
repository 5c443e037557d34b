/** What was appended for a day, read back: scores are made of these rows and of nothing newer. */
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdCounts, ScoreWindow } from '../score/counts.ts'
import type { AdSeries } from '../score/fatigue.ts'
import type { CameOf, KnownAd } from '../score/likelihood.ts'

type At = { profileId: string; day: string }

export type KnownRow = AdCounts & {
  frequency: number | null
  firstDay: string | null
  status: string | null
}

type Attributes = Pick<
  KnownRow,
  | 'adId'
  | 'channel'
  | 'format'
  | 'objective'
  | 'audienceWarmth'
  | 'geo'
  | 'placement'
  | 'frequency'
  | 'firstDay'
  | 'status'
>

export type Known = ReadonlyMap<string, Attributes>

/** The id of the last of so many ads in the order of ids; null where there are no more. */
export async function findLastOf(db: Db | Tx, { profileId, day }: At, ads: number): Promise<string | null> {
  const { rows } = await sql<{ ad_id: string }>`
    select w.ad_id from ad_score_windows w
    where w.profile_id = ${profileId} and w.day = ${day}::date and w.score_window = '28d'
    order by w.ad_id offset ${ads - 1} limit 1`.execute(db)
  return rows[0]?.ad_id ?? null
}

const within = (column: RawBuilder<unknown>, upTo: string | null) =>
  upTo === null ? sql`true` : sql`${column} <= ${upTo}::uuid`

/** What does not depend on the window, of the ads up to this id. */
export async function loadAttributes(
  db: Db | Tx,
  { profileId, day }: At,
  upTo: string | null = null,
): Promise<Known> {
  const { rows } = await sql<Attributes>`
    select d.ad_id as "adId", d.channel, d.format, d.objective, d.audience_warmth as "audienceWarmth", d.geo, d.placement,
      d.frequency_milli / 1e3::double precision as frequency, d.first_day as "firstDay", d.status
    from ad_score_days d
    where d.profile_id = ${profileId} and d.day = ${day}::date and ${within(sql`d.ad_id`, upTo)}`.execute(db)
  return new Map(rows.map((row) => [row.adId, row]))
}

/**
 * Ads in the order of their ids. Read apart from their attributes and put together here: the rows are minutes old, and
 * a join planned by statistics from before them compares each ad with each (20 s for 2,000 ads).
 */
export async function loadCounts(
  db: Db | Tx,
  { profileId, day }: At,
  window: ScoreWindow,
  attributes: Known,
  upTo: string | null = null,
): Promise<KnownRow[]> {
  const { rows } = await sql<Omit<AdCounts, Exclude<keyof Attributes, 'adId'>>>`
    select w.ad_id as "adId", w.spend_minor as "spendMinor", w.impressions, w.clicks, w.link_clicks as "linkClicks",
      w.video_impressions as "videoImpressions", w.video_views as "videoViews", w.thruplays,
      w.messaging_started as "messagingStarted", w.platform_conversions_milli as "platformConversionsMilli",
      w.platform_value_minor as "platformValueMinor", w.ranked_days as "rankedDays", w.ranking_points as "rankingPoints",
      w.active_days as "activeDays", w.outcomes, w.cash_outcomes as "cashOutcomes", w.pipeline_outcomes as "pipelineOutcomes",
      w.messaging_outcomes as "messagingOutcomes", w.revenue_minor as "revenueMinor", w.pipeline_minor as "pipelineMinor",
      w.cash_exposure_micro / 1e6::double precision as "cashExposure",
      w.pipeline_exposure_micro / 1e6::double precision as "pipelineExposure"
    from ad_score_windows w
    where w.profile_id = ${profileId} and w.day = ${day}::date and w.score_window = ${window} and ${within(sql`w.ad_id`, upTo)}
    order by w.ad_id`.execute(db)
  return rows.flatMap((row) => {
    const own = attributes.get(row.adId)
    return own === undefined ? [] : [{ ...own, ...row }]
  })
}

export async function listKnownDays(db: Db | Tx, { profileId, day }: At, since: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select r.day from ad_score_runs r
    where r.profile_id = ${profileId} and r.day between ${since}::date and ${day}::date and r.state = 'done'
    order by r.day`.execute(db)
  return rows.map((row) => row.day)
}

/** What came of the ads known on a day: a week later, and once it had settled a week after that. */
export async function loadCameOf(
  db: Db | Tx,
  { profileId, day }: At,
  upTo: string | null,
): Promise<Map<string, CameOf>> {
  const { rows } = await sql<{
    ad_id: string
    settled_spend_minor: number | null
    settled_cash: number | null
    settled_pipeline: number | null
    status: string | null
    impressions: number | null
    link_clicks: number | null
  }>`
    select k.ad_id, s.settled_spend_minor, s.settled_cash, s.settled_pipeline, n.status, w.impressions, w.link_clicks
    from ad_score_days k
    left join ad_score_days s on s.profile_id = ${profileId} and s.day = ${addDays(day, 14)}::date and s.ad_id = k.ad_id
    left join ad_score_days n on n.profile_id = ${profileId} and n.day = ${addDays(day, 7)}::date and n.ad_id = k.ad_id
    left join ad_score_windows w on w.profile_id = ${profileId} and w.day = ${addDays(day, 7)}::date and w.score_window = '7d'
      and w.ad_id = k.ad_id
    where k.profile_id = ${profileId} and k.day = ${day}::date and ${within(sql`k.ad_id`, upTo)} and n.ad_id is not null`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [
      row.ad_id,
      {
        settled:
          row.settled_spend_minor === null
            ? null
            : {
                spendMinor: row.settled_spend_minor,
                cash: row.settled_cash!,
                pipeline: row.settled_pipeline!,
              },
        next: {
          isActive: isRunning(row.status) && (row.impressions ?? 0) > 0,
          impressions: row.impressions ?? 0,
          linkClicks: row.link_clicks ?? 0,
        },
      },
    ]),
  )
}

/** A platform that tells no status lets the ad run. */
export const isRunning = (status: string | null): boolean => status === null || status === 'ACTIVE'

export function toKnownAds(month: readonly KnownRow[], week: readonly KnownRow[], day: string): KnownAd[] {
  const weekOf = new Map(week.map((row) => [row.adId, row]))
  return month.map((row) => ({
    adId: row.adId,
    month: row,
    week: weekOf.get(row.adId) ?? null,
    frequency: row.frequency,
    ageDays: row.firstDay === null ? 0 : ageOn(row.firstDay, day),
    isActive: isRunning(row.status),
  }))
}

export const ageOn = (first: string, day: string): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000) + 1

/**
 * Daily clicks, impressions and frequency of some ads, as they are known now up to the day, and when they were changed.
 * The joins repeat which ads and days are asked for: without it each cohort read the whole table of views.
 */
export async function loadSeries(
  db: Db | Tx,
  { profileId, day }: At,
  adIds: readonly string[],
  days: number,
): Promise<Omit<AdSeries, 'cohortKey'>[]> {
  const from = addDays(day, 1 - days)
  const { rows } = await sql<{
    ad_id: string
    days: number[]
    impressions: number[]
    clicks: number[]
    frequencies: (number | null)[]
  }>`
    select d.entity_id as ad_id, array_agg((d.day - date '1970-01-01')::integer order by d.day) as days,
      array_agg(coalesce(d.impressions, 0)::double precision order by d.day) as impressions,
      array_agg(coalesce(a.link_clicks, d.clicks, 0)::double precision order by d.day) as clicks,
      array_agg((f.frequency_milli / 1e3)::double precision order by d.day) as frequencies
    from (
      select entity_id, day, sum(impressions) as impressions, sum(clicks) as clicks from delivery_daily
      where profile_id = ${profileId} and level = 'ad' and day between ${from}::date and ${day}::date
        and entity_id = any(${adIds}::uuid[])
      group by entity_id, day) d
    left join ad_attention_days a on a.profile_id = ${profileId} and a.ad_id = d.entity_id and a.day = d.day
      and a.ad_id = any(${adIds}::uuid[]) and a.day between ${from}::date and ${day}::date
    left join ad_frequency_days f on f.profile_id = ${profileId} and f.ad_id = d.entity_id and f.day = d.day
      and f.ad_id = any(${adIds}::uuid[]) and f.day between ${from}::date and ${day}::date
    group by d.entity_id order by d.entity_id`.execute(db)
  const changes = await loadChanges(db, { profileId, day }, adIds, from)
  return rows.map((row) => ({
    adId: row.ad_id,
    days: row.days.map((number, index) => ({
      day: number,
      impressions: row.impressions[index]!,
      linkClicks: row.clicks[index]!,
      frequency: row.frequencies[index]!,
    })),
    changes: changes.get(row.ad_id) ?? [],
  }))
}

async function loadChanges(
  db: Db | Tx,
  { profileId, day }: At,
  adIds: readonly string[],
  from: string,
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ ad_id: string; day: number }>`
    select c.ad_id, (c.day - date '1970-01-01')::integer as day from (
      select d.ad_id, d.day, row(d.status, d.daily_budget_minor) is distinct from
          lag(row(d.status, d.daily_budget_minor)) over (partition by d.ad_id order by d.day) as is_changed,
        row_number() over (partition by d.ad_id order by d.day) as place
      from ad_score_days d
      where d.profile_id = ${profileId} and d.day between ${from}::date and ${day}::date and d.ad_id = any(${adIds}::uuid[])) c
    where c.is_changed and c.place > 1`.execute(db)
  const changes = new Map<string, number[]>()
  for (const row of rows) changes.set(row.ad_id, [...(changes.get(row.ad_id) ?? []), row.day])
  return changes
}

/** The first and the last day on which each ad was shown, as far back as ads are known. */
export async function loadRunDays(
  db: Db | Tx,
  { profileId, day }: At,
): Promise<Map<string, { first: string; last: string }>> {
  const { rows } = await sql<{ ad_id: string; first: string; last: string }>`
    select entity_id as ad_id, min(day) as first, max(day) as last from delivery_daily
    where profile_id = ${profileId} and level = 'ad' and day between ${addDays(day, -365)}::date and ${day}::date
      and impressions > 0
    group by entity_id`.execute(db)
  return new Map(rows.map((row) => [row.ad_id, { first: row.first, last: row.last }]))
}
