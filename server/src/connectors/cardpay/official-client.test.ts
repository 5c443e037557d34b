/** The official client against the sandbox, which serves its requests and refuses what the platform refuses. */

import { listParameters } from '@whence/sandbox/cardpay/parameters.ts'
import { createCardpaySandbox } from '@whence/sandbox/cardpay/sandbox.ts'
import Stripe from 'stripe'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { sandboxFetch } from '../../../test/sandbox-fetch.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { apiVersions } from '../versions.ts'
import { cardpay } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const extra = { webhookSecret: 'whsec_1' }
const { options, sent } = sandboxOptions(() => now, extra)
const sandbox = createCardpaySandbox(options)
const http = sandboxOutbound(sandbox)
const app = sandboxApp('cardpay', extra)
let session: Session
let client: Stripe

beforeAll(async () => {
  const { token } = await connectInSandbox(cardpay, http, app, { now })
  const [account] = await cardpay.listAccounts(http, app, token)
  session = { http, app, token, accountId: account!.id }
  client = clientWith(token.accessToken)
})

const clientWith = (key: string, apiVersion?: string) =>
  new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(sandboxFetch(sandbox)),
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiVersion === undefined ? {} : { apiVersion: apiVersion as never }),
  })

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ answered: true }),
    ({ statusCode, code, message }: Record<string, unknown>) => ({ statusCode, code, message }),
  )

test('the connector uses the version of the official client', () => {
  expect(apiVersions.cardpay.version).toBe(Stripe.API_VERSION)
})

test('the sandbox accepts exactly the list parameters of the client', () => {
  type Named<T> = { [P in keyof T]: T[P] extends readonly (infer Name)[] ? Name : never }
  expectTypeOf<Named<typeof listParameters>>().toEqualTypeOf<{
    readonly charges: keyof Stripe.ChargeListParams
    readonly checkout_sessions: keyof Stripe.Checkout.SessionListParams
    readonly refunds: keyof Stripe.RefundListParams
    readonly disputes: keyof Stripe.DisputeListParams
  }>()
  expect(Object.keys(listParameters)).toHaveLength(4)
})

test('an app that may not read the account connects the account of the token response', async () => {
  await expect(client.accounts.retrieveCurrent()).rejects.toMatchObject({ statusCode: 403 })
  expect(await cardpay.listAccounts(session.http, session.app, session.token)).toEqual([
    { id: session.accountId, name: session.accountId, kind: 'account', currency: null, timezone: null },
  ])
})

test('the client reads the account and walks every page of its charges', async () => {
  await sandbox.act('grant_account_read', {})
  const [account] = await cardpay.listAccounts(session.http, session.app, session.token)
  expect(account).toMatchObject({ name: 'Harbor & Pine', currency: 'USD', timezone: 'America/New_York' })
  expect((await client.accounts.retrieveCurrent()).id).toBe(session.accountId)
  const ids: string[] = []
  for await (const charge of client.charges.list({ limit: 100 })) ids.push(charge.id)
  expect(ids.length).toBeGreaterThan(100)
  expect(new Set(ids).size).toBe(ids.length)
})

describe('the sandbox refuses what the platform refuses:', () => {
  test.each([
    ['an unknown parameter', { colour: 'red' }, 'parameter_unknown'],
    ['more than 100 at once', { limit: 101 }, undefined],
    ['none at once', { limit: 0 }, undefined],
  ])('%s', async (_, parameters, code) => {
    expect(await refusalOf(client.charges.list(parameters as Stripe.ChargeListParams))).toMatchObject({
      statusCode: 400,
      ...(code === undefined ? {} : { code }),
    })
  })

  test('an unknown version', async () => {
    const call = clientWith(session.token.accessToken, '2025-13-01.nowhere').charges.list()
    expect(await refusalOf(call)).toMatchObject({ statusCode: 400 })
  })

  test('an expired token', async () => {
    expect(await refusalOf(clientWith('sk_test_gone').charges.list())).toMatchObject({
      statusCode: 401,
      code: 'api_key_expired',
    })
  })
})

test('lists are filtered by intent, charge and subscription', async () => {
  const { data: charges } = await client.charges.list({ limit: 3 })
  const intent = String(charges[1]!.payment_intent)
  expect((await client.charges.list({ payment_intent: intent })).data.map(({ id }) => id)).toEqual([
    charges[1]!.id,
  ])
  const { data: refunds } = await client.refunds.list({ limit: 1 })
  const ofCharge = await client.refunds.list({ charge: String(refunds[0]!.charge) })
  expect(ofCharge.data.map(({ id }) => id)).toEqual([refunds[0]!.id])
  const all = await client.checkout.sessions.list({ limit: 100 })
  const subscribed = all.data.find(({ mode }) => mode === 'subscription')!
  const narrowed = await client.checkout.sessions.list({ subscription: String(subscribed.subscription) })
  expect(narrowed.data.map(({ id }) => id)).toEqual([subscribed.id])
})

