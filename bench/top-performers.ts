/**
 * Scores a profile of many ads and asks for its leaderboard.
 *
 *   node bench/top-performers.ts [ads=20000] [requests=200]
 *
 * Bounds: scoring ≤ 30 s and ≤ 256 MB, GET p95 ≤ 25 ms at 20,000 ads.
 */
import { scoreDay } from '@whence/server/features/top-performers/score-profile.ts'
import { printLatency } from './latency.ts'
import { openWorld } from './world.ts'

const ads = Number(process.argv[2] ?? 20_000)
const requests = Number(process.argv[3] ?? 200)
const DAYS = 60
const day = '2026-06-30'
const world = await openWorld()
try {
  await world.once(`${ads} ads`, fill)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const begin = performance.now()
  await world.run('delete from ad_score_runs')
  await scoreDay(
    world.service.patientDb,
    { profileId: world.profileId, day },
    { timezone: 'UTC', now: new Date('2026-07-01T06:00:00Z'), signal: new AbortController().signal },
  )
  clearInterval(watch)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  console.log(
    `${ads} ads over ${DAYS} days scored in ${seconds} s, ${mebibytes(peak - before)} MiB above ${mebibytes(before)}`,
  )
  for (const query of [
    '',
    '?window=lifetime&limit=50',
    '?formats=video&has_video=true&min_spend=100&limit=50',
  ])
    await printLatency(world, `GET /top-performers${query}`, requests, () => `/top-performers${query}`)
} finally {
  await world.close()
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
  for (const table of [
    'ad_entities',
    'ad_creatives',
    'delivery_daily',
    'ad_attention_days',
    'ad_frequency_days',
    'credit_daily',
  ])
    await world.run(`analyze ${table}`)
}
