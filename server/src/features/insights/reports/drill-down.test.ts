/** Every row equals the sum of its list of conversions, for every entity, model and range. */
import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../test/ad-world.ts'
import type { TestApp } from '../../../../test/app.ts'
import { startTestProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { explainConversion } from '../../attribution/crediting/contract.ts'
import { recordRefund } from '../../corrections/payments/contract.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { getCampaign, listCampaignConversions, listCampaigns } from './contract.ts'

const PEOPLE = 14
const levels = ['campaign', 'ad_set', 'ad'] as const
/** All days, days with sales only, days with refunds only, and a single day. */
const ranges = [
  { date_from: '2026-05-01', date_to: '2026-06-30' },
  { date_from: '2026-05-01', date_to: '2026-05-20' },
  { date_from: '2026-05-21', date_to: '2026-06-30' },
  { date_from: '2026-05-12', date_to: '2026-05-12' },
]
const ads = [{ ad_id: 'A1' }, { ad_id: 'A2' }, { ad_id: 'A3' }, { campaign_id: 'C2' }, { ad_set_id: 'S1' }]

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  ;({ app, profileId, call } = await startTestProfile([
    'events:write',
    'campaigns:read',
    'conversions:read',
    'payments:write',
  ]))
  await saveRecords(app, profileId, adStructure)
  const events = Array.from({ length: PEOPLE }, (_, n) => [
    ...[0, 1, 2].map((step) => ({
      event_name: 'visit',
      anonymous_id: `p${n}`,
      timestamp: `2026-05-0${2 + step}T10:0${n % 10}:00Z`,
      ...((n + step) % 4 === 3 ? { session_id: `direct ${n}` } : { ad: ads[(n * 2 + step) % ads.length]! }),
    })),
    {
      event_name: 'lead_created',
      anonymous_id: `p${n}`,
      timestamp: `2026-05-09T10:0${n % 10}:00Z`,
      idempotency_key: `lead ${n}`,
      properties: { value: 500 },
    },
    {
      event_name: 'payment_received',
      anonymous_id: `p${n}`,
      timestamp: `2026-05-1${n % 4}T10:${10 + ((n * 7) % 40)}:00Z`,
      idempotency_key: `paid ${n}`,
      properties: { value: (100_01 + n * 37) / 100 },
    },
  ]).flat()
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
  for (let n = 0; n < PEOPLE; n += 2)
    await call(recordRefund, {
      params: { payment_id: eventIdOf(profileId, `paid ${n}`) },
      body: {
        amount: (10_01 + n * 13) / 100,
        refunded_at: `2026-0${n % 4 === 0 ? 5 : 6}-${n % 4 === 0 ? 28 : 12}T0${n % 10}:00:00Z`,
      },
    })
})
afterAll(() => app.close())

const cents = (value: number | null) => Math.round((value ?? Number.NaN) * 100)

async function rowsOf(id: string, query: { date_from: string; date_to: string; model: string }) {
  const rows = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(id, {
      ...query,
      ...(cursor ? { cursor } : {}),
    })
    rows.push(...page.data)
    cursor = page.pagination.cursor
  } while (cursor !== null)
  return rows
}
const readPage = async (id: string, query: Record<string, string>) => {
  const reply = await call(listCampaignConversions, { params: { id }, query: { limit: '7', ...query } })
  return { data: reply.data, pagination: reply.pagination as { cursor: string | null } }
}

it('cash rows add up to outcome_value, refunds on their own days', async () => {
  let compared = 0
  for (const range of ranges)
    for (const model of models)
      for (const level of levels) {
        const { data } = await call(listCampaigns, { query: { ...range, model, level, limit: '100' } })
        for (const entity of data) {
          const rows = await rowsOf(entity.campaign_id, { ...range, model })
          const cash = rows.filter((row) => row.revenue_type === 'cash')
          const sum = cash.reduce((total, row) => total + cents(row.credited_value), 0)
          const where = `${level} ${entity.platform_id} ${model} ${range.date_from}`
          expect([where, sum]).toEqual([where, cents(entity.outcome_value)])
          const conversions = rows.filter((row) => row.kind === 'conversion')
          expect(conversions.length).toBe(entity.attributed_outcome_count)
          const times = rows.map((row) => row.occurred_at)
          expect(times).toEqual(times.toSorted().reverse())
          compared += 1
        }
      }
  expect(compared).toBeGreaterThan(50)
})

