/** A likelihood that has earned it, from past scorings through the gate to the API; and one that has not. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeShop } from '../../../test/make-shop.ts'
import { plantPastWeeks } from '../../../test/planted/past-weeks.ts'
import { listTopPerformers, type TopPerformerRow } from './contract.ts'
import { scoreDay } from './score-profile.ts'

const day = '2026-05-30'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function scored(seed: string, follows: boolean) {
  const { profileId, call } = await makeShop(app)
  const ads = await plantPastWeeks(app.pool, profileId, { day, seed, follows })
  const setting = { timezone: 'UTC', now: new Date(`${day}T23:59:00Z`), signal: new AbortController().signal }
  await scoreDay(app.service.db, { profileId, day }, setting)
  const { data, meta } = await call(listTopPerformers, { query: { limit: '50' } })
  return { ads, data, model: meta.model as { top: { status: string; reason: string | null } } }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const likelihood = (row: TopPerformerRow) => row.top_performer_likelihood.value!

it('is served where past weeks told what came, with the backtest that says so', async () => {
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

it('is withheld, and says why, where what came had nothing to do with what was known', async () => {
  const { data, model } = await scored('apart', false)
  expect(model.top).toMatchObject({ status: 'withheld', reason: 'no_skill' })
  for (const row of data) {
    expect(row.top_performer_likelihood).toEqual({ value: null, status: 'withheld', reason: 'no_skill' })
    expect(row).toMatchObject({ score_source: 'rules', model_version: null })
    expect(row.maturity_stage).not.toBe('calibrated')
  }
})
