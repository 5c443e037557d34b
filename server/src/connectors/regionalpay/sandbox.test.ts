import { createRegionalpaySandbox } from '@whence/sandbox/regionalpay/sandbox.ts'
import { sandboxPeople } from '@whence/sandbox/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerConsent, connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { Session } from '../connector.ts'
import { regionalpay } from './connector.ts'

const clock = { now: new Date('2026-03-10T12:00:00Z') }
const window = { sinceDay: '2025-11-01', untilDay: '2026-03-10' }
const extra = { webhookSecret: 'secret-w' }
const app = sandboxApp('regionalpay', extra)

function start() {
  clock.now = new Date('2026-03-10T12:00:00Z')
  const { options, sent } = sandboxOptions(() => clock.now, extra)
  const sandbox = createRegionalpaySandbox(options)
  return { sandbox, sent, http: sandboxOutbound(sandbox) }
}

describe('regionalpay against its sandbox', () => {
  let world: ReturnType<typeof start>
  let session: Session
  beforeEach(async () => {
    world = start()
    const { token } = await connectInSandbox(regionalpay, world.http, app, { now: clock.now })
    const [account] = await regionalpay.listAccounts(world.http, app, token)
    session = { http: world.http, app, token, accountId: account!.id }
  })

  test('a sync returns every payment of the sandbox page by page, with its refunds', async () => {
    const { records, pages } = await readEverything(regionalpay, session, window)
    const expected = sandboxPeople('whence', clock.now).flatMap(({ payments }) =>
      payments.filter(({ provider }) => provider === 'regionalpay'),
    )
    const payments = new Map(
      records.flatMap((record) => (record.type === 'payment' ? [[record.externalId, record]] : [])),
    )
    expect(expected.length).toBeGreaterThan(20)
    expect(payments.size).toBe(expected.length)
    for (const payment of expected) {
      expect(payments.get(payment.id)).toMatchObject({
        amount: { amountMinor: payment.amountMinor, currency: 'USD' },
        status:
          payment.status === 'failed'
            ? 'failed'
            : payment.refund?.kind === 'dispute'
              ? 'disputed'
              : 'succeeded',
      })
    }
    const back = new Map(
      records.flatMap((record) =>
        record.type === 'refund' ? [[record.externalId, record.amount.amountMinor]] : [],
      ),
    )
    const total = expected.reduce((sum, { refund }) => sum + (refund?.amountMinor ?? 0), 0)
    expect([...back.values()].reduce((sum, amount) => sum + amount, 0)).toBe(total)
    expect(pages).toBeGreaterThan(0)
  })

  test('payments that change or share one instant during pagination are not lost', async () => {
    for (let index = 0; index < 130; index++)
      await world.sandbox.act('new_charge', { order_id: `made-${index}` })
    const seen = new Set<string>()
    let cursor: string | null = null
    let page = 0
    do {
      const read = await regionalpay.sync!.page(session, window, cursor)
      for (const record of read.records) if (record.type === 'payment') seen.add(record.externalId)
      const first = read.records[0]
      // The first payment of each page moves to the end of the list, as a refund would move it.
      if (page++ === 0 && first?.type === 'payment') {
        await world.sandbox.act('refund', { payment_id: first.externalId, amount_minor: 1 })
      }
      cursor = read.cursor
    } while (cursor !== null)
    const all = await readEverything(regionalpay, session, window)
    const ids = all.records.flatMap((record) => (record.type === 'payment' ? [record.externalId] : []))
    expect(ids.length).toBeGreaterThan(150)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !seen.has(id))).toEqual([])
  })

  test('a webhook identifies the payment, which is read back with its refund', async () => {
    const { payment_id } = await world.sandbox.act('new_charge', {
      amount_minor: 1234,
      anonymous_id: 'anon-3',
    })
    await world.sandbox.act('refund', { payment_id, amount_minor: 34 })
    const [, webhook] = world.sent
    expect(regionalpay.webhooks!.verify(app, inbound(webhook!), clock.now)).toBe(true)
    expect(regionalpay.webhooks!.verify(app, { ...inbound(webhook!), query: {} }, clock.now)).toBe(true)
    const [meaning] = regionalpay.webhooks!.map(inbound(webhook!))
    expect(meaning).toEqual({
      type: 'read_back',
      accountId: session.accountId,
      resource: 'payment',
      id: payment_id,
    })
    expect(await regionalpay.webhooks!.readBack!(session, 'payment', String(payment_id))).toMatchObject([
      { type: 'payment', amount: { amountMinor: 1234 }, person: { anonymousId: 'anon-3' } },
      { type: 'refund', amount: { amountMinor: 34 } },
    ])
    expect(
      await regionalpay.webhooks!.readBack!({ ...session, accountId: '1' }, 'payment', String(payment_id)),
    ).toEqual([])
  })

  test('an expired token is refreshed once; the used refresh token is refused', async () => {
    await world.sandbox.act('expire_tokens', {})
    await expect(regionalpay.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    const fresh = await regionalpay.oauth.refresh!(world.http, app, session.token, clock.now)
    expect(fresh.refreshToken).not.toBe(session.token.refreshToken)
    await expect(regionalpay.sync!.page({ ...session, token: fresh }, window, null)).resolves.toBeDefined()
    await expect(regionalpay.oauth.refresh!(world.http, app, session.token, clock.now)).rejects.toMatchObject(
      {
        reason: 'invalid_grant',
      },
    )
  })

  test('an uninstall is reported and ends the grant', async () => {
    await world.sandbox.act('uninstall', {})
    expect(regionalpay.webhooks!.verify(app, inbound(world.sent[0]!), clock.now)).toBe(true)
    expect(regionalpay.webhooks!.map(inbound(world.sent[0]!))).toEqual([
      { type: 'uninstalled', accountId: session.accountId },
    ])
    await expect(regionalpay.oauth.refresh!(world.http, app, session.token, clock.now)).rejects.toMatchObject(
      {
        reason: 'invalid_grant',
      },
    )
  })

  test('revoking ends the grant at the provider', async () => {
    await regionalpay.oauth.revoke(world.http, app, session.token)
    await expect(regionalpay.sync!.page(session, window, null)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })

  test('another verifier than the one of the consent is refused', async () => {
    const query = await answerConsent(regionalpay, world.http, app, 'approve-one')
    await expect(
      regionalpay.oauth.exchange(world.http, app, {
        code: query.code!,
        redirectUri: 'https://whence.test/connect/callback',
        codeVerifier: 'x'.repeat(43),
        query,
        now: clock.now,
      }),
    ).rejects.toMatchObject({ reason: 'invalid_grant' })
  })

  test('a deactivated seller is not offered', async () => {
    const { token } = await connectInSandbox(regionalpay, world.http, app, {
      now: clock.now,
      choice: 'nothing',
    })
    expect(await regionalpay.listAccounts(world.http, app, token)).toEqual([])
  })
})
