/**
 * Appends what is known of each ad at the end of a day. Later restatements of delivery and later credit change
 * nothing here: what is learned from these rows cannot know the future.
 */
import { sql } from 'kysely'
import { addDays } from '../../../contract/dates.ts'
import type { Tx } from '../../../db/database.ts'
import { CASH } from '../../attribution/credits/rollups.ts'
import { type ScoreWindow, windowDays } from '../score/counts.ts'
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

export type ClickWeights = { cash: readonly number[]; pipeline: readonly number[] }

/** `weights` by a click's age in days; what is older weighs fully in `lifetime` and nothing elsewhere. */
export async function appendWindow(
  tx: Tx,
  { profileId, day }: At,
  window: ScoreWindow,
  weights: ClickWeights,
): Promise<void> {
  const days = windowDays[window]
  const from = addDays(day, 1 - (days ?? KNOWN_DAYS))
  const exposedFrom = days === null ? from : addDays(day, -MAX_CLICK_AGE)
  const older = days === null ? 1_000_000 : 0
  const weigh = (list: readonly number[]) =>
    sql`coalesce((${[...list]}::bigint[])[${day}::date - v.day + 1], ${older}::bigint)`
  await sql`
    with delivered as (
      select d.entity_id as ad_id, d.day, sum(d.spend_minor)::bigint as spend_minor, coalesce(sum(d.impressions), 0)::bigint as impressions,
        coalesce(sum(d.clicks), 0)::bigint as clicks, coalesce(sum(d.messaging_started_7d), 0)::bigint as messaging_started,
        coalesce(sum(d.platform_conversions_milli), 0)::bigint as platform_conversions_milli,
        coalesce(sum(d.platform_value_minor), 0)::bigint as platform_value_minor
      from delivery_daily d
      where d.profile_id = ${profileId} and d.level = 'ad' and d.day between ${exposedFrom}::date and ${day}::date
      group by d.entity_id, d.day),
    viewed as (
      select d.*, coalesce(a.link_clicks, d.clicks) as link_clicks, a.video_views, a.thruplays, a.quality_ranking
      from delivered d
      left join ad_attention_days a on a.profile_id = ${profileId} and a.ad_id = d.ad_id and a.day = d.day),
    counted as (
      select v.ad_id,
        sum(v.spend_minor) filter (where v.day >= ${from}::date) as spend_minor,
        sum(v.impressions) filter (where v.day >= ${from}::date) as impressions,
        sum(v.clicks) filter (where v.day >= ${from}::date) as clicks,
        sum(v.link_clicks) filter (where v.day >= ${from}::date) as link_clicks,
        coalesce(sum(v.impressions) filter (where v.day >= ${from}::date and v.video_views is not null), 0) as video_impressions,
        coalesce(sum(v.video_views) filter (where v.day >= ${from}::date), 0) as video_views,
        coalesce(sum(v.thruplays) filter (where v.day >= ${from}::date and v.video_views is not null), 0) as thruplays,
        sum(v.messaging_started) filter (where v.day >= ${from}::date) as messaging_started,
        sum(v.platform_conversions_milli) filter (where v.day >= ${from}::date) as platform_conversions_milli,
        sum(v.platform_value_minor) filter (where v.day >= ${from}::date) as platform_value_minor,
        count(v.quality_ranking) filter (where v.day >= ${from}::date) as ranked_days,
        coalesce(sum(v.quality_ranking + 1) filter (where v.day >= ${from}::date), 0) as ranking_points,
        count(*) filter (where v.day >= ${from}::date and v.impressions > 0) as active_days,
        sum(v.link_clicks * ${weigh(weights.cash)}) as cash_exposure_micro,
        sum(v.link_clicks * ${weigh(weights.pipeline)}) as pipeline_exposure_micro
      from viewed v
      group by v.ad_id
      having count(*) filter (where v.day >= ${from}::date and v.impressions > 0) > 0),
    credited as (
      select c.entity_id as ad_id, sum(c.last_touch_count) as outcomes,
        sum(c.last_touch_count) filter (where c.revenue_type in (${sql.join([...CASH])})) as cash_outcomes,
        sum(c.last_touch_count) filter (where c.revenue_type = 'pipeline') as pipeline_outcomes,
        sum(c.last_touch_count) filter (where c.outcome_type = 'dm_started') as messaging_outcomes,
        sum(c.last_touch_minor) filter (where c.revenue_type in (${sql.join([...CASH])})) as revenue_minor,
        sum(c.last_touch_minor) filter (where c.revenue_type = 'pipeline') as pipeline_minor
      from credit_daily c
      where c.profile_id = ${profileId} and c.level = 'ad' and c.day between ${from}::date and ${day}::date
      group by c.entity_id)
    insert into ad_score_windows (profile_id, day, score_window, ad_id, spend_minor, impressions, clicks, link_clicks,
      video_impressions, video_views, thruplays, messaging_started, platform_conversions_milli, platform_value_minor, ranked_days,
      ranking_points, active_days, outcomes, cash_outcomes, pipeline_outcomes, messaging_outcomes, revenue_minor, pipeline_minor,
      cash_exposure_micro, pipeline_exposure_micro)
    select ${profileId}::uuid, ${day}::date, ${window}::text, n.ad_id, n.spend_minor::bigint, n.impressions::bigint, n.clicks::bigint,
      n.link_clicks::bigint, n.video_impressions::bigint, n.video_views::bigint, n.thruplays::bigint, n.messaging_started::bigint,
      n.platform_conversions_milli::bigint, n.platform_value_minor::bigint, n.ranked_days::bigint, n.ranking_points::bigint,
      n.active_days::bigint, coalesce(c.outcomes, 0)::bigint, coalesce(c.cash_outcomes, 0)::bigint, coalesce(c.pipeline_outcomes, 0)::bigint,
      coalesce(c.messaging_outcomes, 0)::bigint, coalesce(c.revenue_minor, 0)::bigint, coalesce(c.pipeline_minor, 0)::bigint,
      n.cash_exposure_micro::bigint, n.pipeline_exposure_micro::bigint
    from counted n left join credited c on c.ad_id = n.ad_id
    on conflict (profile_id, day, score_window, ad_id) do nothing`.execute(tx)
}
