import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../test/make.ts'
import { moveClock } from '../../../test/make-shop.ts'
import { until } from '../../../test/until.ts'
import { jobs } from '../../app.ts'
import type { Client } from '../../contract/client.ts'
import { inTransaction } from '../../db/database.ts'
import { lockProfile } from '../../db/profile-lock.ts'
import { startWorker } from '../../jobs/worker.ts'
import { loadAttributionProfile } from '../attribution/settings.ts'
import { sendEvent } from '../events/contract.ts'
import { eventIdOf } from '../events/rules.ts'
import { saveRefunds } from '../pipeline/refunds.ts'
import { listCampaigns } from '../reports/contract.ts'
import {
  deleteRefund,
  listPaymentLinkage,
  listPayments,
  recordRefund,
  reportCardGatewayPayment,
  setInstallment,
  setPayer,
} from './contract.ts'

let app: TestApp
let person: Person
let workspaceId: string
let profileId: string
let call: Client
const times = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' }
const range = { date_from: '2026-05-01', date_to: '2026-12-31' }

beforeAll(async () => {
  app = await startTestApp()
  person = await makePerson(app)
  workspaceId = await makeWorkspace(person, 'agency')
})
beforeEach(async () => {
  profileId = await makeProfile(person, workspaceId)
  call = app.as(
    await makeKey(app, profileId, [
      'events:write',
      'payments:read',
      'payments:write',
      'campaigns:read',
      'customers:read',
    ]),
  )
})
afterAll(() => app.close())

const settle = () => app.service.processor.settled(profileId)
const pay = async (key: string, fields: Record<string, unknown> = {}) => {
  await call(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: key,
      timestamp: '2026-05-04T10:00:00Z',
      properties: { value: 100 },
      ...fields,
    },
  })
  await settle()
  return eventIdOf(profileId, key)
}
const list = async (query: Record<string, string> = {}) =>
  (await call(listPayments, { query: { ...times, ...query } })).data

describe('GET /payments', () => {
  it('lists payments with the payer, newest first, page by page', async () => {
    const ana = await pay('a', { user_traits: { email: 'ana@example.com', first_name: 'Ana' } })
    const nobody = await pay('n', {
      timestamp: '2026-05-05T10:00:00Z',
      properties: { value: '7.5', currency: 'USD' },
    })
    const visitor = await pay('v', { timestamp: '2026-05-06T10:00:00Z', anonymous_id: 'v1' })
    const all = await list()
    expect(all.map((payment) => payment.payment_id)).toEqual([visitor, nobody, ana])
    expect(all[2]).toEqual({
      payment_id: ana,
      occurred_at: '2026-05-04T10:00:00.000Z',
      provider: 'events',
      value: 100,
      currency: 'EUR',
      refunded_value: 0,
      refunds_capped: false,
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
      nobody,
    ])
    const first = await call(listPayments, { query: { ...times, limit: '2' } })
    const { cursor } = first.pagination as { cursor: string }
    const rest = await call(listPayments, { query: { ...times, limit: '2', cursor } })
    expect(rest.data.map((payment) => payment.payment_id)).toEqual([ana])
    expect(rest.pagination).toEqual({ has_next: false, cursor: null })
  })

  it('withholds the person from a key that may not read people', async () => {
    await pay('a', { user_traits: { email: 'ana@example.com' } })
    const key = await makeKey(app, profileId, ['payments:read'])
    const { data } = await app.as(key)(listPayments, { query: times })
    expect(data[0]!.payer).toMatchObject({ contact: null, contact_withheld: true })
  })

  it('refuses other words with the codes of the catalogue', async () => {
    expect(await refusalOf(list({ status: 'paid' }))).toMatchObject({ status: 422, code: 'status_invalid' })
    for (const query of [
      { from: 'yesterday', to: times.to },
      { from: times.to, to: times.from },
      { from: times.from },
      {},
    ])
      expect(await refusalOf(call(listPayments, { query }))).toMatchObject({
        status: 422,
        code: 'range_invalid',
      })
    expect(await refusalOf(list({ cursor: 'zzz' }))).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })
})

it('takes an installment out of the first payments and puts it back', async () => {
  const id = await pay('a', { user_traits: { email: 'ana@example.com' } })
  const marked = await call(setInstallment, { params: { payment_id: id }, body: { is_installment: true } })
  expect(marked.data).toMatchObject({ is_installment: true, is_first_payment: false })
  // What the merchant said outlives a re-send.
  await pay('a', { user_traits: { email: 'ana@example.com' }, properties: { value: 101 } })
  expect((await list())[0]).toMatchObject({ is_installment: true, value: 101 })
  const back = await call(setInstallment, { params: { payment_id: id }, body: { is_installment: false } })
  expect(back.data).toMatchObject({ is_installment: false, is_first_payment: true })
})

