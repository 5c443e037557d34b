import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ProviderApp } from '../connector.ts'
import { OrderNode, OrderPayload, toRecords } from './mapping.ts'
import { normaliseShop } from './shop.ts'
import { mapWebhook, verifyCallback, verifyWebhook } from './webhooks.ts'

describe('the store’s domain', () => {
  test.each([
    'acme-shoes',
    ' Acme-Shoes ',
    'acme-shoes.myshopify.com',
    'https://acme-shoes.myshopify.com/admin/orders?x=1',
    'admin.shopify.com/store/acme-shoes',
    'https://admin.shopify.com/store/acme-shoes/settings/general',
  ])('%s is acme-shoes', (input) => {
    expect(normaliseShop(input)).toBe('acme-shoes.myshopify.com')
  })

  test.each([
    'www.acme-shoes.com',
    'acme-shoes.com',
    'https://acme-shoes.com/admin',
    'acme.myshopify.com.evil.example',
    'evil.example/acme.myshopify.com',
    'https://evil.example?x=.myshopify.com',
    'a.b.myshopify.com',
    'user@acme.myshopify.com',
    'https://acme.myshopify.com:8443',
    'https://admin.shopify.com/acme',
    'https://admin.shopify.com/store/',
    '-acme',
    'acme shoes',
    '',
    'javascript:alert(1)',
  ])('%s is no store', (input) => {
    expect(normaliseShop(input)).toBeNull()
  })
})

const payload = (overrides: Record<string, unknown> = {}) => ({
  id: 820982911946154500,
  created_at: '2026-01-05T10:00:00-05:00',
  processed_at: '2026-01-05T10:00:02-05:00',
  financial_status: 'paid',
  email: 'eva@example.com',
  currency: 'USD',
  total_price: '129.95',
  total_outstanding: '0.00',
  landing_site: '/collections/all?gclid=g-9&ad_id=777&utm_source=x',
  note_attributes: [
    { name: '_whence_id', value: 'anon-5' },
    { name: 'gift', value: 1 },
  ],
  customer: { id: 42, first_name: 'Eva', last_name: 'Lund', phone: '+4670000000' },
  refunds: [],
  ...overrides,
})
const order = (overrides: Record<string, unknown> = {}) => ({ ...payload({ id: 1001 }), ...overrides })

