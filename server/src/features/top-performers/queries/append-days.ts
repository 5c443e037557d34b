/**
 * Appends what is known of each ad at the end of a day. Later restatements of delivery and later credit change
 * nothing here: what is learned from these rows cannot know the future.
 */
import { sql } from 'kysely'
import { addDays } from '../../../contract/dates.ts'
import type { Tx } from '../../../db/database.ts'
import { CASH } from '../../attribution/credits/rollups.ts'
import { scoreWindows, windowDays } from '../score/counts.ts'
import { MAX_CLICK_AGE } from '../score/lags.ts'

/** Ads that ran longer ago are scored no more. */
const KNOWN_DAYS = 366

type At = { profileId: string; day: string }

export async function appendDays(tx: Tx, { profileId, day }: At): Promise<number> {
  const { rows } = await sql<{ ad_id: string }>`
    with ran as (
      select d.entity_id as ad_id, min(d.day) as first_day,
        coalesce(sum(d.impressions) filter (where d.day = ${day}::date), 0)::bigint as day_impressions,
        coalesce(sum(d.clicks) filter (where d.day = ${day}::date), 0)::bigint as day_clicks,
        coalesce(sum(d.spend_minor) filter (where d.day between ${addDays(day, -13)}::date and ${addDays(day, -7)}::date), 0)::bigint
          as settled_spend_minor
      from delivery_daily d
      where d.profile_id = ${profileId} and d.level = 'ad' and d.day between ${addDays(day, 1 - KNOWN_DAYS)}::date and ${day}::date
      group by d.entity_id),
    settled as (
      select c.entity_id as ad_id,
        coalesce(sum(c.last_touch_count) filter (where c.revenue_type in (${sql.join([...CASH])})), 0)::bigint as cash,
        coalesce(sum(c.last_touch_count) filter (where c.revenue_type = 'pipeline'), 0)::bigint as pipeline,
        coalesce(sum(c.last_touch_count) filter (where c.outcome_type = 'dm_started'), 0)::bigint as messaging
      from credit_daily c
      where c.profile_id = ${profileId} and c.level = 'ad' and c.day between ${addDays(day, -13)}::date and ${addDays(day, -7)}::date
      group by c.entity_id),
    seen as (
      select distinct on (f.ad_id) f.ad_id, f.frequency_milli from ad_frequency_days f
      where f.profile_id = ${profileId} and f.day between ${addDays(day, -2)}::date and ${day}::date
      order by f.ad_id, f.day desc)
    insert into ad_score_days (profile_id, day, ad_id, channel, format, objective, audience_warmth, geo, placement, status,
      daily_budget_minor, first_day, frequency_milli, day_impressions, day_link_clicks, settled_spend_minor, settled_cash,
      settled_pipeline, settled_messaging)
    select ${profileId}::uuid, ${day}::date, r.ad_id,
      case e.source when 'social_ads' then 'social' when 'engine_ads' then 'engine' else coalesce(e.source, 'unknown') end,
      coalesce(k.format, e.creative ->> 'format', 'unknown'), coalesce(c.objective, 'unknown'),
      coalesce(ts.audience_warmth, tc.audience_warmth, 'unknown'), coalesce(ts.geo, tc.geo, 'unknown'),
      coalesce(ts.placement, tc.placement, 'unknown'),
      case when c.status is not null and c.status <> 'ACTIVE' then c.status
        when s.status is not null and s.status <> 'ACTIVE' then s.status else e.status end,
      coalesce(s.daily_budget_minor, c.daily_budget_minor), r.first_day, n.frequency_milli, r.day_impressions,
      coalesce(a.link_clicks, r.day_clicks), r.settled_spend_minor, coalesce(o.cash, 0), coalesce(o.pipeline, 0),
      coalesce(o.messaging, 0)
    from ran r
    join ad_entities e on e.profile_id = ${profileId} and e.id = r.ad_id
    left join ad_entities s on s.profile_id = ${profileId} and s.id = e.ad_set_id
    left join ad_entities c on c.profile_id = ${profileId} and c.id = e.campaign_id
    left join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = r.ad_id
    left join ad_targetings ts on ts.profile_id = ${profileId} and ts.entity_id = e.ad_set_id
    left join ad_targetings tc on tc.profile_id = ${profileId} and tc.entity_id = e.campaign_id
    left join ad_attention_days a on a.profile_id = ${profileId} and a.ad_id = r.ad_id and a.day = ${day}::date
    left join settled o on o.ad_id = r.ad_id
    left join seen n on n.ad_id = r.ad_id
    on conflict (profile_id, day, ad_id) do nothing
    returning ad_id`.execute(tx)
  return rows.length
}

