import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { paymentScopes, paymentsOf } from '../../../../test/payments.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { reportCardGatewayPayment } from './contract.ts'

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

const { settle, list } = paymentsOf(() => ({ app, profileId, call }))

describe('POST /payments/cardgateway', () => {
  const body = {
    merchant_id: 'shop-1',
    payment_id: 'tx.1',
    value: '12.50',
    currency: 'eur',
    occurred_at: '2026-05-04T10:00:00Z',
    customer: { email: 'ana@example.com', external_ref: 'crm-7' },
  }
  it('updates the payment when the same reference is reported with another status', async () => {
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
    const identifiedBody = { ...body, payment_id: 'tx.2', customer: { external_ref: 'crm-7' } }
    await call(reportCardGatewayPayment, { body: identifiedBody })
    await settle()
    const customers = new Set((await list()).map((payment) => payment.customer_id))
    expect(customers.size).toBe(1)
  })
  it('returns the same response to a retry without occurred_at', async () => {
    const { occurred_at: _, ...timeless } = body
    expect((await call(reportCardGatewayPayment, { body: timeless })).data.status).toBe('accepted')
    expect((await call(reportCardGatewayPayment, { body: timeless })).data.status).toBe('unchanged')
  })
  it('accepts an external_ref that an earlier event contains, even if that event is still queued', async () => {
    await inTransaction(app.service.db, async (tx) => {
      // No event is processed while another transaction holds the profile's lock.
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
  it('creates no customer from external_ref alone, and refuses a malformed reference', async () => {
    const unknown = { ...body, customer: { external_ref: 'unknown' } }
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
