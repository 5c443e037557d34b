/** Reports agree: every route that shows a figure uses the same definition of it. */
import { models } from '@whence/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adStructure, makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import type { TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { refusalOf, startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { startRecompute, updateAttributionSettings } from '../../attribution/crediting/contract.ts'
import { attributionJobs } from '../../attribution/crediting/jobs.ts'
import { createGoal } from '../../corrections/goals/contract.ts'
import { listPaymentLinkage, listPayments, recordRefund } from '../../corrections/payments/contract.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { comparePlatforms, getAdIdQuality, getOverview, getUnattributed, listCampaigns } from './contract.ts'

const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
const levels = ['campaign', 'ad_set', 'ad'] as const
const PEOPLE = 12

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile([
    'analytics:read',
    'events:write',
    'campaigns:read',
    'payments:read',
    'payments:write',
    'tracking:write',
  ]))
  await call(createGoal, {
    body: {
      display_name: 'Renewal',
      conversion_key: 'renewal',
      source_event_names: ['renewed'],
      outcome_type: 'renewal',
      revenue_type: 'cash',
      attribution_eligible: false,
    },
  })
  await saveRecords(app, profileId, [
    ...adStructure,
    makeDelivery('ad', 'A1', '2026-05-02', { spendMinor: 400_00, platformConversionsMilli: 3000 }),
    makeDelivery('ad', 'A3', '2026-05-03', { spendMinor: 100_00, platformConversionsMilli: 1000 }),
    // Delivery of a campaign without ads, and of an ad without a campaign.
    makeDelivery('campaign', 'C2', '2026-05-04', { spendMinor: 50_00, platformConversionsMilli: 2000 }),
    makeEntity('ad', 'A9'),
    makeDelivery('ad', 'A9', '2026-05-04', { spendMinor: 25_00 }),
  ])
  const visits = [
    { ad: { ad_id: 'A1' } },
    { ad: { ad_id: 'A3' } },
    { ad: { campaign_id: 'C2' } },
    { ad: { ad_id: 'A9' } },
    { click_ids: { fbclid: 'x' }, utm: { medium: 'paid_social' } },
    { session_id: 'direct' },
  ]
  const events = Array.from({ length: PEOPLE }, (_, n) => [
    ...[0, 1, 2].slice(0, 1 + (n % 3)).map((step) => ({
      event_name: 'visit',
      anonymous_id: `p${n}`,
      timestamp: `2026-05-0${2 + step}T10:00:00Z`,
      ...visits[(n + step * 2) % visits.length]!,
    })),
    {
      event_name: 'payment_received',
      anonymous_id: `p${n}`,
      timestamp: `2026-05-1${n % 5}T10:00:00Z`,
      idempotency_key: `paid ${n}`,
      properties: { value: (50_01 + n * 17) / 100 },
    },
    {
      event_name: 'payment_received',
      anonymous_id: `p${n}`,
      timestamp: '2026-05-20T10:00:00Z',
      idempotency_key: `sent without an amount ${n}`,
    },
    {
      event_name: 'renewed',
      anonymous_id: `p${n}`,
      timestamp: '2026-05-21T10:00:00Z',
      idempotency_key: `renewed ${n}`,
      properties: { value: 9.99 },
    },
  ]).flat()
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
  await call(recordRefund, {
    params: { payment_id: eventIdOf(profileId, 'paid 4') },
    body: { amount: 10.01, refunded_at: '2026-05-25T10:00:00Z' },
  })
})
afterAll(() => app.close())

const cents = (value: number | string | null) => Math.round(Number(value ?? Number.NaN) * 100)

