import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../../../test/make.ts'
import { plantScores } from '../../../../test/planted/scores.ts'
import { listCreativeArchetypes, listCreativeDimensions, listCreativePatterns } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId, { name: 'Shop', currency: 'EUR' })
  await plantScores(app.pool, profileId)
})
afterAll(() => app.close())

it('the simulated trait wins, with money in the profile’s currency', async () => {
  const { data } = await owner.call(listCreativeDimensions, { params: { workspaceId } })
  const row = data.find(({ dimension }) => dimension === 'question')!
  expect(row).toMatchObject({ value: 'yes', verdict: 'winning', currency: 'EUR', profiles: 1 })
  expect(row.lift_low).toBeGreaterThan(1)
  // Its ads, highest spend first.
  expect(new Set(row.ad_ids).size).toBe(Math.min(100, row.ads))
  const spent = await app.pool.query<{ id: string; spend: number }>(
    `select ad_id as id, max(spend_minor)::float8 as spend from ad_scores
     where profile_id = $1 and score_window = '28d' and ad_id = any($2) group by 1`,
    [profileId, row.ad_ids],
  )
  const spendOf = new Map(spent.rows.map(({ id, spend }) => [id, spend]))
  const spends = row.ad_ids.map((id) => spendOf.get(id)!)
  expect(spends).toEqual(spends.toSorted((a, b) => b - a))
  expect(row.confounded_with).toContain('hook_type')
  expect(data.find(({ dimension }) => dimension === 'call_to_action')!.verdict).toBe('unclear')
  const repeated = await owner.call(listCreativeDimensions, { params: { workspaceId } })
  expect(repeated.data).toEqual(data)
})

it('returns pairs and archetypes, not visible to other workspaces', async () => {
  const pairs = await owner.call(listCreativePatterns, { params: { workspaceId } })
  expect(pairs.data.length).toBeGreaterThan(0)
  for (const pair of pairs.data) expect(pair.profiles_agreeing).toBeLessThanOrEqual(pair.profiles)
  const { data } = await owner.call(listCreativeArchetypes, { params: { workspaceId } })
  expect(data.map(({ archetype }) => archetype)).toContain('question')
  for (const kind of data) {
    expect(kind.ad_ids).toHaveLength(Math.min(100, kind.ads))
    expect(kind.ad_ids.slice(0, 5)).toEqual(kind.sample_ad_ids)
  }
  const { rows } = await app.pool.query(
    `select count(*) filter (where above_median >= 0.9)::integer as winners from ad_scores where profile_id = $1`,
    [profileId],
  )
  expect(rows[0]!.winners).toBeGreaterThan(10)
  expect(Math.round(data.reduce((sum, { ads, win_rate: rate }) => sum + ads * rate, 0))).toBe(
    rows[0]!.winners,
  )
  const other = await makePerson(app, 'Other')
  const otherWorkspaceId = await makeWorkspace(other)
  await makeProfile(other, otherWorkspaceId)
  expect(
    (await other.call(listCreativeDimensions, { params: { workspaceId: otherWorkspaceId } })).data,
  ).toEqual([])
})
