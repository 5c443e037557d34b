import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { InboundWebhook, ProviderApp } from '../connector.ts'
import { Payment, toPayment, toRecords } from './mapping.ts'
import { mapWebhook, verifyWebhook } from './webhooks.ts'

const payment = (overrides: Record<string, unknown> = {}) =>
  Payment.parse({
    id: 20359978,
    date_created: '2026-01-05T10:00:00.000-03:00',
    date_approved: '2026-01-05T10:00:07.000-03:00',
    date_last_updated: '2026-01-06T09:00:00.000-03:00',
    status: 'approved',
    status_detail: 'accredited',
    currency_id: 'BRL',
    transaction_amount: 129.9,
    collector_id: 77,
    external_reference: 'P-100',
    metadata: { anonymous_id: 'anon-1', fbclid: 'f-1' },
    payer: {
      id: '5',
      email: 'joao@example.com',
      first_name: 'João',
      last_name: 'Silva',
      phone: { area_code: '11', number: 987654321 },
    },
    refunds: [],
    ...overrides,
  })

describe('payments', () => {
  test('an approved payment is money at the time of its approval', () => {
    expect(toPayment(payment())).toMatchObject({
      externalId: '20359978',
      occurredAt: '2026-01-05T13:00:07.000Z',
      amount: { amountMinor: 12990, currency: 'BRL' },
      status: 'succeeded',
      orderId: 'P-100',
      person: {
        contactId: '5',
        email: 'joao@example.com',
        phone: '11987654321',
        anonymousId: 'anon-1',
        clickIds: { fbclid: 'f-1' },
      },
    })
  })

  const visitor = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
  test.each([
    [`whence_${visitor}`, null, visitor],
    [`A_17-b_whence_${visitor}`, 'A_17-b', visitor],
    // An order number of the shop that happens to be a UUID is not a visitor.
    [visitor, visitor, null],
    ['whence_17', 'whence_17', null],
    [`whence_${visitor}_A`, `whence_${visitor}_A`, null],
  ])('the reference %s is order %s of visitor %s', (external_reference, orderId, anonymousId) => {
    expect(toPayment(payment({ external_reference, metadata: {} }))).toMatchObject({
      orderId,
      person: { anonymousId },
    })
  })

  test('the visitor in metadata takes precedence over the reference', () => {
    const paid = toPayment(payment({ external_reference: `whence_${visitor}` }))
    expect(paid).toMatchObject({ orderId: null, person: { anonymousId: 'anon-1' } })
  })

  test.each([
    [1500, 'CLP', 1500],
    ['35.10', 'PEN', 3510],
    [0.29, 'BRL', 29],
    [250, 'ARS', 25000],
  ])('%s %s is %i minor units', (transaction_amount, currency_id, minor) => {
    expect(toPayment(payment({ transaction_amount, currency_id })).amount.amountMinor).toBe(minor)
  })

  test.each([
    ['approved', 'partially_refunded', 'succeeded'],
    ['refunded', 'refunded', 'succeeded'],
    ['in_process', 'pending_contingency', 'pending'],
    ['authorized', 'pending_capture', 'pending'],
    ['rejected', 'cc_rejected_other_reason', 'failed'],
    ['in_mediation', 'in_process', 'disputed'],
    ['charged_back', 'in_process', 'disputed'],
    ['charged_back', 'reimbursed', 'succeeded'],
  ])('%s (%s) is %s', (status, status_detail, meaning) => {
    expect(toPayment(payment({ status, status_detail })).status).toBe(meaning)
  })

  test('a masked address is not an address', () => {
    expect(toPayment(payment({ payer: { email: 'XXXXXXXXXXX' } })).person.email).toBeNull()
  })
})

describe('refunds and chargebacks', () => {
  const refunds = [
    { id: 1, amount: 20, date_created: '2026-01-06T09:00:00.000-03:00', status: 'approved' },
    { id: 2, amount: 9.9, date_created: '2026-01-06T09:30:00.000-03:00', status: 'rejected' },
  ]

  test('each refund is a separate record, a refused one has amount 0', () => {
    expect(toRecords(payment({ refunds })).slice(1)).toMatchObject([
      { externalId: '1', paymentExternalId: '20359978', amount: { amountMinor: 2000 }, kind: 'refund' },
      { externalId: '2', amount: { amountMinor: 0 } },
    ])
  })

  test('a settled chargeback takes the amount that was not refunded, a reimbursed one nothing', () => {
    const back = (status_detail: string) =>
      toRecords(payment({ refunds, status: 'charged_back', status_detail })).at(-1)
    expect(back('settled')).toMatchObject({ kind: 'dispute', amount: { amountMinor: 10990 } })
    expect(back('reimbursed')).toMatchObject({ kind: 'dispute', amount: { amountMinor: 0 } })
  })
})

describe('webhooks', () => {
  const now = new Date('2026-01-06T12:00:00Z')
  const app = { extra: { webhookSecret: 'secret' } } as unknown as ProviderApp
  const body = (overrides: Record<string, unknown> = {}) =>
    JSON.stringify({
      id: 9,
      type: 'payment',
      action: 'payment.updated',
      user_id: 77,
      data: { id: '20359978' },
      ...overrides,
    })
  const signed = (
    options: { ts?: string; id?: string; secret?: string; raw?: string; request?: string } = {},
  ): InboundWebhook => {
    const ts = options.ts ?? String(now.getTime() / 1000)
    const line = `id:${options.id ?? '20359978'};request-id:${options.request ?? 'req-1'};ts:${ts};`
    const v1 = createHmac('sha256', options.secret ?? 'secret')
      .update(line)
      .digest('hex')
    return {
      rawBody: Buffer.from(options.raw ?? body()),
      headers: { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': 'req-1' },
      query: { 'data.id': options.id ?? '20359978', type: 'payment' },
    }
  }

  test('a signature over id, request and time is accepted, in seconds and in milliseconds', () => {
    expect(verifyWebhook(app, signed(), now)).toBe(true)
    expect(verifyWebhook(app, signed({ ts: String(now.getTime()) }), now)).toBe(true)
    expect(verifyWebhook(app, { ...signed(), query: {} }, now)).toBe(true)
  })

  test.each([
    ['another secret', signed({ secret: 'other' })],
    ['another request id', signed({ request: 'req-2' })],
    ['a body that names another payment', signed({ raw: body({ data: { id: '666' } }) })],
    ['a time far away', signed({ ts: String(now.getTime() / 1000 - 5 * 86_400) })],
    ['a time ahead', signed({ ts: String(now.getTime() / 1000 + 600) })],
    ['no signature', { ...signed(), headers: {} }],
    ['a body that is not JSON', signed({ raw: '<html>' })],
  ])('%s is refused', (_name, webhook) => {
    expect(verifyWebhook(app, webhook, now)).toBe(false)
  })

  test('a notice maps to a read back of the payment or to an uninstall', () => {
    expect(mapWebhook(signed())).toEqual([
      { type: 'read_back', accountId: '77', resource: 'payment', id: '20359978' },
    ])
    expect(
      mapWebhook(signed({ raw: body({ type: 'mp-connect', action: 'application.deauthorized' }) })),
    ).toEqual([{ type: 'uninstalled', accountId: '77' }])
    expect(mapWebhook(signed({ raw: body({ type: 'plan' }) }))).toEqual([{ type: 'ignored' }])
  })
})
