/** From past scorings through the gate to the API: a likelihood that is served, and one that is withheld. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { makeShop } from '../../../../test/make-shop.ts'
import { plantPastWeeks } from '../../../../test/planted/past-weeks.ts'
import { listTopPerformers } from './contract.ts'
import type { TopPerformerRow } from './fields.ts'
import { scoreDay } from './score-profile.ts'

const day = '2026-05-30'
const setting = { timezone: 'UTC', now: new Date(`${day}T23:59:00Z`), signal: new AbortController().signal }
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function scored(seed: string, follows: boolean) {
  const { profileId, call } = await makeShop(app)
  const ads = await plantPastWeeks(app.pool, profileId, { day, seed, follows })
  await scoreDay(app.service.db, { profileId, day }, setting)
  const { data, meta } = await call(listTopPerformers, { query: { limit: '50' } })
  return { ads, data, model: meta.model as { top: { status: string; reason: string | null } } }
}

describe('a score of the day', () => {
  const dated = ['delivery_daily', 'ad_attention_days', 'ad_frequency_days', 'credit_daily'] as const
  const scored = ['ad_score_runs', 'ad_score_days', 'ad_score_windows', 'ad_scores'] as const
  let profileId: string
  // Temporary tables belong to a connection.
  let client: pg.PoolClient
  const run = (text: string) => client.query(text.replaceAll(':profile', `'${profileId}'`))
  const hashOfDay = async () => {
    for (const table of scored)
      await run(`delete from ${table} where profile_id = :profile and day = '${day}'`)
    await scoreDay(app.service.db, { profileId, day }, setting)
    const { rows } = await run(
      `select result_hash from ad_score_runs where profile_id = :profile and day = '${day}'`,
    )
    return rows[0]!.result_hash as string
  }
  beforeAll(async () => {
    client = await app.pool.connect()
    profileId = (await makeShop(app)).profileId
    await plantPastWeeks(app.pool, profileId, { day, seed: 'later', follows: true })
    await run(`insert into ad_attention_days (profile_id, ad_id, day, link_clicks, video_views, thruplays, quality_ranking)
      select profile_id, entity_id, day, clicks - 1 - abs(hashtext(entity_id::text || day)) % 5, 40, 9, 0 from delivery_daily
      where profile_id = :profile`)
    await run(`insert into ad_frequency_days (profile_id, ad_id, day, frequency_milli)
      select profile_id, entity_id, day, 1500 + abs(hashtext(day || entity_id::text)) % 900 from delivery_daily
      where profile_id = :profile`)
  })

  afterAll(() => client.release(true))

  it('is not changed by data of later days', async () => {
    const before = await hashOfDay()
    for (const table of [...dated, ...scored])
      await run(`create temporary table later_${table} as select * from ${table} where profile_id = :profile`)
    for (const [table, change] of [
      ['delivery_daily', 'clicks = clicks * 3, spend_minor = 1'],
      ['ad_attention_days', 'link_clicks = link_clicks * 4, quality_ranking = -1'],
      ['ad_frequency_days', 'frequency_milli = 9000'],
      ['credit_daily', 'last_touch_count = 50'],
      ['ad_score_days', `settled_cash = 60, status = 'PAUSED'`],
      ['ad_score_windows', 'link_clicks = 1, impressions = 9000'],
      ['ad_score_runs', `lags = '{"cash":[0,0,90],"pipeline":[90]}'`],
    ])
      await run(
        `with changed as (update later_${table} set ${change} returning *) select count(*) from changed`,
      )
    // Copies everything to later days: what a later scoring would read, and what it would have appended.
    for (const [tables, after] of [
      [dated, 1],
      [scored, 7],
    ] as const)
      for (const table of tables)
        await run(`update later_${table} set day = '${day}'::date + ${after} + (day - (select min(day) from later_${table}));
          insert into ${table} select * from later_${table}`)
    const { rows } = await run(
      `select count(*)::integer as later from delivery_daily where profile_id = :profile and day > '${day}'`,
    )
    expect(rows[0]!.later).toBeGreaterThan(2000)
    // An ad that was first shown on the day after.
    await run(`create temporary table later_ad as select * from ad_entities where profile_id = :profile and level = 'ad' limit 1;
      update later_ad set id = gen_random_uuid(), external_id = 'later';
      insert into ad_entities select * from later_ad;
      update later_delivery_daily set entity_id = (select id from later_ad);
      insert into delivery_daily select * from later_delivery_daily where level = 'ad' order by day limit 1`)
    expect(await hashOfDay()).toBe(before)
    const { rows: scoredDays } = await run(
      `select count(*)::integer as days from ad_score_days where profile_id = :profile and day = '${day}' and ad_id = (select id from later_ad)`,
    )
    expect(scoredDays[0]!.days).toBe(0)
  })

  longIt('does not depend on the physical order of rows', async () => {
    const before = await hashOfDay()
    const otherTables = [
      'ad_score_runs',
      'ad_score_days',
      'ad_score_windows',
      'ad_entities',
      'ad_creatives',
    ] as const
    for (const table of [...dated, ...otherTables])
      await run(`create temporary table mixed_${table} as select * from ${table} where profile_id = :profile;
        delete from ${table} where profile_id = :profile;
        insert into ${table} select m.* from mixed_${table} m order by md5(m::text)`)
    expect(await hashOfDay()).toBe(before)
    // The hash covers the day's data: one more click changes it.
    await run(`update ad_attention_days set link_clicks = link_clicks + 1 where profile_id = :profile
      and day = '${day}' and ad_id = (select min(ad_id::text)::uuid from ad_attention_days where profile_id = :profile)`)
    expect(await hashOfDay()).not.toBe(before)
  })
})

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const likelihood = (row: TopPerformerRow) => row.top_performer_likelihood.value!

it('is served if past weeks predict the next, with its backtest', async () => {
  const { ads, data, model } = await scored('follows', true)
  expect(model.top).toMatchObject({ status: 'served', reason: null })
  expect(model.top).toMatchObject({
    ad_weeks: expect.toSatisfy((weeks: number) => weeks >= 200),
    positives: expect.toSatisfy((cases: number) => cases >= 30),
    skill_over_base_rate_low: expect.toSatisfy((low: number) => low > 0),
    skill_over_persistence_low: expect.toSatisfy((low: number) => low > 0),
    calibration_slope: expect.toSatisfy((slope: number) => slope >= 0.7 && slope <= 1.4),
  })
  for (const row of data) {
    expect(row.top_performer_likelihood).toMatchObject({ status: 'served', reason: null })
    expect(row).toMatchObject({ score_source: 'model', model_version: 1 })
    expect(likelihood(row)).toBeGreaterThan(0)
    expect(likelihood(row)).toBeLessThan(1)
  }
  expect(new Set(data.map((row) => row.maturity_stage))).toContain('calibrated')
  const truths = new Map(ads.map((ad) => [ad.externalId, ad.truth]))
  const byTruth = data.toSorted((a, b) => truths.get(b.ad_external_id)! - truths.get(a.ad_external_id)!)
  const [best, worst] = [byTruth.slice(0, 12).map(likelihood), byTruth.slice(-12).map(likelihood)]
  expect(mean(best)).toBeGreaterThan(2 * mean(worst))
})

it('is withheld with a reason if past weeks do not predict the next', async () => {
  const { data, model } = await scored('apart', false)
  expect(model.top).toMatchObject({ status: 'withheld', reason: 'no_skill' })
  for (const row of data) {
    expect(row.top_performer_likelihood).toEqual({ value: null, status: 'withheld', reason: 'no_skill' })
    expect(row).toMatchObject({ score_source: 'rules', model_version: null })
    expect(row.maturity_stage).not.toBe('calibrated')
  }
})
