import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../../test/ad-world.ts'
import type { TestApp } from '../../../../../test/app.ts'
import { makeOwnProfile, refusalOf, startTestProfile } from '../../../../../test/make.ts'
import type { ProfileContext } from '../../../../context.ts'
import type { Client } from '../../../../platform/contract/client.ts'
import { createGoal } from '../../../corrections/goals/contract.ts'
import { listPayments, recordRefund } from '../../../corrections/payments/contract.ts'
import { sendEvent } from '../../../facts/events/contract.ts'
import { getOverview } from '../contract.ts'
import { getJourneys, listJourneyPayments } from './contract.ts'
import * as report from './report.ts'
import { groupPaths, MAX_STEPS, moneyOfDays, toSteps } from './rules.ts'

let app: TestApp
let call: Client
let profileId: string
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const range = { from: '2026-05-01', to: '2026-05-31', days: 31 }

const ad = { ad: { ad_id: 'A1' } }
const mail = { utm: { source: 'news', medium: 'email' } }
const direct = { session_start: true, page: { url: 'https://shop.example/', referrer: '' } }

beforeAll(async () => {
  const scopes = [
    'campaigns:read',
    'conversions:read',
    'events:write',
    'payments:read',
    'payments:write',
  ] as const
  ;({ app, call, profileId } = await startTestProfile([...scopes]))
  await saveRecords(app, profileId, adStructure)
  let minute = 0
  const send = (email: string, body: object) =>
    call(sendEvent, {
      body: {
        event_name: 'visit',
        timestamp: new Date(Date.parse('2026-05-10T10:00:00Z') + 60_000 * minute++).toISOString(),
        idempotency_key: `event-${minute}`,
        user_traits: { email },
        ...body,
      },
    })
  const pay = (email: string, value: number, fields: object = {}) =>
    send(email, {
      event_name: 'payment_received',
      properties: { value, currency: 'EUR', order_id: `order ${email} ${value}`, ...fields },
    })
  for (const email of ['one@x.co', 'two@x.co']) {
    await send(email, ad)
    await send(email, ad)
    await send(email, mail)
    await pay(email, 100)
  }
  await pay('one@x.co', 50)
  await send('three@x.co', mail)
  await send('three@x.co', ad)
  await pay('three@x.co', 30)
  await send('four@x.co', direct)
  await pay('four@x.co', 900)
  await pay('five@x.co', 10)
  await app.service.processor.settled(profileId)
})
afterAll(() => app.close())

it('counts payments, customers and money per path, most common first', async () => {
  const reply = await call(getJourneys, { query: may })
  expect(reply.data).toEqual([
    { steps: ['paid_social', 'email'], payments: 3, customers: 2, outcome_value: 250, fx_missing: 0 },
    { steps: ['direct'], payments: 1, customers: 1, outcome_value: 900, fx_missing: 0 },
    { steps: ['email', 'paid_social'], payments: 1, customers: 1, outcome_value: 30, fx_missing: 0 },
    { steps: ['unknown'], payments: 1, customers: 1, outcome_value: 10, fx_missing: 0 },
  ])
  const { totals } = (await call(getOverview, { query: may })).data
  expect(reply.total).toEqual({
    payments: totals.payments,
    customers: 5,
    outcome_value: totals.revenue,
    fx_missing: 0,
    paths: 4,
    several_channels: 4,
  })
  expect(reply.meta).toMatchObject({ truncated: false })
  const short = await call(getJourneys, { query: { ...may, limit: '1' } })
  expect(short.data).toHaveLength(1)
  expect(short.total).toEqual(reply.total)
})

it('lists the payments of a path, page by page, without personal data', async () => {
  const query = { ...may, path: 'paid_social,email' }
  const all = await call(listJourneyPayments, { query: query })
  expect(all.data.map(({ value }) => value)).toEqual([50, 100, 100])
  expect(Object.keys(all.data[0]!).sort()).toEqual([
    'conversion_id',
    'currency',
    'occurred_at',
    'outcome_value',
    'value',
  ])
  expect(all.pagination).toEqual({ has_next: false, cursor: null })
  const paged: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await call(listJourneyPayments, {
      query: { ...query, limit: '1', ...(cursor && { cursor }) },
    })
    paged.push(...page.data)
    cursor = (page.pagination as { cursor: string | null }).cursor ?? undefined
  } while (cursor !== undefined)
  expect(paged).toEqual(all.data)
  const none = await call(listJourneyPayments, { query: { ...may, path: 'email' } })
  expect(none.data).toEqual([])
})

