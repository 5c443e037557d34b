import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeShop } from '../../../../test/make-shop.ts'
import { plantRegions } from '../../../../test/planted/experiments.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { spans } from '../../../platform/contract/day-spans.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { getCampaign } from '../../insights/reports/contract.ts'
import { listLiftedAds } from '../top-performers/queries/lifted-ads.ts'
import { listExperiments } from './contract.ts'
import { decideExperiments } from './operations.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const FIRST_DAY = '2026-01-01'
const START = addDays(FIRST_DAY, 182)
const END = addDays(START, 28)

/** Fills `credit_spans` from `credit_daily`. */
async function sumSpans(profileId: string) {
  const columns = ['count', 'minor'].flatMap((unit) => models.map((model) => `${model}_${unit}`))
  for (const span of spans)
    await app.pool.query(
      `insert into credit_spans (profile_id, level, span, start, entity_id, outcome_type, revenue_type, ${columns})
       select profile_id, level, $2::int, '1970-01-01'::date + (day - '1970-01-01'::date) / $2::int * $2::int, entity_id, outcome_type,
         revenue_type, ${columns.map((column) => `sum(${column})`)}
       from credit_daily where profile_id = $1 group by 1, 2, 4, 5, 6, 7`,
      [profileId, span],
    )
}

const decide = (profileId: string) =>
  decideExperiments({ db: app.service.db, now: new Date(`${addDays(END, 90)}T06:00:00Z`) }, profileId)

/** A finished geo study: campaign T is treated, C0, C1, … are control; every credited payment is 10.00. */
async function plantStudy(world: Omit<Parameters<typeof plantRegions>[0], 'seed' | 'treated'>) {
  const shop = await makeShop(app)
  const { before, during, regions } = plantRegions({ seed: 3, treated: 1, ...world })
  const controls = regions.map((_, index) => `C${index}`)
  const series = new Map([
    ['T', [...before, ...during].map(({ treatment }) => treatment)],
    ...regions.map((region, index) => [`C${index}`, [...region.before, ...region.during]] as const),
  ])
  await saveRecords(app, shop.profileId, [
    ...[...series.keys()].map((campaign) => makeEntity('campaign', campaign)),
    makeEntity('ad_set', 'S', { campaignExternalId: 'T' }),
    makeEntity('ad', 'A', { campaignExternalId: 'T', adSetExternalId: 'S' }),
  ])
  for (const [campaign, days] of series) {
    const parameters = [shop.profileId, entityId(shop.profileId, 'campaign', campaign), FIRST_DAY, days]
    await app.pool.query(
      `insert into credit_daily (profile_id, level, entity_id, day, outcome_type, revenue_type,
         last_touch_count, first_touch_count, linear_count, time_decay_count, last_non_direct_count,
         last_touch_minor, first_touch_minor, linear_minor, time_decay_minor, last_non_direct_minor)
       select $1, 'campaign', $2, $3::date + (place - 1)::int, 'payment', 'cash', n, n, n, n, n,
         1000 * n, 1000 * n, 1000 * n, 1000 * n, 1000 * n
       from unnest($4::bigint[]) with ordinality as days(n, place)`,
      parameters,
    )
    await app.pool.query(
      `insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, fx_missing)
       select $1, 'campaign', $2, $3::date + (place - 1)::int, 'social_ads', 1000, 0
       from unnest($4::bigint[]) with ordinality as days(n, place)`,
      parameters,
    )
  }
  await sumSpans(shop.profileId)
  await app.pool.query(
    `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
     values ($1, $2, 'done', 9, 9, 1, '{"cash": [100], "pipeline": [100]}', now())`,
    [shop.profileId, END],
  )
  const cell = (name: string, isControl: boolean, campaigns: string[]) => ({
    name,
    isControl,
    percentage: null,
    population: null,
    campaigns,
    adSets: [],
  })
  await app.pool.query(
    `with study as (
       insert into experiments (profile_id, id, connection_id, provider, external_id, kind, name, cells, starts_at, ends_at, updated_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'social_ads', 'x', 'geo', 'Study', $2, $3, $4, now())
       returning profile_id, connection_id)
     insert into connection_syncs (profile_id, connection_id, state, pages, last_success_at, updated_at)
     select profile_id, connection_id, 'idle', 0, $5::timestamptz, now() from study`,
    [
      shop.profileId,
      JSON.stringify([cell('North', false, ['T']), cell('Elsewhere', true, controls)]),
      `${START}T00:00:00Z`,
      `${addDays(END, -1)}T23:59:59Z`,
      `${addDays(END, 60)}T00:00:00Z`,
    ],
  )
  await decide(shop.profileId)
  const { data } = await shop.owner.call(listExperiments, { params: { workspaceId: shop.workspaceId } })
  return { shop, study: data[0]!, lifted: await listLiftedAds(app.service.db, { profileId: shop.profileId }) }
}

