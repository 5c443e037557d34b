import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { moveClock } from '../../../../test/make-shop.ts'
import { paymentScopes, paymentsOf, paymentTimes as times } from '../../../../test/payments.ts'
import { until } from '../../../../test/until.ts'
import { jobs } from '../../../app.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { startWorker } from '../../../platform/jobs/worker.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import { listGoals, updateGoal } from '../goals/contract.ts'
import { listPaymentLinkage, listPayments, setInstallment, setPayer } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  ;({ profileId, call } = await makeOwnProfile(app, paymentScopes))
})
afterAll(() => app.close())

const range = { date_from: '2026-05-01', date_to: '2026-12-31' }
const { settle, pay, list } = paymentsOf(() => ({ app, profileId, call }))

describe('GET /payments', () => {
  it('lists payments with the payer, newest first, page by page', async () => {
    const ana = await pay('a', { user_traits: { email: 'ana@example.com', first_name: 'Ana' } })
    const unidentified = await pay('n', {
      timestamp: '2026-05-05T10:00:00Z',
      properties: { value: '7.5', currency: 'USD' },
    })
    const visitor = await pay('v', { timestamp: '2026-05-06T10:00:00Z', anonymous_id: 'v1' })
    const all = await list()
    expect(all.map((payment) => payment.payment_id)).toEqual([visitor, unidentified, ana])
    expect(all[2]).toEqual({
      payment_id: ana,
      occurred_at: '2026-05-04T10:00:00.000Z',
      provider: 'events',
      value: 100,
      currency: 'EUR',
      refunded_value: 0,
      refunds_capped: false,
      refunds_waiting: false,
      net_value: 100,
      status: 'succeeded',
      customer_id: expect.any(String),
      payer: {
        customer_id: all[2]!.customer_id,
        assigned: false,
        contact: { first_name: 'Ana', last_name: null, email: 'ana@example.com', phone: null },
        contact_withheld: false,
      },
      is_first_payment: true,
      is_installment: false,
      refund: null,
    })
    expect(all[1]).toMatchObject({ value: 7.5, currency: 'USD', customer_id: null, payer: null })
    expect(all[0]).toMatchObject({ customer_id: expect.any(String), payer: null })
    expect((await list({ status: 'unidentified' })).map((payment) => payment.payment_id)).toEqual([
      visitor,
      unidentified,
    ])
    const first = await call(listPayments, { query: { ...times, limit: '2' } })
    const { cursor } = first.pagination as { cursor: string }
    const nextPage = await call(listPayments, { query: { ...times, limit: '2', cursor } })
    expect(nextPage.data.map((payment) => payment.payment_id)).toEqual([ana])
    expect(nextPage.pagination).toEqual({ has_next: false, cursor: null })
  })

  it('withholds the person from a key that may not read people', async () => {
    await pay('a', { user_traits: { email: 'ana@example.com' } })
    const key = await makeKey(app, profileId, ['payments:read'])
    const { data } = await app.as(key)(listPayments, { query: times })
    expect(data[0]!.payer).toMatchObject({ contact: null, contact_withheld: true })
  })

  it('refuses invalid query values with their error codes', async () => {
    expect(await refusalOf(list({ status: 'paid' }))).toMatchObject({ status: 422, code: 'status_invalid' })
    for (const [field, query] of [
      ['from', { from: 'yesterday', to: times.to }],
      ['to', { from: times.to, to: times.from }],
      ['to', { from: times.from }],
      ['from', {}],
    ] as const)
      expect(await refusalOf(call(listPayments, { query }))).toMatchObject({
        status: 422,
        code: 'range_invalid',
        field,
      })
    expect(await refusalOf(list({ cursor: 'zzz' }))).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })
})

it('an installment is never a first payment; unmarking it restores the flag', async () => {
  const id = await pay('a', { user_traits: { email: 'ana@example.com' } })
  const marked = await call(setInstallment, { params: { payment_id: id }, body: { is_installment: true } })
  expect(marked.data).toMatchObject({ is_installment: true, is_first_payment: false })
  // Resending the event keeps the merchant's choice.
  await pay('a', { user_traits: { email: 'ana@example.com' }, properties: { value: 101 } })
  expect((await list())[0]).toMatchObject({ is_installment: true, value: 101 })
  const back = await call(setInstallment, { params: { payment_id: id }, body: { is_installment: false } })
  expect(back.data).toMatchObject({ is_installment: false, is_first_payment: true })
})

it('setting the payer moves the payment and its credit to that customer', async () => {
  await makeAdWorld(app, profileId, call)
  await call(sendEvent, {
    body: {
      event_name: 'lead_created',
      anonymous_id: 'bob',
      timestamp: '2026-05-02T13:00:00Z',
      user_traits: { email: 'bob@example.com', phone: '+34600111222' },
    },
  })
  await settle()
  const credit = async () => {
    const { data } = await call(listCampaigns, { query: range })
    return Object.fromEntries(data.map((row) => [row.platform_id, row.outcome_value]))
  }
  expect(await credit()).toEqual({ C1: 30, C2: 100 })
  const cid = eventIdOf(profileId, 'cid-1')
  const params = { payment_id: cid }
  const assigned = await call(setPayer, { params, body: { email: ' BOB@example.com' } })
  expect(assigned.data.payer).toMatchObject({ assigned: true, contact: { email: 'bob@example.com' } })
  expect(await credit()).toEqual({ C1: 50, C2: 100 })
  // Resending the event keeps the payer.
  await pay('cid-1', { anonymous_id: 'cid', timestamp: '2026-05-06T10:00:00Z', properties: { value: 25 } })
  expect(await credit()).toEqual({ C1: 55, C2: 100 })
  const byPhone = await call(setPayer, { params, body: { phone: '+34 600 111 222' } })
  expect(byPhone.data.customer_id).toBe(assigned.data.customer_id)
  const undone = await call(setPayer, { params, body: { customer_id: null } })
  expect(undone.data.payer).toBeNull()
  expect(await credit()).toEqual({ C1: 30, C2: 100 })
  const byId = await call(setPayer, { params, body: { customer_id: assigned.data.customer_id } })
  expect(byId.data.customer_id).toBe(assigned.data.customer_id)
})

