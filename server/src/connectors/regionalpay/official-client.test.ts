/** The official client against the sandbox, and payments that are no income. */
import { createHmac } from 'node:crypto'
import { createRegionalpaySandbox } from '@whence/sandbox/regionalpay/sandbox.ts'
import { MercadoPagoConfig, Order, Payment, User, WebhookSignatureValidator } from 'mercadopago'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { sandboxFetch } from '../../../test/sandbox-fetch.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { regionalpay } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2026-03-09', untilDay: '2026-03-10' }
const extra = { webhookSecret: 'secret-w' }
const app = sandboxApp('regionalpay', extra)

let world: ReturnType<typeof start>
let session: Session
let config: MercadoPagoConfig

function start() {
  const { options, sent } = sandboxOptions(() => now, extra)
  const sandbox = createRegionalpaySandbox(options)
  return { sandbox, sent, http: sandboxOutbound(sandbox) }
}

beforeEach(async () => {
  world = start()
  const { token } = await connectInSandbox(regionalpay, world.http, app, { now })
  const [account] = await regionalpay.listAccounts(world.http, app, token)
  session = { http: world.http, app, token, accountId: account!.id, currency: 'USD' }
  // The client calls a fixed host through the global fetch.
  vi.stubGlobal('fetch', sandboxFetch(world.sandbox))
  config = new MercadoPagoConfig({ accessToken: token.accessToken })
})
afterEach(() => vi.unstubAllGlobals())

const paymentsOf = async () =>
  (await readEverything(regionalpay, session, window)).records.flatMap((record) =>
    record.type === 'payment' ? [record.externalId] : [],
  )

describe('the official client', () => {
  test('reads the account, searches its payments and reads one with its refunds', async () => {
    const { payment_id } = await world.sandbox.act('new_charge', { amount_minor: 5000 })
    await world.sandbox.act('refund', { payment_id, amount_minor: 500 })
    expect(String((await new User(config).get()).id)).toBe(session.accountId)
    const payments = new Payment(config)
    const options = { sort: 'date_created', criteria: 'desc', limit: 5, offset: 0 } as const
    const page = await payments.search({ options })
    const mine = page.results!.find(({ id }) => String(id) === payment_id)!
    expect(mine.transaction_amount_refunded).toBe(5)
    expect(mine).not.toHaveProperty('refunds')
    const payment = await payments.get({ id: String(payment_id) })
    expect(payment.refunds).toMatchObject([{ amount: 5 }])
  })

  test.each([{ sort: 'colour' }, { criteria: 'sideways' }, { range: 'ever' }, { limit: 'many' }])(
    'is refused %o',
    async (wrong) => {
      const search = new Payment(config).search({ options: wrong as never })
      await expect(search).rejects.toMatchObject({ status: 400 })
    },
  )

  test.each([
    ['more rows than one answer has', { limit: 101 }, 1000],
    ['an unknown filter', { colour: 'red' }, 1],
    ['an unknown sort', { sort: 'colour' }, 1003],
    ['an unknown order', { criteria: 'sideways' }, 1004],
    ['a date that is none', { begin_date: 'yesterday', end_date: 'today' }, 1001],
  ])('gets an error for %s with the documented code', async (_, options, code) => {
    const search = new Payment(config).search({ options: options as never })
    await expect(search).rejects.toMatchObject({ status: 400, causes: [{ code }] })
  })

  test('verifies the sandbox’s signature, as the connector does', async () => {
    await world.sandbox.act('new_charge', {})
    const [webhook] = world.sent
    const check = () =>
      WebhookSignatureValidator.validate({
        xSignature: webhook!.headers['x-signature']!,
        xRequestId: webhook!.headers['x-request-id']!,
        dataId: webhook!.query!['data.id']!,
        secret: extra.webhookSecret,
      })
    expect(check).not.toThrow()
    expect(regionalpay.webhooks!.verify(app, inbound(webhook!), now)).toBe(true)
    webhook!.headers['x-signature'] = webhook!.headers['x-signature']!.replace(/v1=./, 'v1=0')
    expect(check).toThrow()
  })
})

test('accepts the signature of an order, whose id is upper case, in both cases of the id', async () => {
  await world.sandbox.act('new_order', {})
  const webhook = world.sent.at(-1)!
  const dataId = webhook.query!['data.id']!
  expect(dataId).toMatch(/[A-Z]/)
  const parts = { xRequestId: webhook.headers['x-request-id']!, dataId, secret: extra.webhookSecret }
  expect(() =>
    WebhookSignatureValidator.validate({ xSignature: webhook.headers['x-signature']!, ...parts }),
  ).not.toThrow()
  expect(regionalpay.webhooks!.verify(app, inbound(webhook), now)).toBe(true)
  const [, ts] = /ts=(\d+)/.exec(webhook.headers['x-signature']!)!
  const line = `id:${dataId.toLowerCase()};request-id:${parts.xRequestId};ts:${ts};`
  const older = createHmac('sha256', parts.secret).update(line).digest('hex')
  webhook.headers['x-signature'] = `ts=${ts},v1=${older}`
  expect(regionalpay.webhooks!.verify(app, inbound(webhook), now)).toBe(true)
})

