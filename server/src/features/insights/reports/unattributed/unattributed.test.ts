import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../../test/make.ts'
import type { Client } from '../../../../platform/contract/client.ts'
import { unattributedReasons } from '../../../attribution/crediting/credits/unattributed-reasons.ts'
import { createGoal } from '../../../corrections/goals/contract.ts'
import { listPayments, recordRefund, setPayer } from '../../../corrections/payments/contract.ts'
import { sendEvent } from '../../../facts/events/contract.ts'
import { getUnattributed } from '../contract.ts'
import { listUnattributedConversions, listUnattributedReasons } from './contract.ts'

let app: TestApp
let call: Client
let profileId: string
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const page = (referrer: string) => ({ url: 'https://shop.example/', referrer })

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner, 'agency'))
  const scopes = [
    'campaigns:read',
    'conversions:read',
    'events:write',
    'tracking:write',
    'payments:read',
    'payments:write',
  ] as const
  call = app.as(await makeKey(app, profileId, [...scopes]))
  await saveRecords(app, profileId, adStructure)
  await call(createGoal, {
    body: {
      display_name: 'Deposit',
      conversion_key: 'deposit',
      source_event_names: ['deposit'],
      outcome_type: 'deposit',
      revenue_type: 'cash',
      attribution_eligible: false,
    },
  })
  let sent = 0
  const send = (email: string | null, body: object) =>
    call(sendEvent, {
      body: {
        event_name: 'visit',
        timestamp: `2026-05-10T10:${String(sent++).padStart(2, '0')}:00Z`,
        idempotency_key: `event-${sent}`,
        ...(email === null ? {} : { user_traits: { email } }),
        ...body,
      },
    })
  const pay = (email: string | null, value: number, event_name = 'payment_received') =>
    send(email, { event_name, properties: { value, currency: 'EUR' } })
  await send('ad@x.co', { ad: { ad_id: 'A1' } })
  await pay('ad@x.co', 100)
  await send('lost@x.co', { ad: { ad_id: 'A99' } })
  await pay('lost@x.co', 50)
  await send('click@x.co', { click_ids: { gclid: 'g1' } })
  await pay('click@x.co', 40)
  await send('many@x.co', { session_start: true, page: page('https://www.google.com/') })
  await send('many@x.co', { session_start: true, page: page('https://www.bing.com/') })
  await send('many@x.co', { ad: { ad_id: 'A3' } })
  await send('many@x.co', { utm: { source: 'Newsletter', medium: 'email' } })
  await pay('many@x.co', 30)
  await send('blog@x.co', { session_start: true, page: page('https://blog.example/') })
  await pay('blog@x.co', 25)
  await send('direct@x.co', { session_start: true, page: page('') })
  await pay('direct@x.co', 20)
  await pay('direct@x.co', 21)
  await send('chat@x.co', { utm: { source: 'shop', medium: 'sms' } })
  await pay('chat@x.co', 15)
  await pay('nothing@x.co', 10)
  await send('nothing@x.co', { event_name: 'lead_created' })
  await pay(null, 7)
  await pay(null, 8)
  await pay(null, 6)
  await pay(null, 9)
  await pay('direct@x.co', 5, 'deposit')
  await app.service.processor.settled(profileId)
  const payments = await call(listPayments, {
    query: { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' },
  })
  const paid = (value: number) => payments.data.find((row) => row.value === value)!
  // A payment assigned to another unnamed payer no longer has an unknown payer.
  const unnamed = await call(listUnattributedConversions, { query: { ...may, reason: 'unknown_payer' } })
  const payerId = unnamed.data.find((row) => row.value === 6)!.outcome_event_id
  await call(setPayer, {
    params: { payment_id: paid(9).payment_id },
    body: { customer_id: payerId },
  })
  for (const [value, amount] of [
    [8, '3'],
    [21, '1'],
    [10, '2'],
    [5, '1'],
  ] as const)
    await call(recordRefund, {
      params: { payment_id: paid(value).payment_id },
      body: { amount, refunded_at: '2026-05-12T10:00:00Z' },
    })
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

const read = async (model: (typeof models)[number]) =>
  (await call(listUnattributedReasons, { query: { ...may, model } })).data

async function listAll(reason: (typeof unattributedReasons)[number], model: (typeof models)[number]) {
  const rows: Awaited<ReturnType<typeof readPage>>['data'] = []
  const readPage = (cursor: string | null) =>
    call(listUnattributedConversions, {
      query: { ...may, model, reason, limit: '2', ...(cursor === null ? {} : { cursor }) },
    })
  for (let cursor: string | null = null; ; ) {
    const reply: Awaited<ReturnType<typeof readPage>> = await readPage(cursor)
    rows.push(...reply.data)
    cursor = (reply.pagination as { cursor: string | null }).cursor
    if (cursor === null) return rows
  }
}

it('reports why each sale is credited to no campaign', async () => {
  expect((await read('last_touch')).map((row) => [row.reason, row.outcome_count, row.outcome_value])).toEqual(
    [
      ['direct', 2, 40],
      ['email', 1, 30],
      ['referral', 1, 25],
      ['other_visit', 1, 15],
      ['click_without_ad', 1, 40],
      ['ad_without_campaign', 1, 50],
      ['unknown_payer', 3, 18],
      ['not_creditable', 1, 4],
      ['no_touch', 2, 17],
    ],
  )
})

it('lists the source of the visit with each sale, and a refund next to its payment', async () => {
  expect((await listAll('referral', 'last_touch')).map((row) => [row.value, row.source])).toEqual([
    [25, 'blog.example'],
  ])
  expect((await listAll('unknown_payer', 'last_touch')).map((row) => [row.kind, row.value])).toEqual([
    ['refund', -3],
    ['conversion', 6],
    ['conversion', 8],
    ['conversion', 7],
  ])
})

it.each(models)(
  'under %s the reasons add up to everything unattributed, and each list to its reason',
  async (model) => {
    const reasons = await read(model)
    const all = (await call(getUnattributed, { query: { ...may, model } })).data
    const sum = (pick: (row: (typeof reasons)[number]) => number) =>
      Math.round(reasons.reduce((total, row) => total + pick(row), 0) * 1e6) / 1e6
    expect(sum((row) => row.outcome_value!)).toBe(all.outcome_value)
    expect(sum((row) => row.outcome_credit)).toBeCloseTo(all.outcome_credit, 6)
    for (const reason of unattributedReasons) {
      const row = reasons.find((entry) => entry.reason === reason)
      const listed = await listAll(reason, model)
      const cash = listed.filter(({ revenue_type }) => revenue_type === 'cash')
      const cents = cash.reduce((total, entry) => total + Math.round((entry.credited_value ?? 0) * 100), 0)
      expect([reason, cents / 100]).toEqual([reason, row?.outcome_value ?? 0])
      const credit = cash
        .filter(({ kind }) => kind === 'conversion')
        .reduce((total, entry) => total + entry.credit, 0)
      expect(credit).toBeCloseTo(row?.outcome_credit ?? 0, 5)
      const times = listed.map(({ occurred_at }) => occurred_at)
      expect(times).toEqual(times.toSorted().reverse())
    }
  },
)

it('a refund without an exchange rate has a row on its own day', async () => {
  const visitor = { user_traits: { email: 'far@x.co' } }
  const visit = { session_start: true, page: page('https://www.google.com/') }
  const events = [
    { event_name: 'visit', timestamp: '2026-06-10T10:00:00Z', ...visit },
    {
      event_name: 'payment_received',
      timestamp: '2026-06-10T11:00:00Z',
      properties: { value: 60, currency: 'USD' },
    },
  ]
  for (const event of events)
    await call(sendEvent, { body: { ...event, ...visitor, idempotency_key: `far-${event.event_name}` } })
  await app.service.processor.settled(profileId)
  const { data } = await call(listPayments, { query: { from: '2026-06-10', to: '2026-06-11' } })
  await call(recordRefund, {
    params: { payment_id: data[0]!.payment_id },
    body: { amount: '60', refunded_at: '2026-06-12T10:00:00Z' },
  })
  await app.service.processor.settled(profileId)
  const day = { date_from: '2026-06-12', date_to: '2026-06-12', model: 'first_touch' } as const
  expect((await call(listUnattributedReasons, { query: day })).data).toMatchObject([
    { reason: 'organic', outcome_count: 0, outcome_value: null, fx_missing: 1 },
  ])
})