it('refuses a payer who is not a customer of the profile', async () => {
  const id = await pay('a')
  const params = { payment_id: id }
  const bodies = [
    { customer_id: '00000000-0000-4000-8000-000000000000' },
    { email: 'unknown@example.com' },
    { email: 'no address' },
    { phone: '12' + '3' },
  ]
  for (const body of bodies)
    expect(await refusalOf(call(setPayer, { params, body }))).toMatchObject({
      status: 422,
      code: 'customer_not_in_profile',
    })
  for (const body of [{}, { email: 'a@b.co', phone: '+34600111222' }])
    expect(await refusalOf(call(setPayer, { params, body }))).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
  const other = { payment_id: '00000000-0000-4000-8000-000000000000' }
  expect(await refusalOf(call(setPayer, { params: other, body: { email: 'a@b.co' } }))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})

it('linkage shows for each payment the credited touch and its ad', async () => {
  await makeAdWorld(app, profileId, call)
  const { data } = await call(listPaymentLinkage, { query: times })
  expect(data.map((row) => [row.value, row.linkage, row.matched_by, row.ad?.platform_id ?? null])).toEqual([
    [20, 'no_touch', null, null],
    [30, 'ad', 'anonymous_id', 'A2'],
    [100, 'ad', 'anonymous_id', 'A3'],
  ])
  expect(data[1]).toMatchObject({
    campaign: { platform_id: 'C1', name: 'Name of C1' },
    ad_set: { platform_id: 'S1' },
    touch: { occurred_at: '2026-05-02T10:00:00.000Z', channel: 'paid_social' },
  })
  const first = await call(listPaymentLinkage, { query: { ...times, model: 'first_touch', limit: '2' } })
  const { cursor } = first.pagination as { cursor: string }
  const nextPage = await call(listPaymentLinkage, { query: { ...times, model: 'first_touch', cursor } })
  expect(nextPage.data.map((row) => row.ad?.platform_id)).toEqual(['A1'])
  expect((await refusalOf(call(listPaymentLinkage, {}))).code).toBe('range_invalid')
})

it('linkage shows no ad for the payment of a goal that is not credited, like the reports', async () => {
  await makeAdWorld(app, profileId, call)
  const ofGoals = app.as(await makeKey(app, profileId, ['conversions:read', 'tracking:write']))
  const goals = await ofGoals(listGoals, {})
  const { id } = goals.data.find((goal) => goal.conversion_key === 'payment_received')!
  await ofGoals(updateGoal, { params: { id }, body: { attribution_eligible: false } })
  await settle()
  const { data } = await call(listPaymentLinkage, { query: times })
  expect(data.map((row) => [row.value, row.linkage, row.touch, row.ad])).toEqual(
    [20, 30, 100].map((value) => [value, 'not_creditable', null, null]),
  )
  const { total } = await call(listCampaigns, { query: range })
  expect(total).toMatchObject({ outcome_count: 0 })
})

it('linkage shows the touch recorded first if two touches of one instant have equal credit', async () => {
  for (const ad_id of ['A1', 'A2']) {
    const ad = { event_name: 'visit', anonymous_id: 'eve', timestamp: '2026-05-03T10:00:00Z', ad: { ad_id } }
    await call(sendEvent, { body: { ...ad, idempotency_key: ad_id } })
    await settle()
  }
  await pay('eve', { anonymous_id: 'eve' })
  for (const model of ['linear', 'time_decay', 'last_touch'] as const) {
    const { data } = await call(listPaymentLinkage, { query: { ...times, model } })
    expect([model, data[0]?.ad?.platform_id]).toEqual([model, 'A1'])
  }
})

it('setPayer returns 502 if the payer is saved but credit is not recomputed; a job completes it', async () => {
  const id = await pay('someone')
  await pay('known', { user_traits: { email: 'payer@example.com' } })
  const params = { payment_id: id }
  await app.pool.query(
    `alter table conversions add constraint refuse_one check (profile_id <> '${profileId}') not valid`,
  )
  const refusal = await refusalOf(call(setPayer, { params, body: { email: 'payer@example.com' } }))
  await app.pool.query('alter table conversions drop constraint refuse_one')
  expect(refusal).toMatchObject({ status: 502, code: 'payment_assignment_incomplete' })
  const before = (await call(listPayments, { query: { status: 'all', ...times } })).data
  expect(before.find((row) => row.payment_id === id)!.payer).not.toMatchObject({ assigned: true })
  await moveClock(app, 6)
  const worker = startWorker({ service: app.service, jobs, pollMs: 20 })
  await until(async () => {
    const after = (await call(listPayments, { query: { status: 'all', ...times } })).data
    return after.find((row) => row.payment_id === id)!.payer?.assigned === true
  }, 50)
  await worker.stop()
  const { rows } = await sql<{
    dead: string
  }>`select count(*) as dead from jobs where state = 'dead'`.execute(app.service.db)
  expect(Number(rows[0]!.dead)).toBe(0)
})
