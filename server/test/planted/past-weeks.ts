/**
 * Ads of one peer group with constant true rates, as stored by past scorings, and delivery of the last weeks. With
 * `follows: false` later outcomes are independent of what was known before.
 */
import type pg from 'pg'
import { entityId } from '../../src/features/facts/ads/entities.ts'
import { addDays } from '../../src/platform/contract/dates.ts'
import { seededRandom } from '../../src/platform/seeded-random.ts'
import { shuffled } from './ads.ts'
import { drawNormal, drawPoisson } from './chance.ts'

const ADS = 60
const WEEKS = 30
const WEEK = { spend: 70_000, impressions: 21_000, clicks: 420 }

export type PlantedAd = { externalId: string; truth: number }

export async function plantPastWeeks(
  pool: pg.Pool,
  profileId: string,
  { day, seed, follows }: { day: string; seed: string; follows: boolean },
): Promise<PlantedAd[]> {
  const random = seededRandom('past weeks', seed)
  const ads = Array.from({ length: ADS }, (_, index) => ({
    externalId: `ad-${String(index).padStart(2, '0')}`,
    truth: 6 * Math.exp(0.6 * drawNormal(random)),
  }))
  // By week, oldest first.
  const sales = Array.from({ length: WEEKS + 1 }, () => ads.map(({ truth }) => drawPoisson(random, truth)))
  const settled = sales.map((week) => (follows ? week : shuffled(week, random)))
  const idOf = (ad: PlantedAd) => entityId(profileId, 'ad', ad.externalId)
  const weekDay = (week: number) => addDays(day, -7 * (WEEKS - week))
  const past = Array.from({ length: WEEKS - 4 }, (_, index) => index + 4).flatMap((week) =>
    ads.map((ad, index) => {
      const over = (weeks: number) =>
        sales.slice(week - weeks + 1, week + 1).reduce((sum, weekSales) => sum + weekSales[index]!, 0)
      return {
        ad_id: idOf(ad),
        day: weekDay(week),
        settled: settled[week - 1]![index]!,
        week: over(1),
        month: over(4),
      }
    }),
  )
  const delivered = ads.flatMap((ad, index) =>
    Array.from({ length: 35 }, (_, back) => ({
      ad_id: idOf(ad),
      day: addDays(day, -back),
      sold: back % 7 === 0 ? (back === 7 ? settled : sales)[WEEKS - back / 7]![index]! : 0,
    })),
  )
  await insert(
    pool,
    profileId,
    ads.map((ad) => ({ id: idOf(ad), external_id: ad.externalId })),
    past,
    delivered,
  )
  return ads
}

async function insert(
  pool: pg.Pool,
  profileId: string,
  ads: readonly object[],
  past: readonly object[],
  delivered: readonly object[],
): Promise<void> {
  const run = (text: string, rows: readonly object[]) => pool.query(text, [profileId, JSON.stringify(rows)])
  const campaign = entityId(profileId, 'campaign', 'C')
  await pool.query(
    `insert into ad_entities (profile_id, id, level, external_id, source, status, objective, updated_at)
     values ($1, $2, 'campaign', 'C', 'social_ads', 'ACTIVE', 'sales', now())`,
    [profileId, campaign],
  )
  await run(
    `insert into ad_entities (profile_id, id, level, external_id, source, status, campaign_id, updated_at)
     select $1, r.id, 'ad', r.external_id, 'social_ads', 'ACTIVE', '${campaign}', now()
     from jsonb_to_recordset($2::jsonb) as r(id uuid, external_id text)`,
    ads,
  )
  const from =
    'from jsonb_to_recordset($2::jsonb) as r(ad_id uuid, day date, settled bigint, week bigint, month bigint)'
  await run(
    `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
     select distinct $1::uuid, r.day, 'done', 9, 9, ${ads.length}, '{"cash":[],"pipeline":[]}'::jsonb, now() ${from}`,
    past,
  )
  await run(
    `insert into ad_score_days (profile_id, day, ad_id, channel, format, objective, audience_warmth, geo, placement, status, first_day,
       day_impressions, day_link_clicks, settled_spend_minor, settled_cash, settled_pipeline, settled_messaging)
     select $1, r.day, r.ad_id, 'social', 'unknown', 'sales', 'unknown', 'unknown', 'unknown', 'ACTIVE', r.day - 60, 3000, 60,
       ${WEEK.spend}, r.settled, 0, 0 ${from}`,
    past,
  )
  for (const [window, weeks, sold] of [
    ['7d', 1, 'r.week'],
    ['28d', 4, 'r.month'],
  ] as const)
    await run(
      `insert into ad_score_windows (profile_id, day, score_window, ad_id, spend_minor, impressions, clicks, link_clicks,
         video_impressions, video_views, thruplays, messaging_started, platform_conversions_milli, platform_value_minor, ranked_days,
         ranking_points, active_days, outcomes, cash_outcomes, pipeline_outcomes, messaging_outcomes, revenue_minor, pipeline_minor,
         cash_exposure_micro, pipeline_exposure_micro)
       select $1, r.day, '${window}', r.ad_id, ${weeks * WEEK.spend}, ${weeks * WEEK.impressions}, ${weeks * WEEK.clicks},
         ${weeks * WEEK.clicks}, 0, 0, 0, 0, 0, 0, 0, 0, ${weeks * 7}, ${sold}, ${sold}, 0, 0, ${sold} * 5000, 0,
         ${weeks * WEEK.clicks} * 1000000, ${weeks * WEEK.clicks} * 1000000 ${from}`,
      past,
    )
  const day = 'from jsonb_to_recordset($2::jsonb) as r(ad_id uuid, day date, sold bigint)'
  await run(
    `insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, impressions, clicks, fx_missing)
     select $1, 'ad', r.ad_id, r.day, 'social_ads', ${WEEK.spend / 7}, ${WEEK.impressions / 7}, ${WEEK.clicks / 7}, 0 ${day}`,
    delivered,
  )
  await run(
    `insert into credit_daily (profile_id, level, entity_id, day, outcome_type, revenue_type, last_touch_count, last_touch_minor,
       first_touch_count, first_touch_minor, last_non_direct_count, last_non_direct_minor, linear_count, linear_minor,
       time_decay_count, time_decay_minor)
     select $1, 'ad', r.ad_id, r.day, 'payment_received', 'cash', r.sold, r.sold * 5000, 0, 0, 0, 0, 0, 0, 0, 0 ${day}
     where r.sold > 0`,
    delivered,
  )
}
