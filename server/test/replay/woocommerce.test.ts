/** The examples of WooCommerce's REST API documentation through its mapping. */
import { expect, test } from 'vitest'
import { Order, Refund, toRecords } from '../../src/connectors/woocommerce/mapping.ts'
import { published, withoutAside } from './published.ts'

type Example = Record<string, unknown>
const docs = published<{ order: Example; orders: Example[]; refunds: Example[] }>('woocommerce/docs.json')
const recordsOf = (order: Example, refunds: Example[] = []) =>
  toRecords({ order: Order.parse(order), refunds: refunds.map((refund) => Refund.parse(refund)) }).map(
    withoutAside,
  )

test('a paid order is an outcome and a payment, at the time in UTC', () => {
  expect(recordsOf(docs.order)).toMatchObject([
    {
      type: 'outcome',
      externalId: '727',
      outcomeType: 'order_placed',
      occurredAt: '2017-03-22T19:28:02.000Z',
      value: { amountMinor: 2935, currency: 'USD' },
      retracted: false,
      person: { email: 'john.doe@example.com', phone: '(555) 555-5555', country: 'US' },
    },
    { type: 'payment', status: 'succeeded', amount: { amountMinor: 2935, currency: 'USD' } },
    { type: 'order_status', status: 'processing' },
  ])
})

test('a completed order has its refunds, each at its own time', () => {
  expect(docs.orders[1]).toMatchObject({ status: 'completed', date_paid_gmt: null })
  const records = recordsOf(docs.orders[1]!, docs.refunds)
  expect(records.filter(({ type }) => type === 'refund')).toEqual([
    {
      type: 'refund',
      externalId: '726',
      paymentExternalId: '723',
      occurredAt: '2017-03-21T20:07:11.000Z',
      amount: { amountMinor: 1000, currency: 'USD' },
      kind: 'refund',
    },
    {
      type: 'refund',
      externalId: '724',
      paymentExternalId: '723',
      occurredAt: '2017-03-21T19:55:37.000Z',
      amount: { amountMinor: 900, currency: 'USD' },
      kind: 'refund',
    },
  ])
  expect(records[1]).toMatchObject({ type: 'payment', status: 'succeeded' })
})
