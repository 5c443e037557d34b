/** One test per trap of shops: hosts with quirks, disabled webhooks, orders that move during pagination. */
import { afterEach, expect, test } from 'vitest'
import { connectorCases } from '../../../test/connector-cases.ts'
import {
  connect,
  consent,
  exchange,
  lastDays,
  openSession,
  type RunningSandbox,
  startSandbox,
  syncAllPages,
} from '../../../test/sandbox-server.ts'
import { createOutbound } from '../../platform/outbound/client.ts'
import type { SyncRecord, TokenSet } from '../connector.ts'
import { woocommerce } from './connector.ts'

const spec = connectorCases.find(({ connector }) => connector === woocommerce)!
let at: RunningSandbox
afterEach(() => at.close())

const idsOf = (records: SyncRecord[], type: SyncRecord['type']) =>
  records.flatMap((record) => (record.type === type && 'externalId' in record ? [record.externalId] : []))
const webhooks = async () =>
  (await at.sandbox.act('list_webhooks', {})).webhooks as { id: number; topic: string }[]
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: { providerCode: string; reason: string }) => [error.reason, error.providerCode],
  )

test('the consent URL has the app name, the address for the keys and the return URL', () => {
  const app = {
    clientId: 'Whence',
    clientSecret: 's',
    authorizeBaseUrl: 'https://{shop}',
    apiBaseUrl: '',
    extra: {},
  }
  const request = {
    redirectUri: 'https://w.example/connect/callback/woocommerce',
    state: 'a.b-c_d',
    codeChallenge: '',
  }
  const url = new URL(woocommerce.oauth.authorizeUrl(app, { ...request, shop: 'example.com/store' }))
  expect(url.origin + url.pathname).toBe('https://example.com/store/wc-auth/v1/authorize')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    app_name: 'Whence',
    scope: 'read',
    user_id: 'a.b-c_d',
    callback_url: request.redirectUri,
    return_url: `${request.redirectUri}?state=a.b-c_d&shop=example.com%2Fstore`,
  })
  const writing = woocommerce.oauth.authorizeUrl(
    { ...app, extra: { webhooks: 'on' } },
    { ...request, shop: 'a.example' },
  )
  expect(new URL(writing).searchParams.get('scope')).toBe('read_write')
  at = { close: async () => {} } as RunningSandbox
})

test('a host that drops the Authorization header is called with the keys as parameters', async () => {
  at = await startSandbox(spec)
  await at.sandbox.act('host', { dropsAuthorization: true })
  const session = await openSession(spec, at)
  expect(session.token.extra.auth).toBe('query')
  expect((await syncAllPages(woocommerce, session)).length).toBeGreaterThan(0)
})

test('keys of another shop are refused before anything is connected', async () => {
  at = await startSandbox(spec)
  const answered = await consent(spec, at, 'approve-one')
  const deposit = { ...answered.deposit, consumer_secret: 'cs_of-another-shop' }
  expect(await reasonOf(exchange(spec, at, { ...answered, deposit }))).toEqual(['invalid_grant', '401'])
  expect(await reasonOf(exchange(spec, at, { ...answered, deposit: {} }))).toEqual(['invalid_grant', null])
})

test.each([
  ['plainPermalinks', 'no_rest_api'],
  ['redirects', '301'],
])('%s is reported with its own code', async (quirk, code) => {
  at = await startSandbox(spec)
  const answered = await consent(spec, at, 'approve-one')
  await at.sandbox.act('host', { [quirk]: true })
  expect(await reasonOf(exchange(spec, at, answered))).toEqual(['rejected', code])
})

test.each(['intranet.example', '10.0.0.5', '[::1]', 'localhost'])(
  'a shop on a private address is not called: %s',
  async (shop) => {
    const http = createOutbound({
      guard: 'public',
      resolve: async () => [{ address: '192.168.1.10', family: 4 }],
    })
    at = { close: () => http.close() } as RunningSandbox
    const app = {
      clientId: 'w',
      clientSecret: 's',
      authorizeBaseUrl: '',
      apiBaseUrl: 'https://{shop}',
      extra: {},
    }
    const token = { accessToken: 'cs_1', refreshToken: null, expiresAt: null, scopes: [], extra: { shop } }
    const listing = woocommerce.listAccounts(http, app, token as unknown as TokenSet)
    expect(await reasonOf(listing)).toEqual(['unavailable', 'blocked'])
  },
)

test('read-only keys create no webhooks, and the sync works', async () => {
  at = await startSandbox({ ...spec, extra: {} })
  const session = await openSession({ ...spec, extra: {} }, at)
  expect(session.token.scopes).toEqual(['read'])
  expect((await syncAllPages(woocommerce, session)).length).toBeGreaterThan(0)
  expect(await webhooks()).toEqual([])
})