describe('all cash', () => {
  it('is the sum of all payments with an amount, including those that may not be credited', async () => {
    const { data: payments } = await call(listPayments, {
      query: { from: '2026-05-01T00:00:00Z', to: '2026-05-31T23:59:59Z', limit: '200' },
    })
    const net = payments.reduce((sum, payment) => sum + cents(payment.net_value), 0)
    expect(payments).toHaveLength(PEOPLE * 2)
    for (const model of models) {
      const { data, meta } = await call(getOverview, { query: { ...range, model } })
      expect(cents(data.totals.revenue)).toBe(net)
      expect(data.totals.payments).toBe(payments.length)
      expect(meta.reconciliation).toMatchObject({ total: net / 100, delta: 0 })
    }
  })

  it('counts a payment event without an amount as an outcome, but not as a payment', async () => {
    const { total } = await call(listCampaigns, { query: { ...range, model: 'first_touch' } })
    const { data: unattributed } = await call(getUnattributed, { query: { ...range, model: 'first_touch' } })
    const all = total as { attributed_outcomes_by_type: Record<string, number>; outcome_count: number }
    const paymentEvents = (counts: Record<string, number>) => counts.payment_received ?? 0
    expect(
      paymentEvents(all.attributed_outcomes_by_type) +
        paymentEvents(unattributed.attributed_outcomes_by_type),
    ).toBe(PEOPLE * 2)
    expect(all.outcome_count + unattributed.outcome_count).toBe(PEOPLE * 2)
    expect(unattributed.attributed_outcomes_by_type.renewal).toBe(PEOPLE)
  })
})

describe('the total row', () => {
  it('equals the overview, and its credit plus the unattributed credit equals all payments', async () => {
    for (const model of models) {
      const { data: overview } = await call(getOverview, { query: { ...range, model } })
      for (const level of levels) {
        const reply = await call(listCampaigns, { query: { ...range, model, level, limit: '1' } })
        const total = reply.total as Record<string, number>
        const { data: unattributed } = await call(getUnattributed, { query: { ...range, model, level } })
        expect(total.outcome_credit! + unattributed.outcome_credit).toBeCloseTo(overview.totals.payments, 9)
        expect(cents(total.outcome_value!) + cents(unattributed.outcome_value)).toBe(
          cents(overview.totals.revenue),
        )
        expect(total.ratios_over).toBe('credited')
        expect(total.roas).toBeCloseTo(total.outcome_value! / total.spend!, 5)
        expect(total.cac).toBeCloseTo(total.spend! / total.outcome_count!, 5)
        if (level !== 'campaign') continue
        expect({
          spend: total.spend,
          credited_revenue: total.outcome_value,
          credited_payments: total.outcome_count,
          outcome_credit: total.outcome_credit,
          roas: total.roas,
          cac: total.cac,
        }).toEqual({
          spend: overview.totals.spend,
          credited_revenue: overview.totals.credited_revenue,
          credited_payments: overview.totals.credited_payments,
          outcome_credit: overview.totals.outcome_credit,
          roas: overview.totals.roas,
          cac: overview.totals.cac,
        })
      }
    }
  })

  it('counts a payment shared by several rows once, and includes rows of other pages', async () => {
    let shared = 0
    for (const level of levels) {
      const query = { ...range, model: 'linear' as const, level }
      const fullPage = await call(listCampaigns, { query: { ...query, limit: '100' } })
      expect(fullPage.meta).toMatchObject({ total_rows: fullPage.data.length, truncated: false })
      expect(fullPage.pagination).toEqual({ has_next: false, cursor: null })
      const total = fullPage.total as Record<string, number>
      const sum = fullPage.data.reduce((count, row) => count + row.outcome_count, 0)
      shared += sum - total.outcome_count!
      expect(total.outcome_count).toBeLessThanOrEqual(PEOPLE)
      expect(fullPage.data.reduce((credit, row) => credit + row.outcome_credit, 0)).toBeCloseTo(
        total.outcome_credit!,
        8,
      )
      const rows = []
      let cursor: string | null = null
      do {
        const page: {
          data: unknown[]
          total?: unknown
          pagination?: unknown
          meta: Record<string, unknown>
        } = await call(listCampaigns, { query: { ...query, limit: '1', ...(cursor ? { cursor } : {}) } })
        rows.push(...page.data)
        expect(page.total).toEqual(total)
        expect(page.meta).toMatchObject({ total_rows: fullPage.data.length, truncated: true })
        cursor = (page.pagination as { cursor: string | null }).cursor
      } while (cursor !== null)
      expect(rows).toEqual(fullPage.data)
    }
    expect(shared).toBeGreaterThan(0)
    for (const cursor of ['x', btoa('[1,2,3]'), btoa('["a",2,3,"b"]')])
      expect(await refusalOf(call(listCampaigns, { query: { ...range, cursor } }))).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      })
  })

  it('of a campaign’s ads equals the row of the campaign', async () => {
    const query = { ...range, model: 'linear' as const, limit: '100' }
    const { data } = await call(listCampaigns, { query: { ...query, level: 'campaign' } })
    for (const row of data) {
      const inside = await call(listCampaigns, {
        query: { ...query, level: 'ad', parent_id: row.campaign_id },
      })
      const { outcome_count, outcome_credit, outcome_value, spend, roas, cac } = row
      expect(inside.total).toMatchObject({ outcome_count, outcome_credit, outcome_value, spend, roas, cac })
    }
  })
})

