import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { refusalOf } from '../../../../test/make.ts'
import { openReportedWorld, type ReportedWorld, range } from '../../../../test/reported-world.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { eventIdOf, hashOf } from '../../facts/events/rules.ts'
import {
  adTrend,
  campaignTrend,
  comparePlatforms,
  getAd,
  getAdIdQuality,
  getUnattributed,
  listCampaignConversions,
} from './contract.ts'

let app: TestApp
let profileId: string
let call: Client
let idOf: ReportedWorld['idOf']
beforeAll(async () => {
  ;({ app, profileId, call, idOf } = await openReportedWorld())
})
afterAll(() => app.close())

it('reports unattributed conversions, so that rows and remainder add up to the total', async () => {
  const { data, meta } = await call(getUnattributed, { query: range })
  expect(data).toEqual({
    new_customer_count: 1,
    new_customer_value: 20,
    outcome_count: 1,
    outcome_credit: 1,
    fx_missing: 0,
    outcome_value: 20,
    attributed_outcome_count: 2,
    attributed_outcomes_by_type: { lead_created: 1, payment_received: 1 },
  })
  expect(meta.reconciliation).toMatchObject({ delta: 0, unattributed: 20 })
})

it('shows daily delivery of the requested entities, in their order', async () => {
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

it('lists the conversions behind a credit, page by page, with the same ids as webhooks', async () => {
  const all = await call(listCampaignConversions, { params: { id: 'C1' }, query: range })
  expect(all.data.map((row) => [row.outcome_type, row.value, row.credit, row.credited_value])).toEqual([
    ['payment_received', -10, 1, -10],
    ['payment_received', 30, 1, 30],
    ['lead_created', null, 1, 0],
  ])
  const bob = { outcome_event_id: eventIdOf(profileId, 'bob-1'), revenue_type: 'cash', currency: 'EUR' }
  expect(all.data.slice(0, 2)).toMatchObject([
    { ...bob, kind: 'refund', occurred_at: '2026-05-08T10:00:00.000Z' },
    { ...bob, kind: 'conversion', refund_id: null, occurred_at: '2026-05-05T10:00:00.000Z' },
  ])
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
    [1, -10],
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
    reach: null,
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

it('shows the platforms’ own conversions next to ours', async () => {
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
      // The platform reports no conversions and no value for C1.
      compared: {
        entities: 1,
        valued_entities: 1,
        spend: 40,
        platform_conversions: 2.5,
        platform_conversion_value: '90.00',
        atribu_conversions: 1,
        atribu_cash_conversions: 1,
        atribu_cash_revenue: '100.00',
        conversion_gap: -1.5,
        conversion_gap_pct: -60,
        value_gap: '10.00',
        platform_roas: 2.25,
        atribu_roas: 2.5,
      },
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
      compared: null,
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

it('counts a conversion shared by several rows once in the platform total, at every level', async () => {
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

it('shows how many paid clicks named their ad', async () => {
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

it('spans of days have the same sums as their single days', async () => {
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