it('moves a sale, and its credit, to the person who paid', async () => {
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
  // A re-send of the event keeps the payer.
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
    { email: 'nobody@example.com' },
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

describe('manual refunds', () => {
  it('net the sale on their own day, once, and can be undone', async () => {
    await makeAdWorld(app, profileId, call)
    const params = { payment_id: eventIdOf(profileId, 'ana-1') }
    const body = { amount: '40.00', reason: 'Goodwill', refunded_at: '2026-05-20T10:00:00Z' }
    const { data } = await call(recordRefund, { params, body })
    expect(data).toMatchObject({
      refunded_value: 40,
      net_value: 60,
      refund: { value: 40, reason: 'Goodwill', refunded_at: '2026-05-20T10:00:00.000Z' },
    })
    const valueIn = async (from: string, to: string) =>
      (await call(listCampaigns, { query: { date_from: from, date_to: to } })).data.map(
        (row) => row.outcome_value,
      )
    expect(await valueIn('2026-05-20', '2026-05-20')).toEqual([-40])
    expect((await valueIn('2026-05-01', '2026-05-31'))[0]).toBe(60)
    expect(await refusalOf(call(recordRefund, { params, body }))).toMatchObject({
      status: 422,
      code: 'manual_refund_exists',
    })
    const undone = await call(deleteRefund, { params })
    expect(undone.data).toMatchObject({ refunded_value: 0, net_value: 100, refund: null })
    expect(await valueIn('2026-05-20', '2026-05-20')).toEqual([])
    expect(await refusalOf(call(deleteRefund, { params }))).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('are refused beyond what the provider left', async () => {
    const id = await pay('a')
    await inTransaction(app.service.db, async (tx) =>
      saveRefunds(
        tx,
        await loadAttributionProfile(tx, profileId),
        [
          {
            id: '00000000-0000-4000-8000-00000000000a',
            paymentId: id,
            kind: 'provider',
            externalId: 're',
            occurredAt: new Date('2026-05-05T00:00:00Z'),
            amountMinor: 6000,
            currency: 'EUR',
            reason: null,
          },
        ],
        new Date(),
      ),
    )
    const params = { payment_id: id }
    for (const amount of [0, -1, '40.01', 'much'])
      expect(await refusalOf(call(recordRefund, { params, body: { amount } }))).toMatchObject({
        status: 422,
        code: 'amount_invalid',
      })
    const early = { amount: 1, refunded_at: '2026-05-01T00:00:00Z' }
    expect((await refusalOf(call(recordRefund, { params, body: early }))).code).toBe('validation_error')
    const all = await call(recordRefund, { params, body: { amount: 40 } })
    expect(all.data).toMatchObject({ refunded_value: 100, net_value: 0 })
    expect(await refusalOf(call(recordRefund, { params, body: { amount: 1 } }))).toMatchObject({
      status: 422,
      code: 'manual_refund_exists',
    })
    const audited = await sql<{ action: string }>`
      select action from audit_log where profile_id = ${profileId} and subject = ${id}`.execute(
      app.service.db,
    )
    expect(audited.rows).toEqual([{ action: 'payment.refunded' }])
  })
})

it('tells how each sale reached an ad', async () => {
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
    touch: { occurred_at: '2026-05-02T10:00:00.000Z', channel: 'paid_other' },
  })
  const first = await call(listPaymentLinkage, { query: { ...times, model: 'first_touch', limit: '2' } })
  const { cursor } = first.pagination as { cursor: string }
  const rest = await call(listPaymentLinkage, { query: { ...times, model: 'first_touch', cursor } })
  expect(rest.data.map((row) => row.ad?.platform_id)).toEqual(['A1'])
  expect((await refusalOf(call(listPaymentLinkage, {}))).code).toBe('range_invalid')
})

it('names the touch recorded first where two of one instant carry the same credit', async () => {
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

describe('POST /payments/cardgateway', () => {
  const body = {
    merchant_id: 'shop-1',
    payment_id: 'tx.1',
    value: '12.50',
    currency: 'eur',
    occurred_at: '2026-05-04T10:00:00Z',
    customer: { email: 'ana@example.com', external_ref: 'crm-7' },
  }
  it('keeps a payment by its reference and follows its status', async () => {
    const first = await call(reportCardGatewayPayment, { body: { ...body, status: 'pending' } })
    expect(first.data.status).toBe('accepted')
    expect((await call(reportCardGatewayPayment, { body })).data).toEqual({
      payment_id: first.data.payment_id,
      status: 'updated',
    })
    expect((await call(reportCardGatewayPayment, { body })).data.status).toBe('unchanged')
    await settle()
    expect(await list()).toMatchObject([
      {
        payment_id: first.data.payment_id,
        provider: 'cardgateway',
        value: 12.5,
        currency: 'EUR',
        status: 'succeeded',
      },
    ])
    const known = { ...body, payment_id: 'tx.2', customer: { external_ref: 'crm-7' } }
    await call(reportCardGatewayPayment, { body: known })
    await settle()
    const customers = new Set((await list()).map((payment) => payment.customer_id))
    expect(customers.size).toBe(1)
  })
  it('gives a retry without a time the same answer', async () => {
    const { occurred_at: _, ...timeless } = body
    expect((await call(reportCardGatewayPayment, { body: timeless })).data.status).toBe('accepted')
    expect((await call(reportCardGatewayPayment, { body: timeless })).data.status).toBe('unchanged')
  })
  it('takes the reference of a customer whom an accepted event names, processed or not', async () => {
    await inTransaction(app.service.db, async (tx) => {
      // Nothing is processed while somebody else holds the profile.
      await lockProfile(tx, profileId)
      await call(sendEvent, {
        body: {
          event_name: 'lead_created',
          idempotency_key: 'just-now',
          user_traits: { email: 'new@example.com', external_id: 'crm-new' },
        },
      })
      const next = { ...body, payment_id: 'tx.new', customer: { external_ref: 'crm-new' } }
      expect((await call(reportCardGatewayPayment, { body: next })).data.status).toBe('accepted')
    })
    await settle()
    const { rows } = await app.pool.query(
      'select count(*)::int as people from identifiers where profile_id = $1',
      [profileId],
    )
    expect(await list()).toHaveLength(1)
    expect(rows).toEqual([{ people: 2 }])
  })
  it('makes no customer from a reference alone, and refuses a malformed reference', async () => {
    const unknown = { ...body, customer: { external_ref: 'nobody' } }
    expect(await refusalOf(call(reportCardGatewayPayment, { body: unknown }))).toMatchObject({
      status: 422,
      code: 'unknown_customer_ref',
    })
    for (const payment_id of ['', 'a b', 'x'.repeat(200)])
      expect(
        await refusalOf(call(reportCardGatewayPayment, { body: { ...body, payment_id } })),
      ).toMatchObject({
        status: 422,
        code: 'payment_ref_invalid',
      })
    for (const bad of [
      { value: -1 },
      { value: 'x' },
      { currency: 'ZZZ' },
      { occurred_at: '2999-01-01T00:00:00Z' },
    ])
      expect((await refusalOf(call(reportCardGatewayPayment, { body: { ...body, ...bad } }))).code).toBe(
        'validation_error',
      )
    await settle()
    expect(await list()).toEqual([])
  })
})

describe('refunds and updates together', () => {
  const report = (fields: Record<string, unknown> = {}) =>
    call(reportCardGatewayPayment, {
      body: {
        payment_id: 'tx-1',
        value: 100,
        currency: 'EUR',
        occurred_at: '2026-05-04T10:00:00Z',
        customer: { email: 'ana@example.com' },
        ...fields,
      },
    })
  const read = async () => {
    await settle()
    return (await call(listPayments, { query: { status: 'all', ...times } })).data[0]!
  }
  const totalOf = async () => {
    const { rows } = await sql<{ minor: string | null }>`
      select sum(report_amount_minor) as minor from (
        select report_value_minor as report_amount_minor from conversions where profile_id = ${profileId}
        union all select -report_amount_minor from refunds where profile_id = ${profileId}) as sums`.execute(
      app.service.db,
    )
    return Number(rows[0]!.minor ?? 0)
  }

  it('a payment that is told smaller than its refund has a net value of nothing, and says that it was capped', async () => {
    const { data } = await report()
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    expect(await read()).toMatchObject({ refunded_value: 60, net_value: 40, refunds_capped: false })
    await report({ value: 50 })
    expect(await read()).toMatchObject({ value: 50, refunded_value: 50, net_value: 0, refunds_capped: true })
    expect(await totalOf()).toBe(0)
    await report({ value: 100 })
    expect(await read()).toMatchObject({ refunded_value: 60, net_value: 40, refunds_capped: false })
    expect(await totalOf()).toBe(4000)
  })

  it('one that comes in another currency takes the refund in that currency, or waits for a rate', async () => {
    const { data } = await report()
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    await report({ currency: 'USD', value: 30 })
    const waiting = await read()
    expect(waiting).toMatchObject({ currency: 'USD', refunded_value: 0, net_value: 30 })
    expect(await totalOf()).toBeGreaterThanOrEqual(0)
  })

  it('what failed or is pending has no net value and takes no refund', async () => {
    for (const status of ['failed', 'pending'] as const) {
      const { data } = await report({ status })
      expect(await read()).toMatchObject({ status, net_value: null, refunded_value: 0 })
      const params = { payment_id: data.payment_id }
      expect(await refusalOf(call(recordRefund, { params, body: { amount: 1 } }))).toMatchObject({
        status: 409,
        code: 'invalid_state',
        reason: 'payment_not_settled',
      })
    }
  })

  it('a payment that fails after its refund gives back nothing', async () => {
    const { data } = await report()
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    await report({ status: 'failed' })
    expect(await read()).toMatchObject({ status: 'failed', net_value: null, refunded_value: 0 })
    expect(await totalOf()).toBe(0)
  })
})

it('a payer that is recorded and not yet in the figures answers 502 and gets there by itself', async () => {
  const id = await pay('someone')
  await pay('known', { user_traits: { email: 'payer@example.com' } })
  const params = { payment_id: id }
  await app.pool.query(
    `alter table conversions add constraint refuse_one check (profile_id <> '${profileId}') not valid`,
  )
  const refused = await refusalOf(call(setPayer, { params, body: { email: 'payer@example.com' } }))
  await app.pool.query('alter table conversions drop constraint refuse_one')
  expect(refused).toMatchObject({ status: 502, code: 'payment_assignment_incomplete' })
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
