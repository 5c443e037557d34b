/** Mail from a mailbox: only to known people, once, with the vendor's refusals as codes, and without storing its text. */
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { authorizePartner } from '../../../../test/consent-browser.ts'
import { mailboxOf } from '../../../../test/mailbox.ts'
import {
  makeApp,
  makeKey,
  makeOwnProfile,
  makePerson,
  makeProfile,
  makeWorkspace,
  refusalOf,
} from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { ana, recordOutcome } from '../../../../test/record-outcome.ts'
import type { MailboxVendor } from '../../../connectors/mailbox.ts'
import { listPersonAccess } from '../../../platform/audit/contract.ts'
import type { Client } from '../../../platform/contract/client.ts'
import {
  type Connection,
  disconnectConnection,
  getConnection,
  listConnections,
  startSync,
} from '../../sources/connections/contract.ts'
import { sendMail } from './contract.ts'

/** Planted in subjects, texts and addresses; searched for in the database, the log and the webhooks. */
const SECRET = 'Xylophone-quartz-4712'
const WRITTEN = 'zzplanted-reader@example.com'

const appScopes = ['connections:write', 'messages:write'] as const

const lines: string[] = []
let app: TestApp
let shop: Shop
let key: string
let call: Client
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug' })
  shop = await makeShop(app)
  key = await makeKey(app, shop.profileId, ['connections:read', 'connections:write', 'messages:write'])
  call = app.as(key)
  await recordOutcome(app, shop.profileId, 'lead-1')
})
afterAll(async () => {
  await app.close()
  vi.restoreAllMocks()
})

type Fields = { to?: string[]; subject?: string; text?: string; html?: string; reply_to?: string }
const bodyOf = (connectionId: string, fields: Fields = {}) => ({
  connection_id: connectionId,
  to: [ana.email],
  subject: `Plan ${SECRET}`,
  text: `Hello\n${SECRET}`,
  ...fields,
})
const send = (connectionId: string, fields: Fields = {}, idempotencyKey?: string) =>
  call(sendMail, {
    body: bodyOf(connectionId, fields),
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  })