it('the detail of an entity equals its row, under every model and day by day', async () => {
  const range = ranges[0]!
  for (const level of levels) {
    const lists = await Promise.all(
      models.map((model) => call(listCampaigns, { query: { ...range, model, level, limit: '100' } })),
    )
    for (const row of lists[0]!.data) {
      const { data } = await call(getCampaign, { params: { id: row.campaign_id }, query: range })
      expect(data).toMatchObject(row)
      for (const [index, model] of models.entries()) {
        const listed = lists[index]!.data.find((entry) => entry.campaign_id === row.campaign_id)
        expect(data.by_model.find((entry) => entry.model === model)).toMatchObject({
          outcome_count: listed?.outcome_count ?? 0,
          outcome_value: listed?.outcome_value ?? 0,
        })
      }
      const sum = data.days.reduce((total, day) => total + cents(day.outcome_value), 0)
      expect(sum).toBe(cents(row.outcome_value))
      expect(data.parents).toHaveLength(levels.indexOf(level))
    }
  }
})

it('marks conversions that are not cash, and dates a refund by its own day', async () => {
  const rows = await rowsOf('C1', { ...ranges[0]!, model: 'linear' })
  expect(new Set(rows.map((row) => `${row.kind} ${row.revenue_type}`))).toEqual(
    new Set(['conversion cash', 'conversion pipeline', 'refund cash']),
  )
  const refund = rows.find((row) => row.kind === 'refund')!
  expect(refund.value).toBeLessThan(0)
  expect(refund.credited_value).toBeLessThan(0)
  expect(refund.refund_id).not.toBeNull()
  expect(refund.occurred_at > '2026-05-28').toBe(true)
  const sale = rows.find((row) => row.kind === 'conversion' && row.conversion_id === refund.conversion_id)!
  expect(sale.credit).toBe(refund.credit)
})

it('explanations of all payments add up to the same rows', async () => {
  const explanations = []
  for (let n = 0; n < PEOPLE; n++) {
    const { data } = await call(explainConversion, {
      params: { id: `paid ${n}` },
      query: { model: 'all' },
    })
    expect(data.revenue_type).toBe('cash')
    expect(data.refunds.map((refund) => refund.value < 0)).toEqual(n % 2 === 0 ? [true] : [])
    explanations.push(data)
  }
  const isIn = (at: string, range: { date_from: string; date_to: string }) =>
    at.slice(0, 10) >= range.date_from && at.slice(0, 10) <= range.date_to
  for (const range of ranges)
    for (const model of models)
      for (const level of levels) {
        const sums = new Map<string, number>()
        for (const data of explanations)
          for (const touch of data.models.find((entry) => entry.model === model)!.touches) {
            const id = touch[level]?.id
            if (id === undefined || touch.status === 'excluded') continue
            const refunds = touch.refunds.filter(({ refund_id }) =>
              isIn(data.refunds.find((refund) => refund.refund_id === refund_id)!.occurred_at, range),
            )
            const parts = [
              ...(isIn(data.occurred_at, range) ? [cents(touch.credited_value)] : []),
              ...refunds.map((refund) => cents(refund.credited_value)),
            ]
            sums.set(
              id,
              parts.reduce((total, part) => total + part, sums.get(id) ?? 0),
            )
          }
        const { data } = await call(listCampaigns, { query: { ...range, model, level, limit: '100' } })
        const listedValues = new Map(data.map((row) => [row.campaign_id, cents(row.outcome_value)]))
        for (const [id, sum] of sums)
          expect([level, model, sum]).toEqual([level, model, listedValues.get(id) ?? 0])
      }
})