it('subtracts refunds on their own days, from the path of their payment', async () => {
  const query = { from: may.date_from, to: may.date_to }
  const { data: payments } = await call(listPayments, { query })
  const { payment_id } = payments.find(({ value }) => value === 900)!
  await call(recordRefund, {
    params: { payment_id },
    body: { amount: 120.5, refunded_at: '2026-06-20T10:00:00Z' },
  })
  await app.service.processor.settled(profileId)
  const { data } = await call(getJourneys, { query: may })
  expect(data.find(({ steps }) => steps[0] === 'direct')).toMatchObject({ payments: 1, outcome_value: 900 })
  const path = await call(listJourneyPayments, { query: { ...may, path: 'direct' } })
  expect(path.data).toMatchObject([{ value: 900, outcome_value: 779.5 }])
  const june = { date_from: '2026-06-01', date_to: '2026-06-30' }
  const later = await call(getJourneys, { query: june })
  expect(later.data).toEqual([
    { steps: ['direct'], payments: 0, customers: 0, outcome_value: -120.5, fx_missing: 0 },
  ])
  expect(later.total).toMatchObject({ paths: 0, outcome_value: -120.5 })
  expect((await call(listJourneyPayments, { query: { ...june, path: 'direct' } })).data).toEqual([])
})

it('shows every visit within the lookback and no other, whatever a model credits', async () => {
  const own = await makeOwnProfile(app, ['campaigns:read', 'events:write', 'tracking:write'])
  await own.call(createGoal, {
    body: {
      display_name: 'Donation',
      conversion_key: 'donated',
      source_event_names: ['donated'],
      outcome_type: 'donation',
      revenue_type: 'cash',
      attribution_eligible: false,
    },
  })
  const visits = [
    ['2025-08-10', { utm: { source: 'news', medium: 'email' } }],
    ['2025-09-01', { page: { url: 'https://shop.example/', referrer: 'https://blog.example/' } }],
    ['2025-10-05', { page: { url: 'https://shop.example/', referrer: 'https://www.facebook.com/' } }],
    ['2025-10-20', { utm: { source: 'news', medium: 'email' } }],
    ['2025-10-30', { click_ids: { gclid: 'x' }, page: { url: 'https://shop.example/?gclid=x' } }],
  ] as const
  const person = { user_traits: { email: 'long@x.co' } }
  for (const [day, fields] of visits)
    await own.call(sendEvent, {
      body: {
        event_name: 'visit',
        timestamp: `${day}T10:00:00Z`,
        idempotency_key: day,
        ...person,
        ...fields,
      },
    })
  for (const [event_name, value] of [
    ['payment_received', 100],
    ['donated', 7],
  ] as const)
    await own.call(sendEvent, {
      body: {
        event_name,
        timestamp: '2025-11-01T10:00:00Z',
        idempotency_key: event_name,
        properties: { value, currency: 'EUR' },
        ...person,
      },
    })
  await app.service.processor.settled(own.profileId)
  const query = { date_from: '2025-11-01', date_to: '2025-11-01' }
  const { data, total, meta } = await own.call(getJourneys, { query })
  expect(meta.lookback_days).toBe(30)
  expect(data.map(({ steps, outcome_value }) => [steps, outcome_value])).toEqual([
    [['organic_social', 'email', 'paid_search'], 100],
    [['not_creditable'], 7],
  ])
  const { totals } = (await own.call(getOverview, { query })).data
  expect(total).toMatchObject({ payments: totals.payments, outcome_value: totals.revenue })
})

it('reads a limited number of payments and reports truncation', async () => {
  const profile = { id: profileId, currency: 'EUR', timezone: 'Europe/Madrid' } as ProfileContext['profile']
  const context = { service: app.service, profile, now: new Date() } as ProfileContext
  const three = await report.getJourneys(context, range, 20, 3)
  expect(three.meta.truncated).toBe(true)
  expect(three.total.payments).toBe(3)
  const page = await report.listJourneyPayments(context, range, ['paid_social', 'email'], { limit: 50 }, 4)
  expect(page.data.map(({ value }) => value)).toEqual([50])
  expect(page.next).not.toBeNull()
})

it('does not show journeys of other profiles', async () => {
  const other = await makeOwnProfile(app, ['campaigns:read', 'conversions:read'])
  expect((await other.call(getJourneys, { query: may })).data).toEqual([])
  const path = { ...may, path: 'paid_social,email' }
  expect((await other.call(listJourneyPayments, { query: path })).data).toEqual([])
  const odd = call(listJourneyPayments, { query: { ...may, path: 'paid social' } })
  expect((await refusalOf(odd)).status).toBe(400)
})

it('merges consecutive visits of a channel and keeps the last steps of a long journey', () => {
  expect(toSteps([])).toEqual(['unknown'])
  expect(toSteps(['email', 'email', 'direct', 'email'])).toEqual(['email', 'direct', 'email'])
  const long = Array.from({ length: 9 }, (_, index) => `step${index % 3}`)
  expect(toSteps(long)).toEqual(['earlier', ...long.slice(-MAX_STEPS)])
})

it('excludes amounts without an exchange rate and counts them', () => {
  const sale = (paidMinor: number | null, ...refunds: { day: number; amountMinor: number | null }[]) => ({
    steps: ['email'],
    customerId: 'a',
    ...moneyOfDays(true, paidMinor, refunds, { from: 10, to: 20 }),
  })
  const unrated = { day: 15, amountMinor: null }
  const later = { day: 21, amountMinor: 7 }
  expect(
    groupPaths([sale(100, later), sale(null, unrated), sale(null, { day: 20, amountMinor: 5 })]),
  ).toEqual([{ key: 'email', steps: ['email'], payments: 3, customers: 1, amountMinor: 95, fxMissing: 3 }])
})
