import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCreative } from '../../../../test/ad-world.ts'
import type { TestClient } from '../../../../test/answers.ts'
import type { TestApp } from '../../../../test/app.ts'
import { refusalOf } from '../../../../test/make.ts'
import { openReportedWorld, type ReportedWorld, range } from '../../../../test/reported-world.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { comparePlatforms, getCampaign, listCampaignConversions, listCampaigns } from './contract.ts'

let app: TestApp
let profileId: string
let call: TestClient
let idOf: ReportedWorld['idOf']
beforeAll(async () => {
  ;({ app, profileId, call, idOf } = await openReportedWorld())
})
afterAll(() => app.close())

it('entities of any level are found by platform id; a campaign takes precedence', async () => {
  const entity = async (id: string) => (await call(getCampaign, { params: { id }, query: range })).data
  expect(await entity('A3')).toMatchObject({ entity_level: 'ad', campaign_id: idOf('ad', 'A3') })
  expect(await entity(idOf('ad', 'A3'))).toEqual(await entity('A3'))
  const credited = async (id: string) =>
    (await call(listCampaignConversions, { params: { id }, query: range })).data
  expect(await credited('A3')).not.toEqual([])
  expect(await credited('A3')).toEqual(await credited(idOf('ad', 'A3')))
  await app.pool.query(
    `insert into ad_entities (profile_id, id, level, external_id, updated_at) values ($1, gen_random_uuid(), 'ad', 'C1', now())`,
    [profileId],
  )
  expect(await entity('C1')).toMatchObject({ entity_level: 'campaign' })
  await app.pool.query(
    `delete from ad_entities where profile_id = $1 and level = 'ad' and external_id = 'C1'`,
    [profileId],
  )
})

it('an ad has its creative, a campaign the creatives of the ads with the most spend', async () => {
  const details = ['A1', 'A2', 'A3'].map((ad) =>
    makeCreative(ad, { title: `Title of ${ad}`, thumbnailUrl: `https://pictures.example/${ad}` }),
  )
  await inTransaction(app.service.db, (tx) => saveAdDetails(tx, profileId, details, new Date()))
  const creatives = async (id: string) =>
    (await call(getCampaign, { params: { id }, query: range })).data.creatives
  const [creative, ...extraCreatives] = await creatives('A3')
  expect(creative).toMatchObject({ campaign_id: idOf('ad', 'A3'), name: 'Name of A3', title: 'Title of A3' })
  expect(creative!.thumbnail_url).toMatch(/^http[^ ]*\/thumbnails\/[^ ]*\.webp$/)
  expect(extraCreatives).toEqual([])
  expect((await creatives('C1')).map(({ name }) => name)).toEqual(['Name of A2', 'Name of A1'])
  expect(await creatives('S2')).toEqual([creative])
})

describe('GET /campaigns', () => {
  it('ranks campaigns by attributed value, and separates cash from all conversions', async () => {
    const { data, meta } = await call(listCampaigns, { query: range })
    expect(data).toEqual([
      {
        campaign_id: idOf('campaign', 'C2'),
        platform_id: 'C2',
        campaign_name: 'Name of C2',
        spend: 40,
        outcome_count: 1,
        outcome_credit: 1,
        fx_missing: 0,
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
        outcome_credit: 1,
        fx_missing: 0,
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
    const repeated = await call(listCampaigns, { query: range })
    expect(repeated.meta.result_hash).toBe(meta.result_hash)
    const first = await call(listCampaigns, { query: { ...range, model: 'first_touch' } })
    expect(first.meta.result_hash).not.toBe(meta.result_hash)
    expect(first.meta.lookback_days).toBe(90)
  })

  it('credits by the requested model', async () => {
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
      new_customer_count: 1,
      new_customer_value: 100,
      new_customer_cac: 40,
      new_customer_roas: 2.5,
      outcome_count: 1,
      outcome_credit: 1,
      fx_missing: 0,
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
      platform_actions: [],
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
      reach: null,
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

  it('returns null for a divisor of 0, and rows with only spend or only revenue', async () => {
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
        outcome_credit: 0,
        fx_missing: 0,
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
      expect(await refusalOf(call(listCampaigns, { query }))).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      })
  })
})

it('counts a shared payment without an exchange rate once, and reports its money as null', async () => {
  const ads = [{ ad_id: 'A1' }, { ad_id: 'A3' }, { campaign_id: 'C2' }]
  const visits = ads.map((ad, index) => ({
    event_name: 'visit',
    anonymous_id: 'eve',
    timestamp: `2026-09-0${index + 1}T10:00:00Z`,
    ad,
  }))
  const payment = {
    event_name: 'payment_received',
    anonymous_id: 'eve',
    timestamp: '2026-09-05T10:00:00Z',
    idempotency_key: 'eve-1',
    properties: { value: 5, currency: 'USD' },
  }
  await call(sendEvents, { body: { events: [...visits, payment] } })
  await app.service.processor.settled(profileId)
  const september = { date_from: '2026-09-01', date_to: '2026-09-30' }
  for (const model of ['linear', 'time_decay'] as const) {
    for (const level of ['campaign', 'ad_set', 'ad'] as const) {
      const { data, total, meta } = await call(listCampaigns, { query: { ...september, model, level } })
      expect(data.map((row) => [row.fx_missing, row.outcome_value])).toEqual([
        [1, null],
        [1, null],
      ])
      expect(total).toMatchObject({ fx_missing: 1, outcome_count: 1, outcome_value: null })
      expect(meta.fx_missing).toBe(1)
    }
    const { data } = await call(comparePlatforms, { query: { ...september, model, level: 'ad' } })
    const unknown = { atribu_cash_conversions: 1, atribu_cash_revenue: null }
    expect(data.platforms).toMatchObject([{ platform: 'social', ...unknown }])
    // The visit that named only the campaign has a part of the payment too.
    expect(data.rows.filter((row) => row.kind === 'not_assigned')).toMatchObject([unknown])
  }
})
