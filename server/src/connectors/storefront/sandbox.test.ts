import { createStorefrontSandbox } from '@whence/sandbox/storefront/sandbox.ts'
import { sandboxPeople } from '@whence/sandbox/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerConsent, connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { ProviderApp, Session } from '../connector.ts'
import { storefront } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2025-11-01', untilDay: '2026-03-10' }
const bare = sandboxApp('storefront')
const app: ProviderApp = {
  ...bare,
  authorizeBaseUrl: `${bare.authorizeBaseUrl}/{shop}`,
  apiBaseUrl: `${bare.apiBaseUrl}/{shop}`,
}
const shop = 'harbor-and-pine'

function start() {
  const { options, sent } = sandboxOptions(() => now)
  const sandbox = createStorefrontSandbox(options)
  return { sandbox, sent, http: sandboxOutbound(sandbox) }
}

describe('storefront against its sandbox', () => {
  let world: ReturnType<typeof start>
  let session: Session
  beforeEach(async () => {
    world = start()
    const { token } = await connectInSandbox(storefront, world.http, app, { now, shop })
    const [account] = await storefront.listAccounts(world.http, app, token)
    expect(account).toEqual({
      id: 'harbor-and-pine.myshopify.com',
      name: 'Harbor & Pine',
      kind: 'store',
      currency: 'USD',
      timezone: 'America/New_York',
    })
    session = { http: world.http, app, token, accountId: account!.id }
  })

  test('a sync returns every order of the sandbox with its visitor and its refunds', async () => {
    const { records, pages } = await readEverything(storefront, session, window)
    const people = sandboxPeople('whence', now)
    const expected = people.flatMap((person) =>
      person.payments
        .filter(({ provider }) => provider === 'storefront')
        .map((payment) => ({ person, payment })),
    )
    const payments = new Map(
      records.flatMap((record) => (record.type === 'payment' ? [[record.externalId, record]] : [])),
    )
    expect(pages).toBeGreaterThan(1)
    expect(payments.size).toBe(expected.length)
    for (const { person, payment } of expected) {
      expect(payments.get(payment.id)).toMatchObject({
        amount: { amountMinor: payment.amountMinor },
        person: {
          anonymousId: person.anonymousId,
          email: person.email,
        },
      })
    }
    const visits = records.filter((record) => record.type === 'visit')
    const clicked = visits.filter(({ person }) => Object.keys(person.clickIds).length > 0)
    expect(visits).toHaveLength(2 * expected.length)
    expect(clicked).toHaveLength(expected.filter(({ person }) => person.click).length)
    for (const visit of visits) expect(visit.occurredAt < visit.reportedAt).toBe(true)
    const refunds = records.filter(({ type }) => type === 'refund')
    expect(refunds.length).toBe(expected.filter(({ payment }) => payment.refund !== null).length)
    expect(records.filter(({ type }) => type === 'outcome').length).toBe(expected.length)
  })

  test('an order, its refund and its cancellation arrive by signed webhook', async () => {
    const { order_id } = await world.sandbox.act('new_order', { amount_minor: 5000, anonymous_id: 'anon-1' })
    await world.sandbox.act('refund', { order_id, amount_minor: 500 })
    await world.sandbox.act('cancel_order', { order_id })
    for (const webhook of world.sent)
      expect(storefront.webhooks!.verify(app, inbound(webhook), now)).toBe(true)
    const meanings = world.sent.flatMap((webhook) => storefront.webhooks!.map(inbound(webhook)))
    expect(meanings[0]).toMatchObject({
      type: 'records',
      accountId: session.accountId,
      records: [
        { outcomeType: 'order_placed' },
        { amount: { amountMinor: 5000 }, person: { anonymousId: 'anon-1' } },
        { type: 'order_status', status: 'paid' },
      ],
    })
    expect(meanings[1]).toMatchObject({ type: 'read_back', resource: 'order', id: order_id })
    expect(meanings[3]).toMatchObject({ records: [{ retracted: true }, {}, {}, { status: 'cancelled' }] })
    expect(await storefront.webhooks!.readBack!(session, 'order', String(order_id))).toMatchObject([
      { retracted: true },
      { type: 'payment' },
      { type: 'refund' },
      { type: 'order_status', status: 'cancelled' },
    ])
  })

  test('a token that lives an hour is refreshed and the old refresh token is invalidated', async () => {
    expect(session.token.expiresAt).toBe('2026-03-10T13:00:00.000Z')
    await world.sandbox.act('expire_tokens', {})
    await expect(storefront.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    const token = await storefront.oauth.refresh!(world.http, app, session.token, now)
    expect(token.extra).toEqual(session.token.extra)
    await expect(storefront.sync!.page({ ...session, token }, window, null)).resolves.toBeDefined()
    await expect(storefront.oauth.refresh!(world.http, app, session.token, now)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('the pixel is created once and then updated', async () => {
    const settings = { trackingKey: 'trk_live_1', collectorUrl: 'https://whence.test' }
    const first = await storefront.webPixel!.activate(session, settings)
    const second = await storefront.webPixel!.activate(session, { ...settings, trackingKey: 'trk_live_2' })
    expect(second).toEqual(first)
    expect(world.sandbox.writes().map(({ settings: text }) => JSON.parse(String(text)))).toEqual([
      settings,
      { ...settings, trackingKey: 'trk_live_2' },
    ])
  })

  test('an uninstall is reported and ends the grant', async () => {
    await world.sandbox.act('uninstall', {})
    expect(storefront.webhooks!.map(inbound(world.sent[0]!))).toEqual([
      { type: 'uninstalled', accountId: session.accountId },
    ])
    await expect(storefront.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('a callback with a replaced store is refused', async () => {
    const query = await answerConsent(storefront, world.http, app, 'approve-one', shop)
    expect(storefront.oauth.readCallback(app, query).type).toBe('code')
    expect(storefront.oauth.readCallback(app, { ...query, shop: 'other.myshopify.com' }).type).toBe('error')
  })

  test('a person is never redirected to a custom domain', () => {
    const request = { redirectUri: 'https://whence.test/cb', state: 's', codeChallenge: 'c' }
    expect(() => storefront.oauth.authorizeUrl(app, { ...request, shop: 'www.harborandpine.com' })).toThrow()
    expect(() => storefront.oauth.authorizeUrl(app, { ...request, shop: null })).toThrow()
  })

  test('a closed store is not offered', async () => {
    const { token } = await connectInSandbox(storefront, world.http, app, { now, shop, choice: 'nothing' })
    expect(await storefront.listAccounts(world.http, app, token)).toEqual([])
  })

  test('revoking ends the grant at the provider', async () => {
    await storefront.oauth.revoke(world.http, app, session.token)
    await expect(storefront.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('a wrong secret of the deployment is not reported as the store’s error', async () => {
    const foreign = { ...app, clientSecret: 'wrong' }
    await expect(storefront.oauth.refresh!(world.http, foreign, session.token, now)).rejects.toMatchObject({
      reason: 'unavailable',
    })
  })

  test('throttling inside a 200 is reported as a rate limit with its delay', async () => {
    const cost = { requestedQueryCost: 500, throttleStatus: { currentlyAvailable: 100, restoreRate: 50 } }
    const body = {
      errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
      extensions: { cost },
    }
    const throttled = {
      async send() {
        return { status: 200, headers: {}, bytes: Buffer.from(JSON.stringify(body)) }
      },
      async close() {},
    }
    await expect(storefront.sync!.page({ ...session, http: throttled }, window, null)).rejects.toMatchObject({
      reason: 'rate_limited',
      retryAfterSeconds: 8,
    })
  })
})