describe('platform comparison', () => {
  it('has the same total per platform at every level: its rows plus the not_assigned row', async () => {
    for (const model of models) {
      const replies = await Promise.all(
        levels.map((level) => call(comparePlatforms, { query: { ...range, model, level } })),
      )
      for (const { data } of replies) {
        // `compared` depends on the level: it covers the entities for which both sides report conversions.
        const withoutCompared = ({ compared: _, ...figures }: (typeof data.platforms)[number]) => figures
        expect(data.platforms.map(withoutCompared)).toEqual(replies[0]!.data.platforms.map(withoutCompared))
        for (const total of data.platforms) {
          const rows = data.rows.filter((row) => row.platform === total.platform)
          expect(rows.filter((row) => row.kind === 'not_assigned').length).toBeLessThanOrEqual(1)
          const sum = (pick: (row: (typeof rows)[number]) => number | string | null) =>
            rows.reduce((all, row) => all + cents(pick(row) ?? 0), 0)
          expect(sum((row) => row.atribu_cash_revenue)).toBe(cents(total.atribu_cash_revenue))
          expect(sum((row) => row.spend)).toBe(cents(total.spend))
          expect(sum((row) => row.platform_conversions)).toBe(cents(total.platform_conversions ?? 0))
        }
      }
      const social = replies[0]!.data.platforms.find((row) => row.platform === 'social')!
      expect(social.spend).toBe(575)
      const [campaigns, , ads] = replies.map(({ data }) =>
        data.rows.filter((row) => row.kind === 'not_assigned'),
      )
      // At campaign level the ad without a campaign; at ad level the campaign without ads.
      expect(campaigns).toMatchObject([{ platform: 'social', spend: 25, entity_id: null }])
      expect(ads).toMatchObject([{ platform: 'social', spend: 50, platform_conversions: 2 }])
      const quality = await call(getAdIdQuality, { query: { ...range, model } })
      const { unassigned_conversions, unassigned_cash_revenue } = quality.data.platforms[0]!
      expect(social).toMatchObject({ unassigned_conversions, unassigned_cash_revenue })
    }
  })

  it('reports the last day with delivery of an account that stopped, even before the range', async () => {
    const query = { date_from: '2026-06-01', date_to: '2026-06-30' }
    const { data } = await call(comparePlatforms, { query })
    expect(data.platforms).toMatchObject([
      { platform: 'social', has_delivery: false, delivery_through: '2026-05-04' },
    ])
    const early = await call(comparePlatforms, { query: { date_from: '2026-05-02', date_to: '2026-05-02' } })
    expect(early.data.platforms[0]).toMatchObject({ has_delivery: true, delivery_through: '2026-05-02' })
  })
})

it('paid clicks recognised only by their UTM appear in unassigned credit, ad id quality and linkage', async () => {
  await call(sendEvents, {
    body: {
      events: [
        {
          event_name: 'visit',
          anonymous_id: 'tagged',
          timestamp: '2026-08-01T10:00:00Z',
          utm: { source: 'google', medium: 'cpc', campaign: 'brand' },
        },
        {
          event_name: 'payment_received',
          anonymous_id: 'tagged',
          timestamp: '2026-08-02T10:00:00Z',
          idempotency_key: 'tagged',
          properties: { value: 30 },
        },
      ],
    },
  })
  await app.service.processor.settled(profileId)
  const query = { date_from: '2026-08-01', date_to: '2026-08-31' }
  const unassigned = { platform: 'engine', unassigned_conversions: 1, unassigned_cash_revenue: '30.00' }
  const { data: quality } = await call(getAdIdQuality, { query })
  expect(quality.platforms).toMatchObject([{ ...unassigned, paid_clicks: 1, without_ad_id: 1 }])
  const { data: compared } = await call(comparePlatforms, { query })
  expect(compared.platforms.find((row) => row.platform === 'engine')).toMatchObject(unassigned)
  const { data: linked } = await call(listPaymentLinkage, {
    query: { from: '2026-08-01T00:00:00Z', to: '2026-08-31T00:00:00Z' },
  })
  expect(linked).toMatchObject([{ linkage: 'paid_click', touch: { platform: 'engine' } }])
})