describe.each(['gmail', 'microsoft_mail'] as const)('%s', (vendor: MailboxVendor) => {
  let mailbox: Connection
  beforeAll(async () => {
    mailbox = await shop.connected(vendor)
  })
  beforeEach(() => act('reset'))

  const { act, sent, newEvents } = mailboxOf(() => ({ app, profileId: shop.profileId, mailbox }), vendor)
  const statusNow = async () => (await call(getConnection, { params: { id: mailbox.id } })).data.status
  const refusing = async (kind: string, fields: Fields = {}) => {
    await act('refuse', { with: kind })
    return refusalOf(send(mailbox.id, fields))
  }

  it('is a connection of the channel mailbox, with nothing to sync', async () => {
    expect(mailbox).toMatchObject({ channel: 'mailbox', provider_subtype: vendor, status: 'connected' })
    expect(mailbox.display_name).toMatch(/@harborandpine\.example$/)
    const listed = (await call(listConnections, { query: { channel: 'mailbox' } })).data
    expect(listed.map(({ id }) => id)).toContain(mailbox.id)
    const refusal = await refusalOf(call(startSync, { body: { connection_id: mailbox.id } }))
    expect(refusal).toMatchObject({ status: 501, code: 'not_implemented' })
    expect(await newEvents()).toContainEqual(['connection.connected', 'connected', null])
  })

  it('sends to a customer and a member, and an independent parser reads the same content', async () => {
    const before = (await sent()).length
    const { data } = await send(mailbox.id, {
      to: [ana.email.toUpperCase(), shop.owner.email],
      html: `<p>${SECRET} ñ</p>`,
      reply_to: 'front@example.com',
    })
    expect(data).toMatchObject({ status: 'sent', message_id: expect.any(String) })
    const mails = await sent()
    expect(mails).toHaveLength(before + 1)
    const read = await PostalMime.parse(Buffer.from(mails.at(-1)!.raw, 'base64'))
    expect(read).toMatchObject({ subject: `Plan ${SECRET}`, from: { address: mailbox.display_name } })
    expect(read.text?.trim()).toBe(`Hello\n${SECRET}`)
    expect(read.html).toContain('ñ')
    expect(read.messageId).toContain(data.message_id)
    const logged = await sql`
      select 1 from pii_access_log where profile_id = ${shop.profileId} and route = 'sendMail'`.execute(
      app.service.db,
    )
    expect(logged.rows.length).toBeGreaterThan(0)
  })

  it('sends to no one else, and sends nothing if one recipient is unknown', async () => {
    const before = (await sent()).length
    const stranger = await makeOwnProfile(app)
    await recordOutcome(app, stranger.profileId, 'lead-2', { person: { ...ana, email: WRITTEN } })
    for (const address of ['somebody@example.com', WRITTEN, stranger.owner.email])
      expect(await refusalOf(send(mailbox.id, { to: [ana.email, address] }))).toMatchObject({
        status: 422,
        code: 'validation_error',
        field: 'to',
      })
    // The refusal does not reveal which of the addresses belongs to a customer.
    const refusalFor = async (...to: string[]) => {
      const { status, code, message, field, hint } = await refusalOf(send(mailbox.id, { to }))
      return { status, code, message, field, hint }
    }
    const unknown = await refusalFor('unknown@example.com', 'somebody@example.com')
    expect(await refusalFor(ana.email, 'somebody@example.com')).toEqual(unknown)
    expect(await refusalFor('somebody@example.com', ana.email)).toEqual(unknown)
    expect(await sent()).toHaveLength(before)
  })

  it('a suspended account needs action until the first accepted send', async () => {
    await newEvents()
    await act('suspend')
    for (const _ of [1, 2])
      expect(await refusalOf(send(mailbox.id))).toMatchObject({ status: 403, code: 'account_suspended' })
    expect(await statusNow()).toBe('needs_action')
    // Announced once, although two sends were refused.
    expect(await newEvents()).toEqual([['channel.health.updated', 'needs_action', 'account_suspended']])
    await act('reset')
    expect((await send(mailbox.id)).data.status).toBe('sent')
    expect(await statusNow()).toBe('connected')
    expect(await newEvents()).toEqual([['channel.health.updated', 'connected', null]])
  })

  it('an account without a mailbox needs action until a send succeeds', async () => {
    await newEvents()
    expect(await refusing('mailbox_disabled')).toMatchObject({ status: 403, code: 'mailbox_disabled' })
    expect(await statusNow()).toBe('needs_action')
    expect(await newEvents()).toEqual([['channel.health.updated', 'needs_action', 'mailbox_disabled']])
    // A new consent does not prove that the mailbox works.
    expect(await shop.connected(vendor)).toMatchObject({ id: mailbox.id, status: 'needs_action' })
    await act('reset')
    await send(mailbox.id)
    expect(await statusNow()).toBe('connected')
    await newEvents()
  })

  it('a quota error contains the retry time and changes nothing else', async () => {
    await newEvents()
    await act('refuse', { with: 'daily_limit' })
    const reply = await fetch(`${app.baseUrl}/api/v1/mail/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(mailbox.id)),
    })
    expect(reply.status).toBe(429)
    expect(((await reply.json()) as { error: { code: string } }).error.code).toBe('quota_exceeded')
    const seconds = Number(reply.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(5000)
    expect(seconds).toBeLessThanOrEqual(7200)
    expect(await statusNow()).toBe('connected')
    expect(await newEvents()).toEqual([])
  })

  it('a temporary limit of the app registration is a provider error, not a quota', async () => {
    expect(await refusing('rate_limit')).toMatchObject({ status: 502, code: 'provider_error' })
  })

  it('a refused recipient affects this mail only', async () => {
    await newEvents()
    const person = {
      ...ana,
      contactId: `refused-${vendor}`,
      email: `refused@${vendor.replace('_', '-')}.invalid`,
    }
    await recordOutcome(app, shop.profileId, `lead-${vendor}`, {
      person: { ...person, phone: '+34600000002' },
    })
    expect(await refusalOf(send(mailbox.id, { to: [person.email] }))).toMatchObject({
      status: 422,
      code: 'recipient_rejected',
    })
    expect(await statusNow()).toBe('connected')
    expect(await newEvents()).toEqual([])
  })

  it('another refusal is a provider error with 422 and the vendor’s code, also when repeated', async () => {
    await act('refuse', { with: 'other' })
    for (const _ of [1, 2])
      expect(await refusalOf(send(mailbox.id))).toMatchObject({
        status: 422,
        code: 'provider_error',
        provider_code: vendor === 'gmail' ? 'failedPrecondition' : 'ErrorSendAsDenied',
        provider_message: expect.any(String),
      })
    expect(await statusNow()).toBe('connected')
  })

  it('a lost response is reported as unknown, and repeating the request sends nothing', async () => {
    const before = (await sent()).length
    const match = vendor === 'gmail' ? '/gmail/' : '/v1.0/me/sendMail'
    await triggerSandbox(app, vendor, 'fault', { kind: 'lost_reply', match, times: 1 })
    const { data } = await send(mailbox.id, {}, `lost-${vendor}`)
    expect(data).toMatchObject({ status: 'unknown', provider_message_id: null })
    expect((await send(mailbox.id, {}, `lost-${vendor}`)).data).toEqual(data)
    expect(await sent()).toHaveLength(before + 1)
  })

  it('a crash between call and response leaves a row that prevents a second send', async () => {
    const idempotencyKey = `crash-${vendor}`
    const { data } = await send(mailbox.id, {}, idempotencyKey)
    const before = (await sent()).length
    // State after a crash: the response was not stored and the row still has the status sending.
    const forget = () =>
      app.service.db.deleteFrom('idempotency_keys').where('key', '=', idempotencyKey).execute()
    await forget()
    await sql`update mail_messages set status = 'sending', settled_at = null
      where profile_id = ${shop.profileId} and id = ${data.message_id}`.execute(app.service.db)
    const repeated = await send(mailbox.id, {}, idempotencyKey)
    expect(repeated.data).toEqual({
      message_id: data.message_id,
      provider_message_id: null,
      status: 'unknown',
    })
    expect(await sent()).toHaveLength(before)
    await forget()
    expect(await refusalOf(send(mailbox.id, { text: 'another' }, idempotencyKey))).toMatchObject({
      status: 409,
      code: 'idempotency_key_conflict',
    })
  })

  it('three concurrent requests with one key send one mail', async () => {
    const before = (await sent()).length
    const answers = await Promise.allSettled([1, 2, 3].map(() => send(mailbox.id, {}, `race-${vendor}`)))
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await sent()).toHaveLength(before + 1)
  })

  it('an expired token is refreshed first; with an unreadable token nothing is sent and the outcome is known', async () => {
    const before = (await sent()).length
    await moveClock(app, 2 * 3600)
    const match = vendor === 'gmail' ? '/token' : '/common/oauth2/v2.0/token'
    await triggerSandbox(app, vendor, 'fault', { kind: 'truncated_json', match, times: 1 })
    expect(await refusalOf(send(mailbox.id))).toMatchObject({ status: 502, code: 'provider_error' })
    expect(await sent()).toHaveLength(before)
    await act('reset')
    expect((await send(mailbox.id)).data.status).toBe('sent')
  })

  it('a grant without the permission requires a reconnect', async () => {
    await newEvents()
    expect(await refusing('insufficient_permission')).toMatchObject({
      status: 403,
      code: 'auth_revoked',
      reconnect_required: true,
    })
    expect(await statusNow()).toBe('reconnect_required')
    expect(await newEvents()).toEqual([
      ['connection.reconnect_required', 'reconnect_required', 'permission_missing'],
      ['channel.health.updated', 'reconnect_required', 'permission_missing'],
    ])
    expect((await shop.connected(vendor)).id).toBe(mailbox.id)
  })

  it('a revoked grant requires a reconnect and returns its link; after it, mail is sent', async () => {
    await newEvents()
    await act('revoke', { connection_id: mailbox.id })
    for (const _ of [1, 2])
      expect(await refusalOf(send(mailbox.id))).toMatchObject({
        status: 403,
        code: 'auth_revoked',
        reconnect_required: true,
        reconnect_url: expect.stringContaining('/connect/'),
      })
    // An app with only a grant cannot connect a mailbox, so it gets no link.
    const letInApp = await makeApp(app, await makeWorkspace(await makePerson(app)), appScopes)
    const { access_token } = await authorizePartner(app, letInApp, shop.owner, {
      scope: appScopes.join(' '),
      profileId: shop.profileId,
    })
    const toApp = await refusalOf(app.as(access_token)(sendMail, { body: bodyOf(mailbox.id) }))
    expect(toApp).toMatchObject({ code: 'auth_revoked', reconnect_required: true })
    expect(toApp.reconnect_url).toBeUndefined()
    expect(await statusNow()).toBe('reconnect_required')
    expect((await newEvents()).map(([type]) => type)).toEqual([
      'connection.reconnect_required',
      'channel.health.updated',
    ])
    const reconnected = await shop.connected(vendor)
    expect(reconnected).toMatchObject({ id: mailbox.id, status: 'connected' })
    expect((await newEvents()).map(([type]) => type)).toEqual([
      'channel.health.updated',
      'connection.connected',
    ])
    expect((await send(mailbox.id)).data.status).toBe('sent')
  })

  it('is unknown to another profile, also of the same workspace', async () => {
    const otherId = await makeProfile(shop.owner, shop.workspaceId)
    const otherProfiles = [
      await makeOwnProfile(app, ['messages:write']),
      { call: app.as(await makeKey(app, otherId, ['messages:write'])) },
    ]
    for (const other of otherProfiles)
      expect(await refusalOf(other.call(sendMail, { body: bodyOf(mailbox.id) }))).toMatchObject({
        status: 404,
        code: 'not_found',
      })
  })

  it('a mail that the vendor refuses is recorded as an access to the customer', async () => {
    const accesses = async () => {
      const { data } = await shop.owner.call(listPersonAccess, { params: { workspaceId: shop.workspaceId } })
      return data.filter(({ route }) => route === 'sendMail').length
    }
    const before = await accesses()
    await act('refuse', { with: 'other' })
    await refusalOf(send(mailbox.id))
    expect(await accesses()).toBe(before + 1)
  })

  it('when disconnected, it sends nothing and does not reveal who is a customer', async () => {
    const { data } = await call(disconnectConnection, { params: { id: mailbox.id } })
    expect(data.status).toBe('revoked')
    const answers = [ana.email, 'somebody@example.com'].map(async (address) => {
      const { status, code, message } = await refusalOf(send(mailbox.id, { to: [address] }))
      return { status, code, message }
    })
    const [customerRefusal, strangerRefusal] = await Promise.all(answers)
    expect(customerRefusal).toMatchObject({ status: 409, code: 'connection_revoked' })
    expect(strangerRefusal).toEqual(customerRefusal)
    expect(await shop.connected(vendor)).toMatchObject({ id: mailbox.id, status: 'connected' })
  })
})

it('a subject is one line, and a mail has a recipient', async () => {
  const mailbox = await shop.connected('gmail')
  for (const fields of [
    { subject: 'a\r\nBcc: b@example.com' },
    { to: [] },
    { to: ['no address'] },
    { to: ['a@example.com,b@example.com'] },
    { reply_to: 'x' },
    { text: '' },
  ])
    expect(await refusalOf(send(mailbox.id, fields))).toMatchObject({ status: 422, code: 'validation_error' })
})

it('a connection that is not a mailbox is not found', async () => {
  const { id } = await shop.connected('cardpay')
  expect(await refusalOf(send(id))).toMatchObject({ status: 404, code: 'not_found' })
})

it('no text of a mail is in the database, the outbox or the log', async () => {
  expect((await send((await shop.connected('gmail')).id)).data.status).toBe('sent')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain(SECRET)
  expect(lines.join('')).not.toContain(ana.email)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.service.db)
  expect(tables.length).toBeGreaterThan(50)
  const holders = async (value: string) => {
    const tablesWithText: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.raw(name)} t
        where t::text like ${`%${value}%`} or t::text like ${`%${Buffer.from(value).toString('hex')}%`}`.execute(
        app.service.db,
      )
      if (rows[0]!.count > 0) tablesWithText.push(name)
    }
    return tablesWithText
  }
  expect(await holders(SECRET)).toEqual([])
  const mails = await holders(ana.email)
  expect(mails).not.toContain('mail_messages')
  expect(mails).not.toContain('outbox_events')
})
