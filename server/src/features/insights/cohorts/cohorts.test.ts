import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, makeDelivery, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, refusalOf } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { recordRefund } from '../../corrections/payments/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { getCohorts } from './contract.ts'
import { readPayers } from './queries.ts'
import { paymentBudget } from './report.ts'
import { CohortSums, paybackMonth } from './rules.ts'

const scopes = ['campaigns:read', 'events:write', 'payments:write', 'tracking:write'] as const
let app: TestApp
let profileId: string
let call: Client

/** January to March 2026: all months of the horizon are over. */
const range = { date_from: '2026-01-01', date_to: '2026-03-31' }

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner, 'agency'))
  call = app.as(await makeKey(app, profileId, [...scopes]))
  await saveRecords(app, profileId, [
    ...adStructure,
    makeDelivery('campaign', 'C1', '2026-01-10', { spendMinor: 12_000 }),
    makeDelivery('campaign', 'C2', '2026-02-10', { spendMinor: 50_000 }),
  ])
  await visit('ana', '2026-01-02', 'A1')
  await pay('ana', '2026-01-03', 100)
  await pay('ana', '2026-03-20', 30)
  await visit('ben', '2026-01-02', 'A1')
  await visit('ben', '2026-01-03', 'A3')
  await pay('ben', '2026-01-04', 10)
  await pay('ben', '2026-02-28', 11)
  await pay('cleo', '2026-02-05', 7)
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

async function send(who: string, day: string, body: { event_name: string; [more: string]: unknown }) {
  const timestamp = `${day}T10:00:00Z`
  const defaults = { timestamp, idempotency_key: `${who} ${day}`, user_traits: { email: `${who}@x.co` } }
  await call(sendEvent, { body: { ...defaults, ...body } })
}
const visit = (who: string, day: string, adId: string) =>
  send(who, day, { event_name: 'visit', ad: { ad_id: adId } })
const pay = (who: string, day: string, value: number) =>
  send(who, day, { event_name: 'payment_received', properties: { value, currency: 'EUR' } })

it('returns 503 with a retry time while other reports use up the payment budget', async () => {
  const query = { query: { ...range, horizon: '3' } }
  const during = await paymentBudget.hold(5_000_000 - 4, () => refusalOf(call(getCohorts, query)))
  expect(during).toMatchObject({ status: 503, code: 'service_unavailable' })
  expect(during?.message).toContain('Try again')
  await paymentBudget.hold(5_000_000 - 5, () => call(getCohorts, query))
})

it('sums payments of each month’s customers over the months, and reports the payback month', async () => {
  const { data } = await call(getCohorts, { query: { ...range, horizon: '3' } })
  expect(data).toEqual([
    {
      key: '2026-01',
      name: '2026-01',
      size: 2,
      spend: 120,
      cumulative_revenue: [110, 121, 151, 151],
      paying_customers: [2, 1, 1, 0],
      payback_month: 1,
    },
    {
      key: '2026-02',
      name: '2026-02',
      size: 1,
      spend: 500,
      cumulative_revenue: [7, 7, 7, 7],
      paying_customers: [1, 0, 0, 0],
      payback_month: null,
    },
    expect.objectContaining({ key: '2026-03', size: 0, spend: 0, payback_month: null }),
  ])
})

it('by campaign divides a customer’s payments like the first payment, to the cent', async () => {
  const query = { ...range, by: 'campaign', model: 'linear', horizon: '2' } as const
  const { data, total } = await call(getCohorts, { query })
  // Ben is in the rows of both campaigns, and one customer in total.
  expect(total).toEqual({
    size: 3,
    spend: 620,
    cumulative_revenue: [117, 128, 158],
    paying_customers: [3, 1, 1],
    payback_month: null,
  })
  expect((await call(getCohorts, { query: { ...query, by: 'month' } })).total).toEqual(total)
  const brief = data.map(({ name, size, spend, cumulative_revenue }) => [
    name,
    size,
    spend,
    cumulative_revenue,
  ])
  expect(brief).toEqual([
    ['Name of C1', 2, 120, [105, 110.5, 140.5]],
    [null, 1, 0, [7, 7, 7]],
    ['Name of C2', 1, 500, [5, 10.5, 10.5]],
  ])
})

it('by channel counts customers under the channel credited with the first payment', async () => {
  const query = { ...range, by: 'channel', model: 'first_touch', horizon: '1' } as const
  const { data } = await call(getCohorts, { query })
  expect(data.map(({ key, size, spend }) => [key, size, spend])).toEqual([
    ['paid_social', 2, 620],
    ['unknown', 1, 0],
  ])
})

it('a month that is not over for every customer is null, never 0', () => {
  const sums = new CohortSums(3)
  sums.addCustomers(1, 100)
  sums.addCustomers(1, 101)
  sums.addMoney(0, 500)
  sums.addMoney(1, 40)
  sums.addPayers(0, 2)
  expect(sums.cells(103)).toEqual({ cumulativeMinor: [500, 540, null, null], payers: [2, 0, null, null] })
  expect(paybackMonth([500, 540, null, null], 541)).toBeNull()
  expect(paybackMonth([500, 540, null, null], 540)).toBe(1)
  expect(paybackMonth([500], 0)).toBeNull()
})

it('shows null for the current month', async () => {
  const now = new Date()
  const day = now.toISOString().slice(0, 10)
  const { data } = await call(getCohorts, {
    query: { date_from: `${day.slice(0, 7)}-01`, date_to: day, horizon: '1' },
  })
  expect(data.at(-1)).toMatchObject({ cumulative_revenue: [null, null], paying_customers: [null, null] })
})

it('subtracts a refund in its own month', async () => {
  const payment_id = eventIdOf(profileId, 'cleo 2026-02-05')
  const body = { amount: '3', refunded_at: '2026-04-02T10:00:00Z' }
  await call(recordRefund, { params: { payment_id }, body })
  await app.service.processor.settled(profileId)
  const { data } = await call(getCohorts, { query: { ...range, horizon: '3' } })
  expect(data.find(({ key }) => key === '2026-02')).toMatchObject({
    cumulative_revenue: [7, 7, 4, 4],
    paying_customers: [1, 0, 0, 0],
  })
})

it('reads at most the given number of payments', async () => {
  const read = (most: number) => app.service.db.transaction().execute((tx) => readPayers(tx, profileId, most))
  expect((await read(5))?.paymentCount).toBe(5)
  expect(await read(4)).toBeUndefined()
})
