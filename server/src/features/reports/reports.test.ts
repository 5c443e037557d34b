import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, refusalOf } from '../../../test/make.ts'
import type { Client } from '../../contract/client.ts'
import { inTransaction } from '../../db/database.ts'
import { entityId } from '../ads/entities.ts'
import { loadAttributionProfile } from '../attribution/settings.ts'
import { eventIdOf, hashOf } from '../events/rules.ts'
import { recomputePayers, saveRefunds } from '../payments/refunds.ts'
import {
  adTrend,
  campaignTrend,
  comparePlatforms,
  getAd,
  getAdIdQuality,
  getUnattributed,
  listCampaignConversions,
  listCampaigns,
} from './contract.ts'

let app: TestApp
let profileId: string
let call: Client
const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
const idOf = (level: 'campaign' | 'ad_set' | 'ad', externalId: string) =>
  entityId(profileId, level, externalId)

beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app)
  profileId = await makeProfile(person, await makeWorkspace(person))
  call = app.as(await makeKey(app, profileId, ['events:write', 'campaigns:read', 'conversions:read']))
  await makeAdWorld(app, profileId, call)
  // Bob gets 10 back on the 8th.
  await inTransaction(app.service.db, async (tx) => {
    const profile = await loadAttributionProfile(tx, profileId)
    const changed = await saveRefunds(
      tx,
      profile,
      [
        {
          id: '00000000-0000-4000-8000-000000000001',
          paymentId: eventIdOf(profileId, 'bob-1'),
          kind: 'provider',
          externalId: null,
          occurredAt: new Date('2026-05-08T10:00:00Z'),
          amountMinor: 1000,
          currency: 'EUR',
          reason: null,
        },
      ],
      new Date(),
    )
    await recomputePayers(tx, profile, changed, new Date())
  })
})
afterAll(() => app.close())

