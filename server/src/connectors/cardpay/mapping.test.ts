import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { InboundWebhook, ProviderApp } from '../connector.ts'
import {
  Charge,
  CheckoutSession,
  chargeOf,
  Dispute,
  Refund,
  toDisputeRefund,
  toMoney,
  toPayment,
  toRefund,
} from './mapping.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const charge = (overrides: Record<string, unknown> = {}) => ({
  id: 'ch_1',
  amount: 12900,
  amount_captured: 12900,
  currency: 'eur',
  created: 1_760_000_000,
  status: 'succeeded',
  captured: true,
  disputed: false,
  customer: 'cus_9',
  billing_details: { email: 'ana@example.com', phone: null, name: 'Ana María Ruiz' },
  metadata: { order_id: 'A-7', gclid: 'g-1' },
  ...overrides,
})

describe('amounts', () => {
  test.each([
    [500, 'jpy', 500],
    [500, 'usd', 500],
    [500, 'mga', 50_000],
    [50_000, 'isk', 500],
    [50_000, 'ugx', 500],
    [1230, 'kwd', 1230],
    [50_050, 'isk', 500],
  ])('%i in the provider’s units of %s is %i in those of ISO 4217', (amount, currency, minor) => {
    expect(toMoney(amount, currency).amountMinor).toBe(minor)
  })
})

describe('payments', () => {
  test('a charge becomes a payment with its person, order and click ids', () => {
    expect(toPayment(Charge.parse(charge({ outcome: { risk: 3 } })))).toEqual({
      aside: { outcome: { risk: 3 } },
      type: 'payment',
      externalId: 'ch_1',
      occurredAt: '2025-10-09T08:53:20.000Z',
      amount: { amountMinor: 12900, currency: 'EUR' },
      status: 'succeeded',
      orderId: 'A-7',
      person: {
        contactId: 'cus_9',
        email: 'ana@example.com',
        phone: null,
        firstName: 'Ana María',
        lastName: 'Ruiz',
        externalId: null,
        anonymousId: null,
        clickIds: { gclid: 'g-1' },
        ad: { adId: null, adSetId: null, campaignId: null },
        visitedAt: null,
      },
    })
  })

  test('only what was captured is paid, and an authorisation is not yet money', () => {
    expect(toPayment(Charge.parse(charge({ amount_captured: 9000 }))).amount.amountMinor).toBe(9000)
    expect(toPayment(Charge.parse(charge({ captured: false, amount_captured: 0 }))).status).toBe('pending')
  })

  test('fields that the provider omits are null', () => {
    const { person, orderId } = toPayment(
      Charge.parse({ id: 'ch_2', amount: 1, currency: 'usd', created: 0, status: 'succeeded' }),
    )
    expect(person).toMatchObject({ contactId: null, email: null, firstName: null, anonymousId: null })
    expect(orderId).toBeNull()
  })

  test('a checkout adds the visitor to its charge and keeps the charge’s id', () => {
    const session = CheckoutSession.parse({
      id: 'cs_1',
      client_reference_id: 'anon-42',
      metadata: { fbclid: 'f-1' },
      customer_details: { email: 'typed@example.com', phone: '+34600111222', name: 'Ana Ruiz' },
      payment_intent: { id: 'pi_1', metadata: {}, latest_charge: charge() },
    })
    expect(toPayment(chargeOf(session)!, { checkout: session })).toMatchObject({
      externalId: 'ch_1',
      person: {
        anonymousId: 'anon-42',
        email: 'typed@example.com',
        phone: '+34600111222',
        clickIds: { fbclid: 'f-1', gclid: 'g-1' },
      },
    })
  })

  test('a checkout without a charge is no payment', () => {
    expect(chargeOf(CheckoutSession.parse({ id: 'cs_1', payment_intent: 'pi_1' }))).toBeNull()
  })
})

