/** Test responses of Mercado Pago's Java client through the mapping of regionalpay. */
import { expect, test } from 'vitest'
import * as mapping from '../../src/connectors/regionalpay/mapping.ts'
import { Order, paymentsOf, toOrderRecords } from '../../src/connectors/regionalpay/orders.ts'
import { published, withoutAside } from './published.ts'

type Example = Record<string, unknown>
const responses = published<Record<string, Example>>('mercado-pago/responses.json')
const recordsOf = (example: Example) => mapping.toRecords(mapping.Payment.parse(example)).map(withoutAside)

test('an approved payment is income of the account that collected it', () => {
  expect(recordsOf(responses.payment!)).toMatchObject([
    {
      type: 'payment',
      externalId: '17014025134',
      occurredAt: '2022-01-10T10:10:10.000Z',
      amount: { amountMinor: 1234, currency: 'BRL' },
      status: 'succeeded',
      orderId: '1631894348',
      person: { email: 'test_user_1631894348@testuser.com', phone: '11987654321', country: 'BR' },
    },
  ])
  const payment = mapping.Payment.parse(responses.payment)
  expect(mapping.isIncome(payment, '810882223')).toBe(true)
  expect(mapping.isIncome(payment, '128185910')).toBe(false)
})

test('an expected transfer is pending, a cancelled payment is none', () => {
  expect(recordsOf(responses.pix!)).toMatchObject([{ status: 'pending', amount: { amountMinor: 10_000 } }])
  expect(recordsOf(responses.cancelled!)).toMatchObject([{ status: 'failed' }])
})

test('a page of the search is read completely', () => {
  const { results } = mapping.PaymentSearch.parse(responses.search)
  expect(results.map(({ setAside }) => setAside)).toEqual([null, null, null])
  expect(results.flatMap(({ item }) => (item === null ? [] : [mapping.toPayment(item).status]))).toEqual([
    'failed',
    'succeeded',
    'failed',
  ])
})

test('refunds in a payment are read with their own time and amount', () => {
  const refunds = responses.refunds as unknown as Example[]
  const payment = { ...responses.payment, status: 'refunded', refunds }
  expect(recordsOf(payment).slice(1)).toMatchObject([
    { type: 'refund', externalId: '1245678203', amount: { amountMinor: 5000, currency: 'BRL' } },
    { type: 'refund', externalId: '1245677387', occurredAt: '2022-01-10T10:10:10.000Z' },
  ])
})

test('an order has no currency: it uses the account’s, and without one the order is set aside', () => {
  const order = Order.parse(responses.order)
  const [payment] = paymentsOf(order)
  expect(toOrderRecords(order, payment!, 'BRL').map(withoutAside)).toMatchObject([
    { type: 'payment', status: 'failed', orderId: 'ext_ref', amount: { amountMinor: 1000, currency: 'BRL' } },
  ])
  expect(() => toOrderRecords(order, payment!, null)).toThrow(
    expect.objectContaining({ reason: 'malformed' }),
  )
})

test('a refunded order has its refund', () => {
  const order = Order.parse({ ...responses.order, ...responses.refunded_order })
  const payment = { ...paymentsOf(Order.parse(responses.order))[0]!, id: 'pay_01JCK2RRKV10XVTEBJR6W4CC18' }
  expect(toOrderRecords(order, payment, 'BRL')[1]).toMatchObject({
    type: 'refund',
    externalId: 'ref_01JCK2SDVFSJGY54AMJCDR9X7R',
    amount: { amountMinor: 20_000, currency: 'BRL' },
  })
})
