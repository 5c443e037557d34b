import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../../test/make.ts'
import { plantCreatives } from '../../../test/planted/creatives.ts'
import { uuidv5 } from '../../secrets/uuid5.ts'
import { listCreativeArchetypes, listCreativeDimensions, listCreativePatterns } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
const DAY = '2026-11-15'

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId, { name: 'Shop', currency: 'EUR' })
  await plantScores()
})
afterAll(() => app.close())

/** Scores as a scoring leaves them, of ads whose questions were planted to do 1.6 times as well. */
async function plantScores(): Promise<void> {
  const effect = (traits: { question: string | null }) => (traits.question === 'yes' ? 1.6 : 1)
  const rows = plantCreatives({ seed: 1, ads: 300, effect }).map((ad) => {
    const shape = 1 / (1 / ad.weight - 0.1)
    return {
      id: uuidv5(profileId, ad.id),
      campaign_id: uuidv5(profileId, ad.campaignId),
      external_id: ad.id,
      spend_minor: ad.spendMinor,
      above_median: ad.isWinner ? 0.95 : 0.5,
      posterior_shape: shape,
      posterior_rate: shape / Math.exp(ad.logRate),
      format: ad.traits.format,
      title: ad.traits.question === 'yes' ? 'Do you cook every day?' : 'Why we still plane by hand',
      cta_type: ad.traits.call_to_action,
    }
  })
  const from = `from jsonb_to_recordset($2::jsonb) as r(id uuid, campaign_id uuid, external_id text, spend_minor bigint,
    above_median float8, posterior_shape float8, posterior_rate float8, format text, title text, cta_type text)`
  const plant = (text: string) => app.pool.query(`${text} ${from}`, [profileId, JSON.stringify(rows)])
  await plant(`insert into ad_entities (profile_id, id, level, external_id, source, campaign_id, updated_at)
    select $1, r.id, 'ad', r.external_id, 'social_ads', r.campaign_id, now()`)
  await plant(`insert into ad_creatives (profile_id, ad_id, format, title, cta_type, updated_at)
    select $1, r.id, r.format, r.title, r.cta_type, now()`)
  await plant(`insert into ad_scores (profile_id, day, score_window, ad_id, maturity_stage, truth_grade, primary_outcome_kind,
      objective, format, has_video, spend_minor, fatigue, above_median, posterior_shape, posterior_rate, facts)
    select $1, '${DAY}', '28d', r.id, 'mature', 'observed', 'payment', 'sales', 'static', false, r.spend_minor, 'low',
      r.above_median, r.posterior_shape, r.posterior_rate, '{}'`)
  await app.pool.query(
    `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
     values ($1, '${DAY}', 'done', 1, 1, 300, '{}', now())`,
    [profileId],
  )
}

it('the planted trait wins, with its money in the profile’s currency', async () => {
  const { data } = await owner.call(listCreativeDimensions, { params: { workspaceId } })
  const row = data.find(({ dimension }) => dimension === 'question')!
  expect(row).toMatchObject({ value: 'yes', verdict: 'winning', currency: 'EUR', profiles: 1 })
  expect(row.lift_low).toBeGreaterThan(1)
  expect(row.confounded_with).toContain('hook_type')
  expect(data.find(({ dimension }) => dimension === 'call_to_action')!.verdict).toBe('unclear')
  const again = await owner.call(listCreativeDimensions, { params: { workspaceId } })
  expect(again.data).toEqual(data)
})

it('pairs and archetypes are there, and nobody else sees them', async () => {
  const pairs = await owner.call(listCreativePatterns, { params: { workspaceId } })
  expect(pairs.data.length).toBeGreaterThan(0)
  for (const pair of pairs.data) expect(pair.profiles_agreeing).toBeLessThanOrEqual(pair.profiles)
  const { data } = await owner.call(listCreativeArchetypes, { params: { workspaceId } })
  expect(data.map(({ archetype }) => archetype)).toContain('question')
  const other = await makePerson(app, 'Other')
  const elsewhere = await makeWorkspace(other)
  await makeProfile(other, elsewhere)
  expect((await other.call(listCreativeDimensions, { params: { workspaceId: elsewhere } })).data).toEqual([])
})
