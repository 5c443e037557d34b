/**
 * Scores a profile with many ads and reads its leaderboard.
 *
 *   node bench/top-performers.ts [ads=20000] [requests=200]
 *
 * Limits: scoring ≤ 30 s and ≤ 256 MB, GET p95 ≤ 25 ms at 20,000 ads.
 */
import { scoreDay } from '@whence/server/features/advice/top-performers/score-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { printLatency } from './latency.ts'
import { openWorld } from './world.ts'

const ads = Number(process.argv[2] ?? 20_000)
const requests = Number(process.argv[3] ?? 200)
const DAYS = 60
const PAST_WEEKS = 16
const day = '2026-06-30'
const world = await openWorld()
try {
  await world.once(`${ads} ads`, fill)
  const bareMs = await readOnce()
  await world.run(`delete from ad_score_runs where day = '${day}'`)
  for (const table of ['ad_score_days', 'ad_score_windows', 'ad_scores'])
    await world.run(`delete from ${table} where day = '${day}'`)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await scoreDay(
    world.service.backgroundDb,
    { profileId: world.profileId, day },
    { timezone: 'UTC', now: new Date('2026-07-01T06:00:00Z'), signal: new AbortController().signal },
  )
  clearInterval(watch)
  const ms = performance.now() - begin
  const { user, system } = process.cpuUsage(cpu)
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  console.log(
    `${ads} ads over ${DAYS} days, trained on ${PAST_WEEKS} weeks, scored in ${(ms / 1000).toFixed(1)} s,` +
      ` ${(ms / bareMs).toFixed(1)} times reading the days once; ${mebibytes(peak - before)} MiB above ${mebibytes(before)}`,
  )
  console.log(
    `  CPU: service ${((user + system) / 1e6).toFixed(1)} s, database ${(await readDatabaseClock()).toFixed(1)} s`,
  )
  const { rows } = await world.pool.query<{ result_hash: string }>(
    `select result_hash from ad_score_runs where day = '${day}'`,
  )
  console.log(`  hash of all scores ${rows[0]!.result_hash}`)
  for (const query of [
    '',
    '?window=lifetime&limit=50',
    '?formats=video&has_video=true&min_spend=100&limit=50',
  ])
    await printLatency(world, `GET /top-performers${query}`, requests, () => `/top-performers${query}`)
} finally {
  await world.close()
}

/** Time to read each day of delivery with its views once, the minimum work of a scoring. */
async function readOnce(): Promise<number> {
  const begin = performance.now()
  await world.run(`begin; set local statement_timeout = 0;
    select sum(d.clicks), sum(a.link_clicks) from delivery_daily d
    left join ad_attention_days a on a.profile_id = d.profile_id and a.ad_id = d.entity_id and a.day = d.day
    where d.profile_id = '${world.profileId}' and d.level = 'ad'; commit`)
  return performance.now() - begin
}