/** By a click's age in days, in the order of `scoreWindows`; the last place holds all that is older. */
export type ClickWeights = Record<'cash' | 'pipeline', readonly (readonly number[])[]>

/** The youngest window that holds a day of this age, by its place in `scoreWindows`. */
const bucketOf = (age: ReturnType<typeof sql>) =>
  sql`case ${sql.join(
    scoreWindows.flatMap((window, place) =>
      windowDays[window] === null
        ? []
        : [sql`when ${age} < ${windowDays[window]}::integer then ${place}::integer`],
    ),
    sql` `,
  )} else ${scoreWindows.length - 1}::integer end`

const exposures = (['cash', 'pipeline'] as const).flatMap((kind) =>
  scoreWindows.map((_, place) => ({ kind, place, name: sql.ref(`${kind}_${place}`) })),
)
const exposureIn = (kind: 'cash' | 'pipeline') =>
  sql`sum(case w.place ${sql.join(
    exposures.flatMap((one) =>
      one.kind === kind ? [sql`when ${one.place}::integer then a.${one.name}`] : [],
    ),
    sql` `,
  )} end)::bigint`

export type IdRange = { from: string; to: string }

/** How many ads the day knows. */
export async function countDays(tx: Tx, { profileId, day }: At): Promise<number> {
  const { rows } = await sql<{ ads: number }>`
    select count(*)::integer as ads from ad_score_days
    where profile_id = ${profileId} and day = ${day}::date`.execute(tx)
  return rows[0]!.ads
}

/**
 * The counts of all windows by one pass over the days: summed by the youngest window that holds a day, and windows put
 * together of these. (Each window by a pass of its own: four times the rows, and 20,000 ads took minutes.)
 */