describe('refunds and disputes', () => {
  const refund = {
    id: 're_1',
    amount: 900,
    currency: 'eur',
    created: 10,
    charge: 'ch_1',
    status: 'succeeded',
  }
  const dispute = {
    id: 'dp_1',
    amount: 12900,
    currency: 'eur',
    created: 20,
    charge: charge({ disputed: true }),
  }

  test('a refund that fails later has amount 0 under the same id', () => {
    expect(toRefund(Refund.parse(refund))).toMatchObject({ externalId: 're_1', amount: { amountMinor: 900 } })
    expect(toRefund(Refund.parse({ ...refund, status: 'failed' }))).toMatchObject({
      externalId: 're_1',
      amount: { amountMinor: 0 },
    })
  })

  test.each([
    ['needs_response', 'disputed', null],
    ['lost', 'disputed', 12900],
    ['won', 'succeeded', 0],
    ['warning_closed', 'succeeded', null],
  ])('a dispute that is %s leaves the payment %s', (status, payment, taken) => {
    const parsed = Dispute.parse({ ...dispute, status })
    expect(toPayment(Charge.parse(dispute.charge), { disputes: [parsed] }).status).toBe(payment)
    expect(toDisputeRefund(parsed)?.amount.amountMinor ?? null).toBe(taken)
  })
})

describe('webhooks', () => {
  const now = new Date('2026-01-02T03:04:05Z')
  const app = { extra: { webhookSecret: 'whsec_test' } } as unknown as ProviderApp
  const sign = (body: string, at: number, secret = 'whsec_test') =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
  const inbound = (body: string, header: string): InboundWebhook => ({
    rawBody: Buffer.from(body),
    headers: { 'stripe-signature': header },
    query: {},
  })
  const seconds = now.getTime() / 1000
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'charge.succeeded',
    account: 'acct_1',
    data: { object: charge() },
  })

  test('a signature over these bytes at this time verifies', () => {
    expect(verifyWebhook(app, inbound(body, sign(body, seconds)), now)).toBe(true)
    expect(
      verifyWebhook(
        app,
        inbound(body, `${sign(body, seconds, 'old')},v1=${sign(body, seconds).split('v1=')[1]}`),
        now,
      ),
    ).toBe(true)
  })

  test.each([
    ['another body', () => inbound(`${body} `, sign(body, seconds))],
    ['another secret', () => inbound(body, sign(body, seconds, 'other'))],
    ['a timestamp outside the tolerance', () => inbound(body, sign(body, seconds - 301))],
    [
      'a timestamp that was not signed',
      () => inbound(body, sign(body, seconds - 10).replace(/t=\d+/, `t=${seconds}`)),
    ],
    ['no header', () => ({ ...inbound(body, ''), headers: {} })],
  ])('%s is refused', (_name, webhook) => {
    expect(verifyWebhook(app, webhook(), now)).toBe(false)
  })

  test('without a configured secret every signature is rejected', () => {
    const bare = { extra: {} } as unknown as ProviderApp
    expect(verifyWebhook(bare, inbound(body, sign(body, seconds, '')), now)).toBe(false)
  })

  const meaning = (type: string, object: Record<string, unknown>, account: string | null = 'acct_1') =>
    mapWebhook(inbound(JSON.stringify({ id: 'evt', type, account, data: { object } }), ''))

  test('events map to records, a read back, an uninstall or nothing', () => {
    expect(meaning('charge.succeeded', charge())).toMatchObject([
      { type: 'read_back', accountId: 'acct_1', resource: 'payment', reported: { type: 'payment' } },
    ])
    expect(meaning('charge.refunded', charge())).toMatchObject([
      { type: 'read_back', resource: 'charge', id: 'ch_1' },
    ])
    expect(meaning('charge.dispute.closed', { id: 'dp_1' })).toMatchObject([
      { type: 'read_back', resource: 'dispute' },
    ])
    expect(meaning('account.application.deauthorized', { id: 'ca_1' })).toEqual([
      { type: 'uninstalled', accountId: 'acct_1' },
    ])
    expect(meaning('customer.created', { id: 'cus_1' })).toEqual([{ type: 'ignored' }])
    expect(meaning('charge.succeeded', charge(), null)).toEqual([{ type: 'ignored' }])
  })
})