async function fill(): Promise<void> {
  const { profileId } = world
  const run = (text: string) =>
    world.pool.query(
      `begin; set local statement_timeout = 0; ${text.replaceAll(':profile', `'${profileId}'::uuid`)}; commit`,
    )
  const id = (kind: string, number: string) => `md5('${kind}' || (${number}))::uuid`
  await run(`
    insert into ad_entities (profile_id, id, level, external_id, name, source, status, objective, campaign_id, ad_set_id, updated_at)
    select :profile, ${id('c', 'n')}, 'campaign', 'c' || n, 'Campaign ' || n, 'social_ads', 'ACTIVE',
      (array['sales', 'leads', 'traffic'])[1 + n % 3], null::uuid, null::uuid, now() from generate_series(0, ${ads / 50}) n
    union all
    select :profile, ${id('s', 'n')}, 'ad_set', 's' || n, 'Ad set ' || n, 'social_ads', 'ACTIVE', null, ${id('c', 'n / 5')}, null::uuid, now()
    from generate_series(0, ${ads / 10}) n
    union all
    select :profile, ${id('a', 'n')}, 'ad', 'a' || n, 'Ad ' || n, 'social_ads', 'ACTIVE', null, ${id('c', 'n / 50')}, ${id('s', 'n / 10')}, now()
    from generate_series(0, ${ads - 1}) n`)
  await run(`
    insert into ad_creatives (profile_id, ad_id, format, title, body, cta_type, thumbnail_url, video_id, updated_at)
    select :profile, ${id('a', 'n')}, (array['video', 'static', 'carousel'])[1 + n % 3], 'Title ' || n, 'Body of the ad ' || n, 'SHOP_NOW',
      'https://cdn.example/' || n || '.jpg', case when n % 3 = 0 then 'v' || n end, now() from generate_series(0, ${ads - 1}) n`)
  await run(`
    insert into ad_targetings (profile_id, entity_id, audience_warmth, geo, placement, updated_at)
    select :profile, ${id('s', 'n')}, (array['cold', 'lookalike', 'warm'])[1 + n % 3], (array['US', 'DE'])[1 + n % 2], 'automatic', now()
    from generate_series(0, ${ads / 10}) n`)
  await run(`
    insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, impressions, clicks, fx_missing)
    select :profile, 'ad', ${id('a', 'n')}, date '${day}' - d, 'social_ads', 500 + (n * 7 + d * 13) % 4000, 400 + (n * 11 + d * 17) % 3000,
      4 + (n * 3 + d * 5) % 60, 0
    from generate_series(0, ${ads - 1}) n, generate_series(0, ${DAYS - 1}) d`)
  await run(`
    insert into ad_attention_days (profile_id, ad_id, day, link_clicks, video_views, thruplays, quality_ranking)
    select :profile, ${id('a', 'n')}, date '${day}' - d, 3 + (n * 3 + d * 5) % 50, case when n % 3 = 0 then 100 + (n + d) % 200 end,
      case when n % 3 = 0 then 20 + (n + d) % 50 end, (n % 3) - 1
    from generate_series(0, ${ads - 1}) n, generate_series(0, ${DAYS - 1}) d`)
  await run(`
    insert into ad_frequency_days (profile_id, ad_id, day, frequency_milli)
    select :profile, ${id('a', 'n')}, date '${day}' - d, 1200 + (n + d * 3) % 900
    from generate_series(0, ${ads - 1}) n, generate_series(0, 20) d`)
  await run(`
    insert into credit_daily (profile_id, level, entity_id, day, outcome_type, revenue_type, last_touch_count, last_touch_minor,
      first_touch_count, first_touch_minor, last_non_direct_count, last_non_direct_minor, linear_count, linear_minor, time_decay_count,
      time_decay_minor)
    select :profile, 'ad', ${id('a', 'n')}, date '${day}' - d, 'payment_received', 'cash', 1 + (n + d) % 3, 5000, 0, 0, 0, 0, 0, 0, 0, 0
    from generate_series(0, ${ads - 1}) n, generate_series(0, ${DAYS - 1}, 4) d`)
  const past = `generate_series(0, ${ads - 1}) n, generate_series(1, ${PAST_WEEKS}) w`
  await run(`
    insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at, finished_at)
    select :profile, date '${day}' - 7 * w, 'done', 9, 9, ${ads}, '{"cash":[],"pipeline":[]}', now(), now()
    from generate_series(1, ${PAST_WEEKS}) w`)
  await run(`
    insert into ad_score_days (profile_id, day, ad_id, channel, format, objective, audience_warmth, geo, placement, status, first_day,
      frequency_milli, day_impressions, day_link_clicks, settled_spend_minor, settled_cash, settled_pipeline, settled_messaging)
    select :profile, date '${day}' - 7 * w, ${id('a', 'n')}, 'social', (array['video', 'static', 'carousel'])[1 + n % 3],
      (array['sales', 'leads', 'traffic'])[1 + (n / 50) % 3], (array['cold', 'lookalike', 'warm'])[1 + (n / 10) % 3],
      (array['US', 'DE'])[1 + (n / 10) % 2], 'automatic', case when (n + w * 7) % 23 = 0 then 'PAUSED' else 'ACTIVE' end,
      date '${day}' - 7 * w - n % 90, 1200 + (n + w) % 900, 1000, 20, 5000 + (n * 7 + w * 13) % 9000, (n * 5 + w * w) % 7, 0, 0
    from ${past}`)
  await run(`
    insert into ad_score_windows (profile_id, day, score_window, ad_id, spend_minor, impressions, clicks, link_clicks, video_impressions,
      video_views, thruplays, messaging_started, platform_conversions_milli, platform_value_minor, ranked_days, ranking_points,
      active_days, outcomes, cash_outcomes, pipeline_outcomes, messaging_outcomes, revenue_minor, pipeline_minor, cash_exposure_micro,
      pipeline_exposure_micro)
    select :profile, date '${day}' - 7 * w, v, ${id('a', 'n')}, f * (5000 + (n * 7 + w) % 4000), f * (4000 + (n * 11) % 3000),
      f * (40 + (n * 3) % 60), f * (30 + (n * 3 + w * 5) % 50), 0, 0, 0, 0, 0, 0, 0, 0, 7 * f, f * (n % 3), f * (n % 3), 0, 0,
      f * 5000, 0, f * 30000000, f * 30000000
    from ${past}, (values ('7d', 1), ('28d', 4)) as windows(v, f)`)
  for (const table of [
    'ad_score_days',
    'ad_score_windows',
    'ad_entities',
    'ad_creatives',
    'delivery_daily',
    'ad_attention_days',
    'ad_frequency_days',
    'credit_daily',
  ])
    await world.run(`analyze ${table}`)
}