test('the payment of a subscription’s session is found through its invoice and has its visitor', async () => {
  const expand = ['data.invoice.payments']
  const { data } = await client.checkout.sessions.list({ limit: 100, expand })
  const subscribed = data.find(({ mode }) => mode === 'subscription')!
  expect(subscribed.payment_intent).toBeNull()
  const invoice = subscribed.invoice as Stripe.Invoice
  const intent = String(invoice.payments!.data[0]!.payment.payment_intent)
  const { data: charges } = await client.charges.list({ payment_intent: intent })
  const records = await cardpay.webhooks!.readBack!(session, 'checkout_session', subscribed.id)
  expect(records).toMatchObject([
    {
      type: 'payment',
      externalId: charges[0]!.id,
      person: { anonymousId: subscribed.client_reference_id, clickIds: clicksIn(subscribed.metadata!) },
    },
  ])
})

test.each([false, true])(
  'a charge that changes after its checkout keeps the visitor (subscription: %s)',
  async (subscription) => {
    const { charge_id } = await sandbox.act('new_charge', { anonymous_id: 'anon-later', subscription })
    sent.splice(0)
    await sandbox.act('update_charge', { charge_id })
    const [meaning] = cardpay.webhooks!.map(inbound(sent[0]!))
    expect(meaning).toMatchObject({ type: 'read_back', reported: { person: { anonymousId: null } } })
    const { resource, id } = meaning as { resource: string; id: string }
    expect(await cardpay.webhooks!.readBack!(session, resource, id)).toMatchObject([
      { type: 'payment', externalId: charge_id, person: { anonymousId: 'anon-later' } },
    ])
  },
)

test('a dispute over a charge from before the window keeps its visitor', async () => {
  const { data } = await client.checkout.sessions.list({ limit: 100 })
  const old = data.findLast(({ mode }) => mode === 'payment')!
  const charge_id = String(old.payment_intent).replace('pi_', 'ch_')
  await sandbox.act('dispute', { charge_id, status: 'needs_response' })
  const day = now.toISOString().slice(0, 10)
  const { records } = await readEverything(cardpay, session, { sinceDay: day, untilDay: day })
  expect(
    records.find((record) => record.type === 'payment' && record.externalId === charge_id),
  ).toMatchObject({
    status: 'disputed',
    person: { anonymousId: old.client_reference_id },
  })
})

const clicksIn = (metadata: Record<string, string>) =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => name.endsWith('clid')))

test('a trial creates a contact before any payment', async () => {
  const trial = await sandbox.act('new_trial', { anonymous_id: 'anon-trial', email: 'ana@example.com' })
  const id = String(trial.checkout_session_id)
  expect(await cardpay.webhooks!.readBack!(session, 'checkout_session', id)).toMatchObject([
    {
      type: 'contact',
      externalId: trial.customer_id,
      person: { contactId: trial.customer_id, anonymousId: 'anon-trial', email: 'ana@example.com' },
    },
  ])
})

test('the client and the connector verify the sandbox’s webhooks', async () => {
  sent.splice(0)
  await sandbox.act('new_charge', {})
  const [webhook] = sent
  const signature = webhook!.headers['stripe-signature']!
  const received = Math.floor(now.getTime() / 1000)
  const event = client.webhooks.constructEvent(
    webhook!.body,
    signature,
    extra.webhookSecret,
    300,
    undefined,
    received,
  )
  expect(event.type).toBe('charge.succeeded')
  expect(cardpay.webhooks!.verify(app, inbound(webhook!), now)).toBe(true)
})

test('the client’s types have every field that is read of a charge, session, refund and dispute', () => {
  expectTypeOf<
    | 'amount_captured'
    | 'billing_details'
    | 'captured'
    | 'customer'
    | 'disputed'
    | 'payment_intent'
    | 'receipt_email'
  >().toExtend<keyof Stripe.Charge>()
  expectTypeOf<
    'client_reference_id' | 'customer' | 'customer_details' | 'invoice' | 'metadata' | 'payment_intent'
  >().toExtend<keyof Stripe.Checkout.Session>()
  expectTypeOf<'charge' | 'status' | 'amount' | 'currency'>().toExtend<keyof Stripe.Refund>()
  expectTypeOf<'charge' | 'status' | 'amount' | 'currency'>().toExtend<keyof Stripe.Dispute>()
  expectTypeOf<'payments'>().toExtend<keyof Stripe.Invoice>()
})
