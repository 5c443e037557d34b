/** The fixtures of Stripe's OpenAPI description through the mapping of cardpay. */
import { expect, test } from 'vitest'
import * as mapping from '../../src/connectors/cardpay/mapping.ts'
import { published, withoutAside } from './published.ts'

const fixtures = published<Record<string, Record<string, unknown>>>('stripe/fixtures.json')
const charge = (overrides: object = {}) => mapping.Charge.parse({ ...fixtures.charge, ...overrides })

test('a charge that is authorised but not captured is no income yet', () => {
  expect(fixtures.charge).toMatchObject({ status: 'succeeded', paid: true, captured: false })
  expect(withoutAside(mapping.toPayment(charge()))).toMatchObject({
    type: 'payment',
    externalId: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    occurredAt: '2009-02-13T23:31:30.000Z',
    amount: { amountMinor: 100, currency: 'USD' },
    status: 'pending',
    person: { firstName: 'Jenny', lastName: 'Rosen', email: null },
  })
  expect(mapping.toPayment(charge({ captured: true })).status).toBe('succeeded')
})

test('a refund names its charge', () => {
  expect(withoutAside(mapping.toRefund(mapping.Refund.parse(fixtures.refund))!)).toEqual({
    type: 'refund',
    externalId: 're_1Pgc72B7WZ01zgkWqPvrRrPE',
    paymentExternalId: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    occurredAt: '2009-02-13T23:31:30.000Z',
    amount: { amountMinor: 100, currency: 'USD' },
    kind: 'refund',
  })
})

test('an inquiry refunds nothing; a lost dispute does', () => {
  expect(fixtures.dispute).toMatchObject({ status: 'warning_needs_response' })
  expect(mapping.toDisputeRefund(mapping.Dispute.parse(fixtures.dispute))).toBeNull()
  const lost = mapping.Dispute.parse({ ...fixtures.dispute, status: 'lost' })
  expect(mapping.toDisputeRefund(lost)).toMatchObject({ type: 'refund', kind: 'dispute' })
})

test('an open checkout session and a payment intent are read, without a customer', () => {
  const session = mapping.CheckoutSession.parse(fixtures['checkout.session'])
  expect(mapping.toCheckoutContact(session)).toEqual([])
  expect(mapping.chargeOf(session)).toBeNull()
  expect(mapping.PaymentIntent.parse(fixtures.payment_intent)).toMatchObject({ id: expect.any(String) })
})