describe('GET /campaigns', () => {
  it('ranks campaigns by attributed value, with cash apart from every conversion', async () => {
    const { data, meta } = await call(listCampaigns, { query: range })
    expect(data).toEqual([
      {
        campaign_id: idOf('campaign', 'C2'),
        platform_id: 'C2',
        campaign_name: 'Name of C2',
        spend: 40,
        outcome_count: 1,
        outcome_value: 100,
        roas: 2.5,
        attributed_outcome_count: 1,
        attributed_outcomes_by_type: { payment_received: 1 },
      },
      {
        campaign_id: idOf('campaign', 'C1'),
        platform_id: 'C1',
        campaign_name: 'Name of C1',
        spend: 30,
        outcome_count: 1,
        outcome_value: 20,
        roas: 0.666667,
        attributed_outcome_count: 2,
        attributed_outcomes_by_type: { lead_created: 1, payment_received: 1 },
      },
    ])
    expect(meta).toMatchObject({
      profile_id: profileId,
      ...range,
      model: 'last_touch',
      lookback_days: 30,
      reconciliation: { total: 140, credited: 120, unattributed: 20, delta: 0 },
      freshness: { stale: false },
      currency: 'EUR',
      fx_missing: 0,
    })
    expect(meta.result_hash).toMatch(/^[0-9a-f]{64}$/)
    const again = await call(listCampaigns, { query: range })
    expect(again.meta.result_hash).toBe(meta.result_hash)
    const first = await call(listCampaigns, { query: { ...range, model: 'first_touch' } })
    expect(first.meta.result_hash).not.toBe(meta.result_hash)
    expect(first.meta.lookback_days).toBe(90)
  })

  it('credits by the model that was asked for', async () => {
    const values = async (model: 'first_touch' | 'linear' | 'time_decay' | 'last_non_direct') => {
      const { data } = await call(listCampaigns, { query: { ...range, model } })
      return Object.fromEntries(
        data.map((row) => [
          row.platform_id,
          [row.outcome_count, row.outcome_value, row.attributed_outcome_count],
        ]),
      )
    }
    expect(await values('first_touch')).toEqual({ C1: [2, 120, 3], C2: [0, 0, 0] })
    expect(await values('linear')).toEqual({ C1: [2, 70, 3], C2: [1, 50, 1] })
    // Two days at a half-life of seven: 2^(-2/7) to 1, so A3 takes 54.93 of 100.
    expect(await values('time_decay')).toEqual({ C1: [2, 65.07, 3], C2: [1, 54.93, 1] })
    expect(await values('last_non_direct')).toEqual({ C1: [1, 20, 2], C2: [1, 100, 1] })
  })

  it('adds the detail fields at a level, and cuts at the limit', async () => {
    const { data } = await call(listCampaigns, { query: { ...range, level: 'ad', limit: '2' } })
    expect(data).toHaveLength(2)
    expect(data[0]).toEqual({
      campaign_id: idOf('ad', 'A3'),
      platform_id: 'A3',
      campaign_name: 'Name of A3',
      spend: 40,
      outcome_count: 1,
      outcome_value: 100,
      roas: 2.5,
      attributed_outcome_count: 1,
      attributed_outcomes_by_type: { payment_received: 1 },
      entity_level: 'ad',
      parent_name: 'Name of S2',
      impressions: 2000,
      clicks: 40,
      reach: null,
      ctr: 2,
      avg_cpm: 20,
      avg_cpc: 1,
      cac: 40,
      status: 'ACTIVE',
      objective: null,
      daily_budget: null,
      campaign_external_id: 'C2',
      ad_set_external_id: 'S2',
      messaging_conversations_started_7d: 3,
    })
    const adSets = await call(listCampaigns, { query: { ...range, level: 'ad_set' } })
    expect(adSets.data[1]).toMatchObject({
      platform_id: 'S1',
      parent_name: 'Name of C1',
      spend: 30,
      impressions: 1500,
      reach: 800,
      campaign_external_id: 'C1',
      ad_set_external_id: null,
      objective: 'SALES',
    })
    const campaigns = await call(listCampaigns, { query: { ...range, level: 'campaign' } })
    expect(campaigns.data[1]).toMatchObject({
      parent_name: null,
      daily_budget: 50,
      objective: 'SALES',
      cac: 30,
    })
  })

  it('gives null where a divisor is 0, and rows that only cost or only earned', async () => {
    const early = { date_from: '2026-05-01', date_to: '2026-05-03' }
    const { data } = await call(listCampaigns, { query: { ...early, level: 'campaign' } })
    expect(data.map((row) => [row.platform_id, row.roas, row.cac, row.outcome_value])).toEqual([
      ['C2', 0, null, 0],
      ['C1', 0, null, 0],
    ])
    const late = await call(listCampaigns, { query: { date_from: '2026-05-08', date_to: '2026-05-08' } })
    expect(late.data).toEqual([
      expect.objectContaining({
        platform_id: 'C1',
        outcome_value: -10,
        outcome_count: 0,
        roas: null,
        attributed_outcome_count: 0,
        attributed_outcomes_by_type: {},
      }),
    ])
  })

  it('refuses bad ranges and parameters with their codes', async () => {
    const bad = [
      {},
      { date_from: '2026-05-01' },
      { date_from: '2026-02-30', date_to: '2026-03-01' },
      { date_from: '2026-05-02', date_to: '2026-05-01' },
      { date_from: '2025-01-01', date_to: '2026-01-02' },
    ]
    for (const query of bad)
      expect(await refusalOf(call(listCampaigns, { query }))).toMatchObject({
        status: 400,
        code: 'invalid_date_range',
      })
    for (const query of [
      { ...range, model: 'best' },
      { ...range, level: 'account' },
      { ...range, limit: '101' },
      { ...range, limit: '0' },
    ])
      expect(await refusalOf(call(listCampaigns, { query: query as never }))).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      })
  })
})