it('a geo study that passes both placebo tests grades its ads lift', async () => {
  const { shop, study, lifted } = await plantStudy({ effect: 0.5, regions: 6 })
  expect(study).toMatchObject({ verdict: 'positive', truth_grade: 'lift' })
  expect(study.checks.placebo_ratio).toBeGreaterThan(1)
  expect(study.checks.region_placebo_ratio).toBeGreaterThan(1)
  expect([...lifted]).toEqual([entityId(shop.profileId, 'ad', 'A')])
})

/** Bypasses the cache: rows written by SQL do not increase the change number. */
const headers = { 'cache-control': 'no-cache' }
const inStudy = { date_from: START, date_to: addDays(END, -1) }

it('a study with the grade lift is shown next to the credit of its campaign and does not change it', async () => {
  const { shop, study } = await plantStudy({ effect: 0.5, regions: 6 })
  const campaign = async (id: string, query = inStudy) =>
    (await shop.call(getCampaign, { params: { id }, query, headers })).data
  const { calibration, outcome_value: credited, outcome_count: payments } = await campaign('T')
  expect(credited).toBe(10 * payments)
  const { effect, low, high } = study.own_reading!
  expect(calibration).toMatchObject({ experiment_id: study.id, kind: 'geo', level: 0.95 })
  expect(calibration!.factor).toBeCloseTo(effect / (1 + effect), 3)
  expect(calibration!.incremental_value).toBeCloseTo((credited! * effect) / (1 + effect), 1)
  expect(calibration!.incremental_low).toBeCloseTo((credited! * low) / (1 + low), 1)
  expect(calibration!.incremental_high).toBeCloseTo((credited! * high) / (1 + high), 1)
  // With the simulated lift of 50 %, a third of the payments are incremental.
  expect(calibration!.incremental_low).toBeLessThan(credited! / 3)
  expect(calibration!.incremental_high).toBeGreaterThan(credited! / 3)
  const week = await campaign('T', { date_from: START, date_to: addDays(START, 6) })
  expect(week.calibration!.incremental_value).toBeCloseTo(week.outcome_value! * calibration!.factor!, 0)
  expect((await campaign('C0')).calibration).toBeNull()
  expect((await campaign('A')).calibration).toBeNull()
  await app.pool.query(`delete from experiments where profile_id = $1`, [shop.profileId])
  const without = await campaign('T')
  expect(without).toMatchObject({ calibration: null, outcome_value: credited, outcome_count: payments })
})

it('a new verdict invalidates a cached response without it', async () => {
  const { shop } = await plantStudy({ effect: 0.5, regions: 6 })
  const read = async () =>
    (await shop.call(getCampaign, { params: { id: 'T' }, query: inStudy })).data.calibration
  await app.pool.query(`update experiments set decision = null where profile_id = $1`, [shop.profileId])
  expect(await read()).toBeNull()
  await decide(shop.profileId)
  expect(await read()).not.toBeNull()
})