it('shows the platform’s reach for one ad on one day, and none across days or ads', async () => {
  await saveRecords(app, profileId, [
    makeDelivery('ad', 'A1', '2026-07-01', { impressions: 10, reach: 7 }),
    makeDelivery('ad', 'A1', '2026-07-02', { impressions: 10, reach: 8 }),
    makeDelivery('ad', 'A2', '2026-07-02', { impressions: 10, reach: 5 }),
    makeDelivery('campaign', 'C2', '2026-07-02', { impressions: 10, reach: 4 }),
  ])
  const reach = async (level: 'campaign' | 'ad', from: string, to: string) => {
    const { data } = await call(listCampaigns, {
      query: { date_from: from, date_to: to, level, limit: '100' },
    })
    return Object.fromEntries(data.map((row) => [row.platform_id, row.reach]))
  }
  expect(await reach('ad', '2026-07-01', '2026-07-01')).toEqual({ A1: 7 })
  expect(await reach('ad', '2026-07-02', '2026-07-02')).toEqual({ A1: 8, A2: 5 })
  expect(await reach('ad', '2026-07-01', '2026-07-31')).toEqual({ A1: null, A2: 5 })
  expect(await reach('campaign', '2026-07-02', '2026-07-02')).toEqual({ C1: null, C2: 4 })
})

it('reports the settings in effect until a recompute has applied changed ones', async () => {
  const read = async () => {
    const { meta, data } = await call(listCampaigns, { query: { ...range, model: 'linear', level: 'ad' } })
    return { lookback: meta.lookback_days, data }
  }
  const before = await read()
  expect(before.lookback).toBe(30)
  await call(updateAttributionSettings, { body: { lookback_days: 1 } })
  await call(sendEvents, {
    body: {
      events: [
        { event_name: 'visit', anonymous_id: 'late', timestamp: '2026-05-10T10:00:00Z', ad: { ad_id: 'A1' } },
        { event_name: 'lead_created', anonymous_id: 'late', timestamp: '2026-05-15T10:00:00Z' },
      ],
    },
  })
  await app.service.processor.settled(profileId)
  const during = await read()
  expect(during.lookback).toBe(30)
  const leads = (rows: typeof during.data) =>
    rows.find((row) => row.platform_id === 'A1')!.attributed_outcomes_by_type.lead_created
  // Events that arrive before the recompute are credited with the previous settings.
  expect(leads(during.data)).toBe(1)
  await drainJobs(app.service, attributionJobs)
  const after = await read()
  expect(after.lookback).toBe(1)
  expect(leads(after.data) ?? 0).toBe(0)
})

it('a full recompute writes the same rows as the incremental updates', async () => {
  const stored = async () =>
    Promise.all(
      [
        ...['credit_daily', 'credit_spans', 'held_daily', 'platform_daily'],
        ...['conversion_daily', 'uncredited_daily', 'credits'],
      ].map(
        async (table) =>
          (
            await sql`select t::text from ${sql.table(table)} t where profile_id = ${profileId} order by 1`.execute(
              app.service.db,
            )
          ).rows,
      ),
    )
  await call(sendEvents, {
    body: {
      events: [
        {
          event_name: 'renewed',
          anonymous_id: 'p1',
          timestamp: '2026-05-22T10:00:00Z',
          idempotency_key: 'once more',
          properties: { value: 5, currency: 'USD' },
        },
        {
          event_name: 'payment_received',
          anonymous_id: 'p2',
          timestamp: '2026-05-22T11:00:00Z',
          idempotency_key: 'no rate',
          properties: { value: 5, currency: 'USD' },
        },
      ],
    },
  })
  await app.service.processor.settled(profileId)
  const incremental = await stored()
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, attributionJobs)
  expect(await stored()).toEqual(incremental)
})