export async function appendWindows(
  tx: Tx,
  { profileId, day }: At,
  ids: IdRange,
  weights: ClickWeights,
): Promise<void> {
  const from = addDays(day, 1 - KNOWN_DAYS)
  const lists = exposures.map(({ kind, place }) => sql`unnest(${[...weights[kind][place]!]}::bigint[])`)
  const names = exposures.map(({ name }) => name)
  const within = (column: string) => sql`sum(a.${sql.ref(column)}) filter (where a.bucket <= w.place)::bigint`
  await sql`
    with weights as (
      select row_number() over () - 1 as age, l.* from (select ${sql.join(lists)}) as l(${sql.join(names)})),
    delivered as (
      select d.entity_id as ad_id, d.day, sum(d.spend_minor)::bigint as spend_minor,
        coalesce(sum(d.impressions), 0)::bigint as impressions, coalesce(sum(d.clicks), 0)::bigint as clicks,
        coalesce(sum(d.messaging_started_7d), 0)::bigint as messaging_started,
        coalesce(sum(d.platform_conversions_milli), 0)::bigint as platform_conversions_milli,
        coalesce(sum(d.platform_value_minor), 0)::bigint as platform_value_minor
      from delivery_daily d
      where d.profile_id = ${profileId} and d.level = 'ad' and d.day between ${from}::date and ${day}::date
        and d.entity_id between ${ids.from}::uuid and ${ids.to}::uuid
      group by d.entity_id, d.day),
    viewed as (
      select d.*, ${day}::date - d.day as age, coalesce(a.link_clicks, d.clicks) as link_clicks, a.video_views, a.thruplays,
        a.quality_ranking
      from delivered d
      left join ad_attention_days a on a.profile_id = ${profileId} and a.ad_id = d.ad_id and a.day = d.day
        and a.ad_id between ${ids.from}::uuid and ${ids.to}::uuid),
    aged as (
      select v.ad_id, ${bucketOf(sql`v.age`)} as bucket, sum(v.spend_minor)::bigint as spend_minor, sum(v.impressions)::bigint as impressions,
        sum(v.clicks)::bigint as clicks, sum(v.link_clicks)::bigint as link_clicks,
        coalesce(sum(v.impressions) filter (where v.video_views is not null), 0) as video_impressions,
        coalesce(sum(v.video_views), 0) as video_views,
        coalesce(sum(v.thruplays) filter (where v.video_views is not null), 0) as thruplays,
        sum(v.messaging_started) as messaging_started, sum(v.platform_conversions_milli) as platform_conversions_milli,
        sum(v.platform_value_minor) as platform_value_minor, count(v.quality_ranking) as ranked_days,
        coalesce(sum(v.quality_ranking + 1), 0) as ranking_points, count(*) filter (where v.impressions > 0) as active_days,
        ${sql.join(names.map((name) => sql`sum(v.link_clicks * w.${name})::bigint as ${name}`))}
      from viewed v join weights w on w.age = least(v.age, ${MAX_CLICK_AGE + 1}::integer)
      group by 1, 2),
    windows as (
      select w.place - 1 as place, w.score_window
      from unnest(${[...scoreWindows]}::text[]) with ordinality as w(score_window, place)),
    counted as (
      select w.place, w.score_window, a.ad_id, ${sql.join(
        summed.map((column) => sql`${within(column)} as ${sql.ref(column)}`),
      )}, ${exposureIn('cash')} as cash_exposure_micro, ${exposureIn('pipeline')} as pipeline_exposure_micro
      from aged a cross join windows w
      group by w.place, w.score_window, a.ad_id
      having sum(a.active_days) filter (where a.bucket <= w.place) > 0),
    credited_days as (
      select c.entity_id as ad_id, ${bucketOf(sql`(${day}::date - c.day)`)} as bucket, sum(c.last_touch_count) as outcomes,
        sum(c.last_touch_count) filter (where c.revenue_type in (${sql.join([...CASH])})) as cash_outcomes,
        sum(c.last_touch_count) filter (where c.revenue_type = 'pipeline') as pipeline_outcomes,
        sum(c.last_touch_count) filter (where c.outcome_type = 'dm_started') as messaging_outcomes,
        sum(c.last_touch_minor) filter (where c.revenue_type in (${sql.join([...CASH])})) as revenue_minor,
        sum(c.last_touch_minor) filter (where c.revenue_type = 'pipeline') as pipeline_minor
      from credit_daily c
      where c.profile_id = ${profileId} and c.level = 'ad' and c.day between ${from}::date and ${day}::date
        and c.entity_id between ${ids.from}::uuid and ${ids.to}::uuid
      group by 1, 2),
    credited as (
      select w.place, c.ad_id, ${sql.join(
        credited.map((column) => sql`sum(c.${sql.ref(column)}) as ${sql.ref(column)}`),
      )}
      from credited_days c join windows w on c.bucket <= w.place group by w.place, c.ad_id)
    insert into ad_score_windows (profile_id, day, score_window, ad_id, ${sql.join(
      [...summed, ...credited].map((column) => sql.ref(column)),
    )}, cash_exposure_micro, pipeline_exposure_micro)
    select ${profileId}::uuid, ${day}::date, n.score_window, n.ad_id, ${sql.join([
      ...summed.map((column) => sql`n.${sql.ref(column)}`),
      ...credited.map((column) => sql`coalesce(c.${sql.ref(column)}, 0)::bigint`),
    ])}, n.cash_exposure_micro, n.pipeline_exposure_micro
    from counted n left join credited c on c.ad_id = n.ad_id and c.place = n.place
    on conflict (profile_id, day, score_window, ad_id) do nothing`.execute(tx)
}

const summed = [
  'spend_minor',
  'impressions',
  'clicks',
  'link_clicks',
  'video_impressions',
  'video_views',
  'thruplays',
  'messaging_started',
  'platform_conversions_milli',
  'platform_value_minor',
  'ranked_days',
  'ranking_points',
  'active_days',
] as const
const credited = [
  'outcomes',
  'cash_outcomes',
  'pipeline_outcomes',
  'messaging_outcomes',
  'revenue_minor',
  'pipeline_minor',
] as const