it('a lift study is compared with the credit of its campaign in the same days', async () => {
  const { shop } = await plantStudy({ effect: 0, regions: 4 })
  const reading = { metric: 'conversions', effect: 0.25, low: 0.1, high: 0.5, level: 0.95 }
  const store = (decision: object, tested: number | null, kind = 'lift') =>
    app.pool.query(
      `update experiments set kind = $4, decision = $2,
         cells = jsonb_set(cells, '{0,outcomes}', $3::jsonb) where profile_id = $1`,
      [shop.profileId, JSON.stringify(decision), JSON.stringify(tested), kind],
    )
  const sold = (payments: number) =>
    app.pool.query(
      `insert into conversion_daily (profile_id, day, outcome_type, revenue_type, conversions, value_minor, fx_missing)
       values ($1, $2, 'payment', 'cash', $3, 0, 0)
       on conflict (profile_id, day, outcome_type, revenue_type) do update set conversions = $3`,
      [shop.profileId, START, payments],
    )
  const read = async (query = {}) =>
    (await shop.call(getCampaign, { params: { id: 'T' }, query: { ...inStudy, ...query }, headers })).data
  const basis = JSON.stringify([reading, {}, null, null])
  await sold(5000)
  await store({ verdict: 'positive', basis }, 500)
  const { calibration, outcome_value: credited, outcome_count: payments } = await read()
  // A fifth of the 500 conversions is incremental: 100 payments of 10.00.
  expect(calibration!.factor).toBeCloseTo(100 / payments, 3)
  expect(calibration!.incremental_value).toBeCloseTo(1000, 1)
  expect(calibration!.incremental_low).toBeCloseTo((10 * 500 * 0.1) / 1.1, 1)
  expect(calibration!.incremental_high).toBeCloseTo((10 * 500) / 3, 1)
  expect(credited).toBe(10 * payments)
  await store({ verdict: 'inconclusive', basis }, 500)
  expect((await read()).calibration).not.toBeNull()
  // No calibration: no count from the platform, invalid, undecided, a split test, or more than was sold.
  await store({ verdict: 'positive', basis }, null)
  expect((await read()).calibration).toBeNull()
  await store({ verdict: 'invalid', basis }, 500)
  expect((await read()).calibration).toBeNull()
  await store({ verdict: null, basis }, 500)
  expect((await read()).calibration).toBeNull()
  await store({ verdict: 'positive', basis }, 500, 'split')
  expect((await read()).calibration).toBeNull()
  await store({ verdict: 'positive', basis, proves: false }, 500, 'geo')
  expect((await read()).calibration).toBeNull()
  // Buyers are not conversions, and a fractional model counts a conversion in every row with a part of it.
  const buyersBasis = JSON.stringify([{ ...reading, metric: 'buyers' }, {}, null, null])
  await store({ verdict: 'positive', basis: buyersBasis }, 500)
  const people = (await read()).calibration!
  expect(people).toMatchObject({ factor: null, incremental_value: null })
  // A fifth of the 500 buyers is incremental; the credit in this test has no payments behind it.
  expect(people.buyers).toEqual({ incremental: 100, incremental_low: 45, incremental_high: 167, credited: 0 })
  // More buyers than payments: the platform counts other people.
  await sold(99)
  expect((await read()).calibration).toBeNull()
  await sold(5000)
  await store({ verdict: 'positive', basis: buyersBasis }, null)
  expect((await read()).calibration).toBeNull()
  await store({ verdict: 'positive', basis }, 500)
  expect((await read({ model: 'linear' })).calibration).toBeNull()
  expect((await read({ model: 'first_touch' })).calibration).not.toBeNull()
  await sold(99)
  expect((await read()).calibration).toBeNull()
  // A study that ends at midnight (Madrid time) does not include the day that begins then.
  await sold(5000)
  const lastDay = addDays(END, -1)
  await app.pool.query(`update experiments set ends_at = $2 where profile_id = $1`, [
    shop.profileId,
    `${lastDay}T00:00:00+02:00`,
  ])
  const { outcome_count: untilThen } = await read({ date_to: addDays(lastDay, -1) })
  expect(untilThen).toBeLessThan(payments)
  expect((await read()).calibration!.factor).toBeCloseTo(100 / untilThen, 4)
})

it('a geo study with too few control regions, or with control regions that changed too, does not grade ads', async () => {
  const few = await plantStudy({ effect: 0.5, regions: 2 })
  expect(few.study).toMatchObject({ verdict: 'positive', truth_grade: null })
  expect(few.study.checks.region_placebo_ratio).toBeNull()
  expect(few.lifted.size).toBe(0)
  const moved = await plantStudy({ effect: 0.5, shock: 0.3, regions: 6 })
  expect(moved.study.checks.placebo_ratio).toBeGreaterThan(1)
  expect(moved.study.checks.region_placebo_ratio).toBeLessThanOrEqual(1)
  expect(moved.study).toMatchObject({ verdict: 'inconclusive', truth_grade: null })
  expect(moved.lifted.size).toBe(0)
})