test.each(['chargeback', 'claim'])('a %s leads to its payment, which is read again', async (action) => {
  const { payment_id } = await world.sandbox.act('new_charge', { amount_minor: 5000 })
  await world.sandbox.act(action, { payment_id })
  const [meaning] = regionalpay.webhooks!.map(inbound(world.sent.at(-1)!))
  expect(meaning).toMatchObject({ type: 'read_back', resource: action })
  const { resource, id } = meaning as { resource: string; id: string }
  expect(await regionalpay.webhooks!.readBack!(session, resource, id)).toMatchObject([
    { type: 'payment', externalId: payment_id },
    { type: 'refund', kind: 'dispute', amount: { amountMinor: 5000 } },
  ])
})

test('account funding, transfers and own purchases are no income', async () => {
  const before = await paymentsOf()
  for (const operation_type of ['account_fund', 'money_transfer', 'card_validation'])
    await world.sandbox.act('new_charge', { operation_type })
  const bought = await world.sandbox.act('new_charge', { collector_id: '42', payer_id: session.accountId })
  const paidToSelf = await world.sandbox.act('new_charge', { payer_id: session.accountId })
  const sold = await world.sandbox.act('new_charge', { operation_type: 'pos_payment' })
  expect(await paymentsOf()).toEqual([...before, sold.payment_id])
  for (const { payment_id } of [bought, paidToSelf])
    expect(await regionalpay.webhooks!.readBack!(session, 'payment', String(payment_id))).toEqual([])
})

test('a refund that the search omits is read with its payment', async () => {
  const { payment_id } = await world.sandbox.act('new_charge', { amount_minor: 5000 })
  await world.sandbox.act('refund', { payment_id, amount_minor: 700 })
  world.http.calls.splice(0)
  const { records } = await readEverything(regionalpay, session, window)
  expect(records).toContainEqual(
    expect.objectContaining({
      type: 'refund',
      paymentExternalId: payment_id,
      amount: { amountMinor: 700, currency: 'USD' },
    }),
  )
  // Only payments whose sum of refunds is not explained are read again.
  const reread = world.http.calls.filter(
    (call) => call.startsWith('GET /v1/payments/') && !call.includes('search'),
  )
  expect(reread).toContain(`GET /v1/payments/${payment_id}`)
  expect(reread.length).toBeLessThan(records.length)
})

test('a payment with an unknown currency is set aside, one with more decimals than its currency is rounded', async () => {
  // Chilean pesos have no cents.
  const { payment_id: odd } = await world.sandbox.act('new_charge', { amount_minor: 4950, currency: 'CLP' })
  const { payment_id: unknown } = await world.sandbox.act('new_charge', { amount_minor: 5, currency: 'XXZ' })
  const { payment_id: good } = await world.sandbox.act('new_charge', { amount_minor: 5000 })
  const page = await regionalpay.sync!.page(session, window, null)
  expect(page.setAside).toEqual([{ kind: 'payment', externalId: unknown, reason: 'Unknown currency XXZ' }])
  const rounded = { amountMinor: 50, currency: 'CLP', reported: '49.5' }
  for (const payment of [{ externalId: good }, { externalId: odd, amount: rounded }])
    expect(page.records).toContainEqual(expect.objectContaining({ type: 'payment', ...payment }))
})

describe('an order', () => {
  const recordsOfPayment = async (args: Record<string, unknown>) => {
    const { order_id } = await world.sandbox.act('new_order', args)
    const webhook = inbound(world.sent.at(-1)!)
    expect(regionalpay.webhooks!.verify(app, webhook, now)).toBe(true)
    const [meaning] = regionalpay.webhooks!.map(webhook)
    expect(meaning).toEqual({
      type: 'read_back',
      accountId: session.accountId,
      resource: 'order',
      id: order_id,
    })
    return {
      id: String(order_id),
      records: await regionalpay.webhooks!.readBack!(session, 'order', String(order_id)),
    }
  }

  test('whose payment the payments API has is that payment, by webhook and by sync', async () => {
    const { records } = await recordsOfPayment({ amount_minor: 3100, anonymous_id: 'anon-9' })
    expect(records).toMatchObject([{ type: 'payment', person: { anonymousId: 'anon-9' } }])
    const [record] = records
    expect(await paymentsOf()).toContain(record!.type === 'payment' ? record!.externalId : '')
  })

  test('that only the orders API has is read from the order, as by the official client', async () => {
    const { id, records } = await recordsOfPayment({ amount_minor: 3100, known: false, order_id: 'D-7' })
    const seen = await new Order(config).get({ id })
    expect(records).toMatchObject([
      {
        type: 'payment',
        externalId: seen.transactions!.payments![0]!.id,
        amount: { amountMinor: 3100, currency: 'USD' },
        status: 'succeeded',
        orderId: 'D-7',
      },
    ])
  })
})
