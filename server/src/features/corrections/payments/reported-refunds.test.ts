/** Refunds that senders report as events, through each of them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { paymentTimes } from '../../../../test/payments.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { sendEvent, sendEvents } from '../../facts/events/contract.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import { createGoal } from '../goals/contract.ts'
import { retractEvent } from '../retractions/contract.ts'
import { listPayments } from './contract.ts'

const scopes = ['events:write', 'payments:read', 'tracking:write', 'tracking:read'] as const
let profile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  profile = await startTestProfile([...scopes])
})
afterAll(() => profile.app.close())

const at = (day: number) => `2026-05-${String(day).padStart(2, '0')}T10:00:00Z`
const paid = (key: string, value: number, fields: object = {}) => ({
  event_name: 'payment_received',
  idempotency_key: key,
  timestamp: at(1),
  properties: { value, currency: 'EUR', ...fields },
  user_traits: { email: 'ana@example.com' },
})
const refund = (key: string, order_id: string, value?: number | string, day = 3) => ({
  event_name: 'refund',
  idempotency_key: key,
  timestamp: at(day),
  properties: { order_id, ...(value === undefined ? {} : { value, currency: 'EUR' }) },
})

async function startShop() {
  const own = await makeOwnProfile(profile.app, [...scopes])
  const settled = () => profile.app.service.processor.settled(own.profileId)
  return {
    ...own,
    settled,
    async send(...events: object[]) {
      const { data } = await own.call(sendEvents, { body: { events } })
      await settled()
      return data
    },
    async payments() {
      await settled()
      const { data } = await own.call(listPayments, { query: { ...paymentTimes, status: 'all' } })
      return data
        .map((payment) => [payment.value, payment.refunded_value, payment.net_value])
        .sort(([a], [b]) => a! - b!)
    },
  }
}

it('a refund names the order or the key of the payment, partly or fully, before or after it, once', async () => {
  const shop = await startShop()
  const events = [
    paid('invoice-1', 100),
    paid('p-2', 60, { order_id: 'A-2' }),
    refund('r-1', 'invoice-1', 30),
    refund('r-2', 'A-2'),
  ]
  await shop.send(events[2]!, events[3]!)
  expect(await shop.payments()).toEqual([])
  await shop.send(events[0]!, events[1]!)
  const expected = [
    [60, 60, 0],
    [100, 30, 70],
  ]
  expect(await shop.payments()).toEqual(expected)
  expect((await shop.send(...events)).unchanged).toBe(4)
  expect(await shop.payments()).toEqual(expected)
  const other = await startShop()
  for (const event of events) await other.send(event)
  expect(await other.payments()).toEqual(expected)
})

it('a refund of an order in parts is divided in order of time, whatever arrives first', async () => {
  const parts = [
    { ...paid('part-1', 50, { order_id: 'B-1' }), timestamp: at(1) },
    { ...paid('part-2', 40, { order_id: 'B-1' }), timestamp: at(2) },
    refund('r-1', 'B-1', 60, 3),
    refund('r-2', 'B-1', 20, 4),
  ]
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [3, 0, 2, 1],
  ]) {
    const shop = await startShop()
    for (const index of order) await shop.send(parts[index]!)
    expect([order, await shop.payments()]).toEqual([
      order,
      [
        [40, 30, 10],
        [50, 50, 0],
      ],
    ])
  }
})

it('sending a refund again with another value or order corrects it, and retracting it undoes it', async () => {
  const shop = await startShop()
  await shop.send(paid('p-1', 100, { order_id: 'C-1' }), paid('p-2', 50, { order_id: 'C-2' }))
  await shop.send(refund('r', 'C-1', 10))
  await shop.send(refund('r', 'C-1', -25))
  expect(await shop.payments()).toEqual([
    [50, 0, 50],
    [100, 25, 75],
  ])
  await shop.send(refund('r', 'C-2', 25))
  expect(await shop.payments()).toEqual([
    [50, 25, 25],
    [100, 0, 100],
  ])
  await shop.call(retractEvent, { body: { idempotency_key: 'r' } })
  expect(await shop.payments()).toEqual([
    [50, 0, 50],
    [100, 0, 100],
  ])
})

it('a refund is no conversion, needs an order, and a payment has no negative value', async () => {
  const shop = await startShop()
  const { data } = await shop.call(sendEvent, { body: refund('r', 'D-1', 10) })
  expect([data.counts_as, data.warnings]).toEqual([[], []])
  const noOrder = { ...refund('r-2', '', 10), properties: { value: 10 } }
  expect(await refusalOf(shop.call(sendEvent, { body: noOrder }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('order_id of the payment'),
  })
  expect(await refusalOf(shop.call(sendEvent, { body: paid('n', -5) }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('send the event refund'),
  })
  const goal = { display_name: 'Refunds', conversion_key: 'refunds', source_event_names: ['refund'] }
  const body = { ...goal, outcome_type: 'refunds', revenue_type: 'cash' as const }
  expect(await refusalOf(shop.call(createGoal, { body }))).toMatchObject({ status: 422 })
})

it('Segment’s Order Refunded, from a server or a page, and the tracker; a page refunds only what pages reported', async () => {
  const shop = await startShop()
  const { key } = (await shop.call(issueTrackingKey)).data
  const post = async (path: string, body: object) => {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0' }
    const reply = await fetch(`${profile.app.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(reply.ok).toBe(true)
  }
  await shop.send(paid('p-1', 100, { order_id: 'E-1' }))
  const track = (writeKey: string, event: string, properties: Record<string, unknown>) =>
    post('/v1/track', { writeKey, event, properties, anonymousId: 'v', messageId: `${event} ${writeKey}` })
  await track(shop.key, 'Order Refunded', { order_id: 'E-1', total: 40, currency: 'EUR' })
  expect(await shop.payments()).toEqual([[100, 40, 60]])
  await track(key, 'Order Refunded', { order_id: 'E-1', total: 20, currency: 'EUR' })
  const wire = (name: string, id: string, properties: Record<string, unknown>, siteKey = key) =>
    post('/api/tracking/collect', {
      key: siteKey,
      ...makeWirePage({ event_id: id, anonymous_id: 'v', event_name: name, type: 'track', properties }),
    })
  await wire('refund', '00000000-0000-4000-8000-000000000001', { order_id: 'E-1' })
  expect(await shop.payments()).toEqual([[100, 40, 60]])
  const web = await startShop()
  const pageKey = (await web.call(issueTrackingKey)).data.key
  const sale = { order_id: 'E-2', value: 30 }
  await wire('payment_received', '00000000-0000-4000-8000-000000000002', sale, pageKey)
  await wire('refund', '00000000-0000-4000-8000-000000000003', { order_id: 'E-2', value: 12 }, pageKey)
  await web.send(refund('r', 'E-2', 5))
  const { rows } = await profile.app.pool.query(
    'select told_minor, counted_minor from refunds where profile_id = $1 order by told_minor',
    [web.profileId],
  )
  expect(rows).toEqual([
    { told_minor: 500, counted_minor: 500 },
    { told_minor: 1200, counted_minor: 1200 },
  ])
})