describe('orders', () => {
  test('an order is an outcome and a payment of one person, and has a status', () => {
    const [outcome, payment, ...rest] = toRecords(OrderPayload.parse(order()))
    expect(rest).toMatchObject([{ type: 'order_status', externalId: '1001', status: 'paid' }])
    expect(outcome).toMatchObject({
      outcomeType: 'order_placed',
      externalId: '1001',
      value: { amountMinor: 12995 },
      retracted: false,
    })
    expect(payment).toMatchObject({
      type: 'payment',
      externalId: '1001',
      orderId: '1001',
      status: 'succeeded',
      amount: { amountMinor: 12995, currency: 'USD' },
    })
    expect(payment).toMatchObject({
      occurredAt: '2026-01-05T15:00:02.000Z',
      person: {
        contactId: '42',
        email: 'eva@example.com',
        phone: '+4670000000',
        anonymousId: 'anon-5',
        clickIds: { gclid: 'g-9' },
        ad: { adId: '777', adSetId: null, campaignId: null },
      },
    })
  })

  test.each([
    ['pending', '129.95', 'pending', 12995],
    ['authorized', '129.95', 'pending', 12995],
    ['partially_paid', '100.00', 'succeeded', 2995],
    ['refunded', '0.00', 'succeeded', 12995],
    ['voided', '0.00', 'failed', 12995],
  ])('an order that is %s', (financial_status, total_outstanding, status, amountMinor) => {
    const records = toRecords(OrderPayload.parse(order({ financial_status, total_outstanding })))
    expect(records[1]).toMatchObject({ type: 'payment', status, amount: { amountMinor } })
  })

  test('a cancelled order is retracted and a test order is nothing', () => {
    const cancelled = toRecords(OrderPayload.parse(order({ cancelled_at: '2026-01-06T00:00:00Z' })))
    expect(cancelled[0]).toMatchObject({ retracted: true })
    expect(cancelled.at(-1)).toMatchObject({ type: 'order_status', status: 'cancelled' })
    expect(toRecords(OrderPayload.parse(order({ test: true })))).toEqual([])
  })

  test('both formats of an order map to the same records', () => {
    const node = OrderNode.parse({
      legacyResourceId: '1001',
      createdAt: '2026-01-05T15:00:00Z',
      processedAt: '2026-01-05T15:00:02Z',
      displayFinancialStatus: 'PAID',
      email: 'eva@example.com',
      totalPriceSet: { shopMoney: { amount: '129.95', currencyCode: 'USD' } },
      totalReceivedSet: { shopMoney: { amount: '129.95', currencyCode: 'USD' } },
      customAttributes: [{ key: '_whence_id', value: 'anon-5' }],
      customer: {
        legacyResourceId: '42',
        firstName: 'Eva',
        lastName: 'Lund',
        defaultPhoneNumber: { phoneNumber: '+4670000000' },
      },
    })
    const withoutAside = (records: object[]) => records.map((record) => ({ ...record, aside: null }))
    // What brought the buyer is identified by visits there, by the landing page here.
    const payload = order({ landing_site: null })
    expect(withoutAside(toRecords(node))).toEqual(withoutAside(toRecords(OrderPayload.parse(payload))))
  })

  test('each visit of the journey is reported once, at its own time, with the tracking data of its page', () => {
    const visit = (id: number, at: string, overrides: object) => ({
      id: `gid://shopify/CustomerVisit/${id}`,
      occurredAt: at,
      landingPage: null,
      referrerUrl: null,
      utmParameters: null,
      ...overrides,
    })
    const first = visit(1, '2026-01-01T10:00:00Z', { referrerUrl: 'https://www.google.com/' })
    const middle = visit(2, '2026-01-03T10:00:00Z', {
      landingPage: 'https://acme.myshopify.com/?utm_source=ignored',
      utmParameters: { source: 'news', medium: 'email', campaign: null, content: null, term: null },
    })
    const last = visit(3, '2026-01-05T14:50:00Z', {
      landingPage: 'https://acme.myshopify.com/collections/all?gclid=g-9&ad_id=777',
    })
    const money = { shopMoney: { amount: '1.00', currencyCode: 'USD' } }
    const records = toRecords(
      OrderNode.parse({
        legacyResourceId: '1001',
        createdAt: '2026-01-05T15:00:00Z',
        processedAt: '2026-01-05T15:00:02Z',
        displayFinancialStatus: 'PAID',
        totalPriceSet: money,
        totalReceivedSet: money,
        customer: { legacyResourceId: '42' },
        customerJourneySummary: {
          firstVisit: first,
          lastVisit: last,
          moments: { nodes: [first, middle, {}, last] },
        },
      }),
    )
    const reportedAt = '2026-01-05T15:00:02.000Z'
    expect(records.slice(0, -3)).toMatchObject([
      { type: 'visit', externalId: '1001:1', occurredAt: '2026-01-01T10:00:00.000Z', reportedAt },
      { externalId: '1001:2', person: { utm: { source: 'news', medium: 'email' }, contactId: '42' } },
      { externalId: '1001:3', person: { clickIds: { gclid: 'g-9' }, ad: { adId: '777' } } },
    ])
    expect(records.slice(-3)).toMatchObject([
      { outcomeType: 'order_placed', person: { clickIds: {} } },
      { type: 'payment' },
      { type: 'order_status' },
    ])
  })
})

