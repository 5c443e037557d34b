import { expect, it } from 'vitest'
import { Order, type Refund, toRecords } from './mapping.ts'
import { normaliseShopAddress } from './shop.ts'

/** Fields as listed in https://woocommerce.github.io/woocommerce-rest-api-docs/#order-properties. */
const base = {
  id: 727,
  number: '727',
  status: 'processing',
  currency: 'USD',
  date_created: '2026-03-22T16:28:02',
  date_created_gmt: '2026-03-22T19:28:02',
  date_modified_gmt: '2026-03-22T19:28:08',
  date_paid_gmt: '2026-03-22T19:28:08',
  total: '29.35',
  customer_id: 0,
  billing: {
    first_name: 'John',
    last_name: 'Doe',
    company: '',
    address_1: '969 Market',
    city: 'San Francisco',
    state: 'CA',
    postcode: '94103',
    country: 'US',
    email: 'john.doe@example.com',
    phone: '(555) 555-5555',
  },
  shipping: { first_name: '', last_name: '', city: '', state: '', postcode: '', country: '' },
  meta_data: [] as { id: number; key: string; value: unknown }[],
  refunds: [],
}
const read = (changes: object = {}, refunds: Refund[] = []) =>
  toRecords({ order: Order.parse({ ...base, ...changes }), refunds })
const typesOf = (changes: object) => read(changes).map(({ type }) => type)
const find = <T extends ReturnType<typeof read>[number]['type']>(changes: object, type: T) =>
  read(changes).find((record) => record.type === type) as Extract<
    ReturnType<typeof read>[number],
    { type: T }
  >
const meta = (fields: Record<string, unknown>) => ({
  meta_data: Object.entries(fields).map(([key, value], id) => ({ id, key, value })),
})
const attribution = (fields: Record<string, string>) =>
  meta(
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`_wc_order_attribution_${name}`, value]),
    ),
  )

it('an order is an outcome, a payment and a status, with the buyer’s address and country', () => {
  expect(read()).toMatchObject([
    {
      type: 'outcome',
      externalId: '727',
      occurredAt: '2026-03-22T19:28:02.000Z',
      value: { amountMinor: 2935, currency: 'USD' },
      retracted: false,
      aside: { number: '727', date_created: '2026-03-22T16:28:02' },
      person: {
        contactId: null,
        email: 'john.doe@example.com',
        phone: '(555) 555-5555',
        country: 'US',
        address: { city: 'San Francisco', region: 'CA', postalCode: '94103' },
      },
    },
    { type: 'payment', status: 'succeeded', orderId: '727' },
    { type: 'order_status', status: 'processing', occurredAt: '2026-03-22T19:28:08.000Z' },
  ])
})

it.each([
  ['pending', null, true, 'pending'],
  ['on-hold', null, false, 'pending'],
  ['processing', null, false, 'pending'],
  ['completed', null, false, 'succeeded'],
  ['shipped-by-plugin', base.date_paid_gmt, false, 'succeeded'],
  ['failed', null, true, 'failed'],
  ['cancelled', null, true, 'failed'],
  ['cancelled', base.date_paid_gmt, true, 'succeeded'],
  ['trash', null, true, 'failed'],
])('%s (paid: %s): retracted %s, payment %s', (status, date_paid_gmt, retracted, payment) => {
  expect(find({ status, date_paid_gmt }, 'outcome').retracted).toBe(retracted)
  expect(find({ status, date_paid_gmt }, 'payment').status).toBe(payment)
})

it('an unfinished cart is ignored', () => {
  expect(typesOf({ status: 'checkout-draft' })).toEqual([])
})

it('refunds have their own id, time and the order’s currency; a refund of 0 is ignored', () => {
  const refunds = [
    { id: '9', amount: '10.00', date_created_gmt: '2026-04-01T10:00:00.000Z' },
    { id: '10', amount: '0.00', date_created_gmt: '2026-04-01T10:00:00.000Z' },
  ]
  expect(read({}, refunds).filter(({ type }) => type === 'refund')).toEqual([
    {
      type: 'refund',
      externalId: '9',
      paymentExternalId: '727',
      occurredAt: '2026-04-01T10:00:00.000Z',
      amount: { amountMinor: 1000, currency: 'USD' },
      kind: 'refund',
    },
  ])
})

it('the order attribution is a visit: click ids are only in the URL of the first page', () => {
  const visit = find(
    attribution({
      source_type: 'utm',
      referrer: 'https://l.facebook.com/',
      utm_source: 'facebook',
      utm_medium: 'paid',
      utm_term: '(none)',
      session_entry: 'https://shop.example/p?utm_source=old&fbclid=AbC&ad_id=7',
      session_start_time: '2026-03-22 19:10:00',
    }),
    'visit',
  )
  expect(visit).toMatchObject({
    externalId: '727',
    occurredAt: '2026-03-22T19:10:00.000Z',
    referrer: 'https://l.facebook.com/',
    person: {
      clickIds: { fbclid: 'AbC' },
      ad: { adId: '7' },
      utm: { source: 'facebook', medium: 'paid' },
      visitedAt: '2026-03-22T19:10:00.000Z',
    },
  })
})

it('a search engine detected by WooCommerce is no UTM tag; orders created in the admin have no visit', () => {
  const organic = { source_type: 'organic', utm_source: 'google', referrer: 'https://www.google.com/' }
  expect(find(attribution(organic), 'visit').person.utm).toBeUndefined()
  for (const source_type of ['admin', 'mobile_app', '(none)'])
    expect(find(attribution({ source_type, utm_source: 'x' }), 'visit')).toBeUndefined()
  const later = attribution({ source_type: 'typein', session_start_time: '2026-03-23 00:00:00' })
  expect(find(later, 'visit').occurredAt).toBe('2026-03-22T19:28:02.000Z')
})

it('the tracker’s visitor is read from a custom field of the order; values of plugins may have any type', () => {
  const fields = { whence_anonymous_id: 'visitor-1', _plugin: { a: 1 }, _list: ['x'], _none: null }
  expect(find(meta(fields), 'payment').person.anonymousId).toBe('visitor-1')
})

it('an order with an invalid amount is refused, not guessed', () => {
  expect(read({ total: '10.1234' })[0]).toMatchObject({ value: { amountMinor: 1012, reported: '10.1234' } })
  expect(() => read({ total: '-1.00' })).toThrow('negative')
  expect(Order.safeParse({ ...base, date_created_gmt: null }).success).toBe(false)
  expect(read({ currency: 'JPY', total: '500' })[0]).toMatchObject({ value: { amountMinor: 500 } })
})

it.each([
  ['shop.example', 'shop.example'],
  [' https://Shop.Example/ ', 'shop.example'],
  ['http://shop.example/wp-admin/admin.php?page=wc-admin', 'shop.example'],
  ['example.com/Store/', 'example.com/Store'],
  ['https://example.com/store/wp-json/wc/v3', 'example.com/store'],
  ['shop.example:8443', 'shop.example:8443'],
  ['https://user:pass@shop.example', null],
  ['example.com/a b', null],
  ['example.com/../x', 'example.com/x'],
  ['nonsense', null],
  ['ftp://shop.example', null],
  ['', null],
])('the address %s is %s', (typed, address) => {
  expect(normaliseShopAddress(typed)).toBe(address)
})