it('says what nobody was credited with, so that rows and remainder make the whole', async () => {
  const { data, meta } = await call(getUnattributed, { query: range })
  expect(data).toEqual({
    outcome_count: 1,
    outcome_value: 20,
    attributed_outcome_count: 2,
    attributed_outcomes_by_type: { lead_created: 1, payment_received: 1 },
  })
  expect(meta.reconciliation).toMatchObject({ delta: 0, unattributed: 20 })
})

it('shows daily delivery of the entities asked for, in their order', async () => {
  const ids = [idOf('campaign', 'C2'), idOf('campaign', 'C1')]
  const { data, meta } = await call(campaignTrend, { query: { ...range, entity_ids: ids.join(',') } })
  expect(data).toEqual([
    { entity_id: ids[0], date: '2026-05-03', spend: 40, impressions: 2000, clicks: 40 },
    { entity_id: ids[1], date: '2026-05-01', spend: 4, impressions: 400, clicks: 4 },
    { entity_id: ids[1], date: '2026-05-02', spend: 26, impressions: 1100, clicks: 11 },
  ])
  expect(meta).toMatchObject({ ...range, profile_id: profileId })
  expect(meta.result_hash).toBe(hashOf(data).toString('hex'))
  const ads = await call(adTrend, { query: { ...range, entity_ids: idOf('ad', 'A3') } })
  expect(ads.data).toEqual([
    {
      entity_id: idOf('ad', 'A3'),
      date: '2026-05-03',
      spend: 40,
      impressions: 2000,
      clicks: 40,
      messaging_conversations_started_7d: 3,
    },
  ])
  expect(ads.meta.result_hash).toBe(hashOf(ads.data).toString('hex'))
  for (const entity_ids of ['C1', Array.from({ length: 11 }, () => ids[0]).join(','), ''])
    expect(await refusalOf(call(campaignTrend, { query: { ...range, entity_ids } }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
})

it('lists the conversions behind a credit, page by page, with the ids that webhooks carry', async () => {
  const all = await call(listCampaignConversions, { params: { id: 'C1' }, query: range })
  expect(all.data.map((row) => [row.outcome_type, row.value, row.credit, row.credited_value])).toEqual([
    ['payment_received', 30, 1, 30],
    ['lead_created', null, 1, 0],
  ])
  expect(all.data[0]).toMatchObject({
    outcome_event_id: eventIdOf(profileId, 'bob-1'),
    occurred_at: '2026-05-05T10:00:00.000Z',
    currency: 'EUR',
  })
  expect(all.pagination).toEqual({ has_next: false, cursor: null })
  const query = { ...range, model: 'linear' as const, limit: '2' }
  const first = await call(listCampaignConversions, { params: { id: idOf('campaign', 'C1') }, query })
  const page = first.pagination as { has_next: boolean; cursor: string }
  expect(page.has_next).toBe(true)
  const second = await call(listCampaignConversions, {
    params: { id: idOf('campaign', 'C1') },
    query: { ...query, cursor: page.cursor },
  })
  expect([...first.data, ...second.data].map((row) => [row.credit, row.credited_value])).toEqual([
    [1, 30],
    [0.5, 50],
    [1, 0],
  ])
  expect(second.pagination).toEqual({ has_next: false, cursor: null })
  for (const id of ['nope', '00000000-0000-4000-8000-000000000000'])
    expect(await refusalOf(call(listCampaignConversions, { params: { id }, query: range }))).toMatchObject({
      status: 404,
      code: 'campaign_not_found',
    })
  expect(
    await refusalOf(
      call(listCampaignConversions, { params: { id: 'C1' }, query: { ...range, cursor: 'x' } }),
    ),
  ).toMatchObject({ status: 400, code: 'invalid_parameter' })
})

it('shows one ad by our id or the platform’s', async () => {
  const { data } = await call(getAd, { params: { id: 'A1' }, query: { ...range, model: 'linear' } })
  expect(data).toMatchObject({
    campaign_id: idOf('ad', 'A1'),
    spend: 10,
    reach: 800,
    outcome_value: 50,
    roas: 5,
    attributed_outcomes_by_type: { payment_received: 1 },
    status: 'ACTIVE',
  })
  expect((await call(getAd, { params: { id: idOf('ad', 'A1') }, query: range })).data.outcome_value).toBe(0)
  for (const id of ['A9', idOf('campaign', 'C1')])
    expect(await refusalOf(call(getAd, { params: { id }, query: range }))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
})

it('sets the platforms’ own conversions beside ours', async () => {
  const { data } = await call(comparePlatforms, { query: range })
  expect(data.platforms).toEqual([
    {
      platform: 'social',
      spend: 70,
      platform_conversions: 2.5,
      platform_conversion_value: '90.00',
      atribu_conversions: 3,
      atribu_cash_conversions: 2,
      atribu_cash_revenue: '120.00',
      conversion_gap: 0.5,
      conversion_gap_pct: 20,
      value_gap: '30.00',
      platform_roas: 1.285714,
      atribu_roas: 1.714286,
      reported_basis: '7d_click_1d_view',
      has_delivery: true,
      delivery_through: '2026-05-03',
      unassigned_conversions: 0,
      unassigned_cash_revenue: '0.00',
    },
    {
      platform: 'engine',
      spend: 0,
      platform_conversions: null,
      platform_conversion_value: null,
      atribu_conversions: 0,
      atribu_cash_conversions: 0,
      atribu_cash_revenue: '0.00',
      conversion_gap: null,
      conversion_gap_pct: null,
      value_gap: null,
      platform_roas: null,
      atribu_roas: null,
      reported_basis: 'conversion_action_settings',
      has_delivery: false,
      delivery_through: null,
      unassigned_conversions: 1,
      unassigned_cash_revenue: '0.00',
    },
  ])
  expect(data.rows.map((row) => [row.platform_id, row.platform_conversions, row.value_gap])).toEqual([
    ['C2', 2.5, '10.00'],
    ['C1', null, null],
  ])
})

it('counts a conversion that several rows share once in their platform’s total, at every level', async () => {
  for (const model of ['linear', 'time_decay'] as const)
    for (const level of ['campaign', 'ad_set', 'ad'] as const) {
      const { data, meta } = await call(comparePlatforms, { query: { ...range, model, level } })
      const [social] = data.platforms
      expect([model, level, social?.atribu_conversions, social?.atribu_cash_conversions]).toEqual([
        model,
        level,
        3,
        2,
      ])
      const counted = data.rows.reduce((sum, row) => sum + row.atribu_cash_conversions, 0)
      expect(counted).toBeGreaterThan(2)
      expect(social?.atribu_cash_revenue).toBe('120.00')
      expect(meta.reconciliation).toMatchObject({ credited: 120, delta: 0 })
    }
})

it('tells how many paid clicks named their ad', async () => {
  const { data } = await call(getAdIdQuality, { query: range })
  expect(data).toEqual({
    platforms: [
      {
        platform: 'engine',
        paid_clicks: 1,
        with_ad_id: 0,
        without_ad_id: 1,
        with_ad_id_pct: 0,
        unassigned_conversions: 1,
        unassigned_cash_revenue: '0.00',
      },
    ],
    unknown_ads: [],
    unknown_ads_total: 0,
  })
})

it('gives the same sums from spans of days as from single days', async () => {
  const { rows } = await sql<{ same: boolean }>`
    select (
      select jsonb_agg(d order by d.level, d.entity_id, d.start, d.outcome_type) from (
        select level, entity_id, outcome_type, date '1970-01-01' + ((day - date '1970-01-01') / 5) * 5 as start,
          sum(last_touch_count)::bigint as count, sum(linear_minor)::bigint as minor
        from credit_daily where profile_id = ${profileId} group by 1, 2, 3, 4) d
    ) = (
      select jsonb_agg(s order by s.level, s.entity_id, s.start, s.outcome_type) from (
        select level, entity_id, outcome_type, start, last_touch_count as count, linear_minor as minor
        from credit_spans where profile_id = ${profileId} and span = 5) s) as same`.execute(app.service.db)
  expect(rows).toEqual([{ same: true }])
})
