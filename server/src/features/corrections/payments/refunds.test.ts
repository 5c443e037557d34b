import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAdWorld } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { paymentScopes, paymentsOf, paymentTimes as times } from '../../../../test/payments.ts'
import { jobs } from '../../../app.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { saveRefunds } from '../../attribution/pipeline/refunds.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import { saveExchangeRate } from '../exchange-rates/contract.ts'
import { deleteRefund, listPayments, recordRefund, reportCardGatewayPayment } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  ;({ profileId, call } = await makeOwnProfile(app, [...paymentScopes, 'tracking:write']))
})
afterAll(() => app.close())

const { settle, pay } = paymentsOf(() => ({ app, profileId, call }))

describe('manual refunds', () => {
  it('are subtracted once, on their own day, and can be undone', async () => {
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

  it('are refused above the value that the provider has not refunded', async () => {
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
    // A refund that the provider reported cannot be undone.
    expect(await refusalOf(call(deleteRefund, { params }))).toMatchObject({ status: 404, code: 'not_found' })
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

  it('a payment updated to less than its refund has a net value of 0 and refunds_capped', async () => {
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

  it('after a change of currency the refund is converted, once there is an exchange rate', async () => {
    const { data } = await report()
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    await report({ currency: 'USD', value: 30 })
    const beforeRate = await read()
    expect(beforeRate).toMatchObject({
      currency: 'USD',
      refunded_value: 0,
      net_value: null,
      refunds_waiting: true,
      refunds_capped: false,
      refund: { value: 60, currency: 'EUR' },
    })
    expect(await totalOf()).toBeGreaterThanOrEqual(0)
    const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
    const { meta } = await call(listCampaigns, { query: range })
    expect(meta).toMatchObject({
      fx_missing: 2,
      fx_missing_rates: [
        { currency: 'USD', day: '2026-05-05' },
        { currency: 'USD', day: '2026-05-04' },
      ],
      reconciliation: { left_out: 2 },
    })
    // 60 EUR are 75 USD, which is more than the payment.
    await call(saveExchangeRate, { body: { currency: 'USD', day: '2026-05-04', rate: '0.8' } })
    await drainJobs(app.service, jobs)
    expect(await read()).toMatchObject({
      refunded_value: 30,
      net_value: 0,
      refunds_waiting: false,
      refunds_capped: true,
      refund: { value: 30, currency: 'USD' },
    })
    expect(await totalOf()).toBe(0)
  })

  it('the refund of a payment that does not count waits for no exchange rate', async () => {
    const range = { date_from: '2026-05-01', date_to: '2026-05-31' }
    const { data } = await report({ currency: 'USD' })
    await report({ payment_id: 'tx-2', currency: 'CHF', occurred_at: '2026-05-03T10:00:00Z' })
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    const ofOther = { currency: 'CHF', day: '2026-05-03' }
    const counted = await call(listCampaigns, { query: range })
    expect(counted.meta).toMatchObject({
      fx_missing: 3,
      fx_missing_rates: [
        { currency: 'USD', day: '2026-05-05' },
        { currency: 'USD', day: '2026-05-04' },
        ofOther,
      ],
    })
    await report({ currency: 'USD', status: 'failed' })
    await settle()
    const failed = await call(listCampaigns, { query: range })
    expect(failed.meta).toMatchObject({ fx_missing: 1, fx_missing_rates: [ofOther] })
  })

  it('a failed or pending payment has no net value and refuses refunds', async () => {
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

  it('the refund of a payment that fails later is not subtracted', async () => {
    const { data } = await report()
    await settle()
    const params = { payment_id: data.payment_id }
    await call(recordRefund, { params, body: { amount: 60, refunded_at: '2026-05-05T00:00:00Z' } })
    await report({ status: 'failed' })
    expect(await read()).toMatchObject({ status: 'failed', net_value: null, refunded_value: 0 })
    expect(await totalOf()).toBe(0)
  })
})
