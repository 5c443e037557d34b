import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeShop } from '../../../../test/make-shop.ts'
import { plantRegions } from '../../../../test/planted/experiments.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { entityId } from '../../facts/ads/entities.ts'
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

/** A finished geo study: campaign T got it, the campaigns C0, C1, … did not; every credited payment is of 10.00. */
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
    const planted = [shop.profileId, entityId(shop.profileId, 'campaign', campaign), FIRST_DAY, days]
    await app.pool.query(
      `insert into credit_daily (profile_id, level, entity_id, day, outcome_type, revenue_type,
         last_touch_count, first_touch_count, linear_count, time_decay_count, last_non_direct_count,
         last_touch_minor, first_touch_minor, linear_minor, time_decay_minor, last_non_direct_minor)
       select $1, 'campaign', $2, $3::date + (place - 1)::int, 'payment', 'cash', n, n, n, n, n,
         1000 * n, 1000 * n, 1000 * n, 1000 * n, 1000 * n
       from unnest($4::bigint[]) with ordinality as days(n, place)`,
      planted,
    )
    await app.pool.query(
      `insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, fx_missing)
       select $1, 'campaign', $2, $3::date + (place - 1)::int, 'social_ads', 1000, 0
       from unnest($4::bigint[]) with ordinality as days(n, place)`,
      planted,
    )
  }
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
  const now = new Date(`${addDays(END, 90)}T06:00:00Z`)
  await decideExperiments({ db: app.service.db, now }, shop.profileId)
  const { data } = await shop.owner.call(listExperiments, { params: { workspaceId: shop.workspaceId } })
  return { shop, study: data[0]!, lifted: await listLiftedAds(app.service.db, { profileId: shop.profileId }) }
}

it('a geo study whose placebos hold in time and over regions gives its ads the grade lift', async () => {
  const { shop, study, lifted } = await plantStudy({ effect: 0.5, regions: 6 })
  expect(study).toMatchObject({ verdict: 'positive', truth_grade: 'lift' })
  expect(study.checks.placebo_ratio).toBeGreaterThan(1)
  expect(study.checks.region_placebo_ratio).toBeGreaterThan(1)
  expect([...lifted]).toEqual([entityId(shop.profileId, 'ad', 'A')])
})

it('a geo study with too few control regions, or regions that moved too, gives none', async () => {
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