test('each topic has one webhook; disabled ones are replaced by the next sync, and revoking removes all', async () => {
  at = await startSandbox(spec)
  const session = await openSession(spec, at)
  for (let turn = 0; turn < 2; turn++) await woocommerce.sync!.page(session, lastDays, null)
  const first = await webhooks()
  expect(first.map(({ topic }) => topic)).toEqual([
    'order.created',
    'order.updated',
    'order.deleted',
    'order.restored',
  ])
  await at.sandbox.act('disable_webhooks', {})
  at.webhooks.length = 0
  const { order_id: missed } = await at.sandbox.act('new_order', {})
  expect(at.webhooks).toEqual([])
  const records = await syncAllPages(woocommerce, session)
  expect(idsOf(records, 'payment')).toContain(String(missed))
  const second = await webhooks()
  expect(second).toHaveLength(4)
  expect(second.some(({ id }) => first.some((webhook) => webhook.id === id))).toBe(false)
  // The test call of a new webhook is unsigned and ignored.
  const [ping] = at.webhooks
  expect(woocommerce.webhooks!.isPing!(ping!)).toBe(true)
  expect(woocommerce.webhooks!.verify(at.app, ping!, at.clock.now)).toBe(false)
  await woocommerce.oauth.revoke(at.http, at.app, session.token)
  expect(await webhooks()).toEqual([])
})

test('a refund has no webhook: it is read with the update of its order', async () => {
  at = await startSandbox(spec)
  const session = await openSession(spec, at)
  await woocommerce.sync!.page(session, lastDays, null)
  const { order_id: id } = await at.sandbox.act('new_order', { amount_minor: 5000 })
  at.webhooks.length = 0
  const { refund_id: refundId } = await at.sandbox.act('refund', { order_id: id, amount_minor: 1200 })
  const [webhook] = at.webhooks
  expect(webhook!.headers['x-wc-webhook-topic']).toBe('order.updated')
  const [meaning] = woocommerce.webhooks!.map(webhook!)
  expect(meaning).toEqual({
    type: 'read_back',
    accountId: 'harbor.example',
    resource: 'order',
    id: String(id),
  })
  const records = await woocommerce.webhooks!.readBack!(session, 'order', String(id))
  expect(records.find(({ type }) => type === 'refund')).toMatchObject({
    externalId: String(refundId),
    paymentExternalId: String(id),
    amount: { amountMinor: 1200, currency: 'EUR' },
  })
})

test('no shop can sign for another', async () => {
  at = await startSandbox(spec)
  await woocommerce.sync!.page(await openSession(spec, at), lastDays, null)
  at.webhooks.length = 0
  await at.sandbox.act('new_order', {})
  const [webhook] = at.webhooks
  expect(woocommerce.webhooks!.verify(at.app, webhook!, at.clock.now)).toBe(true)
  const other = { ...webhook!, query: { shop: 'other.example' } }
  expect(woocommerce.webhooks!.verify(at.app, other, at.clock.now)).toBe(false)
  expect(woocommerce.webhooks!.verify(at.app, { ...webhook!, query: {} }, at.clock.now)).toBe(false)
})

test('an order in the trash is retracted, by its webhook and by the sync', async () => {
  at = await startSandbox(spec)
  const session = await openSession(spec, at)
  const { order_id: id } = await at.sandbox.act('new_order', {})
  await at.sandbox.act('trash_order', { order_id: id })
  const isRetracted = (records: SyncRecord[]) =>
    records.some(
      (record) => record.type === 'outcome' && record.externalId === String(id) && record.retracted,
    )
  expect(isRetracted(await woocommerce.webhooks!.readBack!(session, 'order', String(id)))).toBe(true)
  expect(isRetracted(await syncAllPages(woocommerce, session))).toBe(true)
})

test('no order is skipped if another leaves the list during pagination', async () => {
  at = await startSandbox(spec)
  const session = await openSession(spec, at)
  for (let count = 0; count < 120; count++) await at.sandbox.act('new_order', {})
  const all = idsOf(await syncAllPages(woocommerce, session), 'payment')
  expect(all.length).toBeGreaterThan(100)
  const first = await woocommerce.sync!.page(session, lastDays, null)
  await at.sandbox.act('delete_order', { order_id: Number(all[0]) })
  const read = new Set(idsOf(first.records, 'payment'))
  let { cursor } = first
  while (cursor !== null) {
    const page = await woocommerce.sync!.page(session, lastDays, cursor)
    for (const id of idsOf(page.records, 'payment')) read.add(id)
    cursor = page.cursor
  }
  expect([...read].sort()).toEqual([...all].sort())
})

test('a changed order is returned again under the same id', async () => {
  at = await startSandbox(spec)
  const session = await openSession(spec, at)
  const { order_id: id } = await at.sandbox.act('new_order', { status: 'on-hold' })
  const paymentOf = async () =>
    (await syncAllPages(woocommerce, session)).find(
      (record) => record.type === 'payment' && record.externalId === String(id),
    )
  expect(await paymentOf()).toMatchObject({ status: 'pending', amount: { amountMinor: 4900 } })
  const changes = { status: 'completed', amountMinor: 3900, paidAt: at.clock.now }
  await at.sandbox.act('change_order', { order_id: id, changes })
  expect(await paymentOf()).toMatchObject({ status: 'succeeded', amount: { amountMinor: 3900 } })
})

test('a shop keeps its own name, currency and zone', async () => {
  at = await startSandbox(spec)
  const token = await connect(spec, at)
  expect(await woocommerce.listAccounts(at.http, at.app, token)).toEqual([
    { id: 'harbor.example', name: 'Harbor Linen', kind: 'store', currency: 'EUR', timezone: 'Europe/Madrid' },
  ])
})
