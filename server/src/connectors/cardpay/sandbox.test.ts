import { createCardpaySandbox } from '@whence/sandbox/cardpay/sandbox.ts'
import { sandboxPeople } from '@whence/sandbox/world.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { answerConsent, connectInSandbox, readEverything } from '../../../test/connect-in-sandbox.ts'
import { inbound, sandboxApp, sandboxOptions, sandboxOutbound } from '../../../test/sandbox-outbound.ts'
import type { PaymentRecord, Session } from '../connector.ts'
import { cardpay } from './connector.ts'

const now = new Date('2026-03-10T12:00:00Z')
const window = { sinceDay: '2025-11-01', untilDay: '2026-03-10' }
const extra = { webhookSecret: 'whsec_1' }
const app = sandboxApp('cardpay', extra)

function start() {
  const { options, sent } = sandboxOptions(() => now, extra)
  const sandbox = createCardpaySandbox(options)
  return { sandbox, sent, http: sandboxOutbound(sandbox) }
}

describe('cardpay against its sandbox', () => {
  let world: ReturnType<typeof start>
  let session: Session
  beforeEach(async () => {
    world = start()
    const { token } = await connectInSandbox(cardpay, world.http, app, { now })
    const [account] = await cardpay.listAccounts(world.http, app, token)
    session = { http: world.http, app, token, accountId: account!.id }
  })

  const processed = async () => {
    const records = []
    for (const webhook of world.sent.splice(0)) {
      expect(cardpay.webhooks!.verify(app, inbound(webhook), now)).toBe(true)
      for (const meaning of cardpay.webhooks!.map(inbound(webhook))) {
        if (meaning.type === 'records') records.push(...meaning.records)
        if (meaning.type === 'read_back') {
          records.push(...(await cardpay.webhooks!.readBack!(session, meaning.resource, meaning.id)))
        }
      }
    }
    return records
  }

  test('a complete sync returns every payment of the sandbox with its refund', async () => {
    const { records, pages } = await readEverything(cardpay, session, window)
    const expected = sandboxPeople('whence', now).flatMap(({ payments }) =>
      payments.filter(({ provider }) => provider === 'cardpay'),
    )
    const payments = new Map(
      records.flatMap((record) => (record.type === 'payment' ? [[record.externalId, record]] : [])),
    )
    expect(expected.length).toBeGreaterThan(100)
    expect(pages).toBeGreaterThan(3)
    expect(payments.size).toBe(expected.length)
    for (const payment of expected) {
      expect(payments.get(`ch_${payment.id}`)).toMatchObject({
        amount: { amountMinor: payment.amountMinor, currency: 'USD' },
        occurredAt: new Date(Math.floor(payment.at.getTime() / 1000) * 1000).toISOString(),
      })
    }
    const givenBack = records.filter((record) => record.type === 'refund')
    expect(givenBack.length).toBe(expected.filter(({ refund }) => refund !== null).length)
  })

  test('a charge has the visitor of its checkout', async () => {
    const { records } = await readEverything(cardpay, session, window)
    const people = sandboxPeople('whence', now)
    const visitors = new Map<string, string | null>(
      people.flatMap(({ anonymousId, kind, payments }) =>
        payments.map(({ id }) => [`ch_${id}`, kind === 'shopper' ? anonymousId : null] as const),
      ),
    )
    const payments = records.filter((record): record is PaymentRecord => record.type === 'payment')
    for (const payment of payments) {
      expect([payment.externalId, payment.person.anonymousId]).toEqual([
        payment.externalId,
        visitors.get(payment.externalId),
      ])
    }
    expect(payments.some(({ person }) => person.anonymousId !== null)).toBe(true)
  })

  test('a sync resumes after a crash', async () => {
    const everything = await readEverything(cardpay, session, window)
    const first = await cardpay.sync!.page(session, window, null)
    const second = await cardpay.sync!.page({ ...session }, window, first.cursor)
    expect([...first.records, ...second.records]).toEqual(
      everything.records.slice(0, first.records.length + second.records.length),
    )
  })

  test('a charge, its refund, the refund’s failure and a dispute arrive by signed webhook', async () => {
    const { charge_id } = await world.sandbox.act('new_charge', {
      amount_minor: 7700,
      anonymous_id: 'anon-7',
    })
    expect(await processed()).toMatchObject([
      { externalId: charge_id, amount: { amountMinor: 7700 }, person: { anonymousId: 'anon-7' } },
      { externalId: charge_id, person: { anonymousId: 'anon-7' } },
    ])
    const { refund_id } = await world.sandbox.act('refund', { charge_id, amount_minor: 700 })
    expect(await processed()).toContainEqual(
      expect.objectContaining({ externalId: refund_id, amount: { amountMinor: 700, currency: 'USD' } }),
    )
    await world.sandbox.act('fail_refund', { refund_id })
    expect(await processed()).toMatchObject([{ externalId: refund_id, amount: { amountMinor: 0 } }])
    await world.sandbox.act('dispute', { charge_id, status: 'needs_response' })
    expect(await processed()).toMatchObject([{ type: 'payment', status: 'disputed' }])
    await world.sandbox.act('dispute', { charge_id, status: 'won' })
    expect(await processed()).toMatchObject([
      { type: 'payment', status: 'succeeded' },
      { kind: 'dispute', amount: { amountMinor: 0 } },
    ])
  })

  test('an account that withdrew its consent returns invalid_grant until it consents again', async () => {
    await world.sandbox.act('uninstall', {})
    expect(cardpay.webhooks!.map(inbound(world.sent[0]!))).toEqual([
      { type: 'uninstalled', accountId: session.accountId },
    ])
    await expect(cardpay.sync!.page(session, window, null)).rejects.toMatchObject({ reason: 'invalid_grant' })
    const { token } = await connectInSandbox(cardpay, world.http, app, { now })
    await expect(cardpay.sync!.page({ ...session, token }, window, null)).resolves.toBeDefined()
  })

  test('revoking disconnects at the provider', async () => {
    await cardpay.oauth.revoke(world.http, app, session.token)
    await expect(cardpay.sync!.page(session, window, null)).rejects.toMatchObject({ reason: 'invalid_grant' })
  })

  test('a token lives an hour and is renewed', async () => {
    expect(session.token.expiresAt).toBe('2026-03-10T13:00:00.000Z')
    await world.sandbox.act('expire_tokens', {})
    await expect(cardpay.sync!.page(session, window, null)).rejects.toMatchObject({ reason: 'invalid_grant' })
    const token = await cardpay.oauth.refresh!(world.http, app, session.token, now)
    await expect(cardpay.sync!.page({ ...session, token }, window, null)).resolves.toBeDefined()
  })

  test('a rejected key of the deployment is not reported as the account’s error', async () => {
    const foreign = { ...app, clientSecret: 'wrong' }
    await expect(cardpay.oauth.refresh!(world.http, foreign, session.token, now)).rejects.toMatchObject({
      reason: 'unavailable',
    })
  })

  test.each([
    ['decline', 'cancelled'],
    ['deny-app', 'denied'],
    ['provider-error', 'error'],
    ['no-code', 'error'],
  ])('%s on the consent screen means %s', async (choice, meaning) => {
    const query = await answerConsent(cardpay, world.http, app, choice)
    expect(cardpay.oauth.readCallback(app, query).type).toBe(meaning)
  })

  test('a bad code is refused and an account that cannot charge is not offered', async () => {
    await expect(
      connectInSandbox(cardpay, world.http, app, { now, choice: 'bad-code' }),
    ).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    await world.sandbox.act('grant_account_read', {})
    const { token } = await connectInSandbox(cardpay, world.http, app, { now, choice: 'nothing' })
    expect(await cardpay.listAccounts(world.http, app, token)).toEqual([])
  })
})
