import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { entityId } from '../../facts/ads/entities.ts'
import { campaignTrend, getCampaign, getOverview, listCampaigns } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client
const range = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile(['events:write', 'campaigns:read']))
  await makeAdWorld(app, profileId, call)
})
afterAll(() => app.close())

it('sums the profile: all revenue, the credited part, and ratios of the credited part', async () => {
  const { data, meta } = await call(getOverview, { query: range })
  expect(data.totals).toEqual({
    spend: 70,
    revenue: 150,
    credited_revenue: 130,
    payments: 3,
    credited_payments: 2,
    outcome_credit: 2,
    total_roas: 2.142857,
    roas: 1.857143,
    cac: 35,
  })
  expect(meta).toMatchObject({ reconciliation: { total: 150, credited: 130, unattributed: 20, delta: 0 } })
})

it('a report without a row per entity has the same reconciliation as one with rows', async () => {
  const id = entityId(profileId, 'campaign', 'C1')
  for (const model of ['last_touch', 'linear'] as const) {
    const query = { ...range, model }
    const { meta } = await call(listCampaigns, { query })
    expect(meta.reconciliation).toMatchObject({ credited: 130, unattributed: 20 })
    const page = await call(getCampaign, { params: { id }, query })
    const trend = await call(campaignTrend, { query: { ...query, entity_ids: id } })
    expect(page.meta.reconciliation).toEqual(meta.reconciliation)
    expect(trend.meta.reconciliation).toEqual(meta.reconciliation)
  }
})

it('has every day of the range, and the days add up to the totals', async () => {
  const { data } = await call(getOverview, { query: range })
  expect(data.days).toHaveLength(31)
  expect(data.days[3]).toEqual({
    date: '2026-05-04',
    spend: 0,
    revenue: 100,
    credited_revenue: 100,
    payments: 1,
  })
  expect(data.days[30]).toEqual({
    date: '2026-05-31',
    spend: 0,
    revenue: 0,
    credited_revenue: 0,
    payments: 0,
  })
  for (const measure of ['spend', 'revenue', 'credited_revenue', 'payments'] as const)
    expect(data.days.reduce((sum, day) => sum + (day[measure] ?? Number.NaN), 0)).toBe(data.totals[measure])
})

it('shows only entities of the requested parent', async () => {
  const idsIn = async (level: 'ad_set' | 'ad', parent: 'campaign' | 'ad_set', externalId: string) => {
    const query = { ...range, level, parent_id: entityId(profileId, parent, externalId) }
    return (await call(listCampaigns, { query })).data.map((row) => row.platform_id)
  }
  expect(await idsIn('ad_set', 'campaign', 'C1')).toEqual(['S1'])
  expect(await idsIn('ad', 'campaign', 'C1')).toEqual(['A2', 'A1'])
  expect(await idsIn('ad', 'ad_set', 'S2')).toEqual(['A3'])
})