describe('refunds', () => {
  const refund = {
    id: 5,
    order_id: 1001,
    created_at: '2026-01-07T00:00:00Z',
    transactions: [
      { kind: 'refund', status: 'success', amount: '10.00', currency: 'USD' },
      { kind: 'refund', status: 'failure', amount: '99.00', currency: 'USD' },
      { kind: 'refund', status: 'success', amount: '0.50', currency: 'USD' },
    ],
  }

  const refundsOf = (overrides: Record<string, unknown>) =>
    toRecords(OrderPayload.parse(order({ refunds: [refund], ...overrides }))).filter(
      ({ type }) => type === 'refund',
    )

  test('only successful transactions are refunds', () => {
    expect(refundsOf({})).toMatchObject([
      { externalId: '5', paymentExternalId: '1001', amount: { amountMinor: 1050, currency: 'USD' } },
    ])
    expect(refundsOf({ refunds: [{ ...refund, transactions: [] }] })).toEqual([])
  })

  test('a refund in the buyer’s currency is converted to the store’s', () => {
    const total_price_set = {
      shop_money: { amount: '129.95', currency_code: 'USD' },
      presentment_money: { amount: '119.55', currency_code: 'EUR' },
    }
    const transactions = [{ kind: 'refund', status: 'success', amount: '59.78', currency: 'EUR' }]
    const refunds = [{ ...refund, transactions }]
    expect(refundsOf({ total_price_set, refunds })).toMatchObject([
      { amount: { amountMinor: 6498, currency: 'USD' } },
    ])
    // Without both totals it cannot be reported; the next sync reads it in the store's money.
    expect(refundsOf({ refunds })).toEqual([])
  })

  test('a refund webhook leads to a read back of its order', () => {
    const webhook = {
      rawBody: Buffer.from(JSON.stringify(refund)),
      headers: { 'x-shopify-topic': 'refunds/create', 'x-shopify-shop-domain': 'acme.myshopify.com' },
      query: {},
    }
    expect(mapWebhook(webhook)).toEqual([
      { type: 'read_back', accountId: 'acme.myshopify.com', resource: 'order', id: '1001' },
    ])
  })
})

describe('signatures', () => {
  const app = { clientSecret: 'hush', extra: {} } as unknown as ProviderApp
  const base = { code: '0907a61c', shop: 'some-shop.myshopify.com', state: '0.678', timestamp: '1337178173' }
  const hmac = (line: string) => createHmac('sha256', 'hush').update(line).digest('hex')
  const line = 'code=0907a61c&shop=some-shop.myshopify.com&state=0.678&timestamp=1337178173'

  test('a callback is accepted only with a signature over all of its parameters', () => {
    expect(verifyCallback(app, { ...base, hmac: hmac(line) })).toBe(true)
    expect(verifyCallback(app, { ...base, host: 'abc', hmac: hmac(line) })).toBe(false)
    expect(verifyCallback(app, { ...base, shop: 'other.myshopify.com', hmac: hmac(line) })).toBe(false)
    expect(verifyCallback(app, base)).toBe(false)
    const foreign = { ...base, shop: 'evil.example' }
    expect(verifyCallback(app, { ...foreign, hmac: hmac(line.replace(base.shop, 'evil.example')) })).toBe(
      false,
    )
  })

  test('pairs cannot be joined into another query', () => {
    const glued = { ...base, code: `0907a61c&shop=${base.shop}`, shop: base.shop }
    expect(verifyCallback(app, { ...glued, hmac: hmac(line) })).toBe(false)
  })

  const body = Buffer.from(JSON.stringify(order()))
  const webhook = (topic: string, raw = body, shop = 'acme.myshopify.com') => ({
    rawBody: raw,
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': shop,
      'x-shopify-hmac-sha256': createHmac('sha256', 'hush').update(body).digest('base64'),
    },
    query: {},
  })

  test('a webhook is verified over its raw bytes', () => {
    expect(verifyWebhook(app, webhook('orders/create'))).toBe(true)
    expect(verifyWebhook(app, webhook('orders/create', Buffer.from(`${body} `)))).toBe(false)
    expect(verifyWebhook({ ...app, clientSecret: 'other' }, webhook('orders/create'))).toBe(false)
    expect(verifyWebhook(app, { ...webhook('orders/create'), headers: {} })).toBe(false)
  })

  test('topics map to records, an uninstall or nothing', () => {
    expect(mapWebhook(webhook('orders/create'))).toMatchObject([
      { type: 'records', accountId: 'acme.myshopify.com' },
    ])
    const uninstall = Buffer.from(JSON.stringify({ myshopify_domain: 'left.myshopify.com' }))
    expect(mapWebhook(webhook('app/uninstalled', uninstall))).toEqual([
      { type: 'uninstalled', accountId: 'left.myshopify.com' },
    ])
    expect(mapWebhook(webhook('carts/create'))).toEqual([{ type: 'ignored' }])
    expect(mapWebhook(webhook('orders/create', body, 'www.acme.com'))).toEqual([{ type: 'ignored' }])
  })
})
