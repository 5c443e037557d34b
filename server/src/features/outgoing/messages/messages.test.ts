/** Replies: within the platform's windows, once, and without storing their text. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TestClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { scopesOfUserToken } from '../../../platform/contract/access.ts'
import { explainConversion } from '../../attribution/crediting/contract.ts'
import { getConversation } from '../../facts/conversations/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getCustomer } from '../../insights/customers/contract.ts'
import { syncChatTemplates } from '../../sources/chat-templates/contract.ts'
import { disconnectConnection, listConnections } from '../../sources/connections/contract.ts'
import { processWebhook } from '../../sources/connections/webhook-job.ts'
import { connectMessagingAccount, listMessagingAccounts } from '../../sources/messaging-accounts/contract.ts'
import { sendMessage } from './contract.ts'

const HOUR = 3600
/** Planted in every text; searched for in the database, the log and the webhooks. */
const SECRET = 'Xylophone-quartz-4711'

const lines: string[] = []
let app: TestApp
let shop: Shop
let call: TestClient
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug' })
  shop = await makeShop(app)
  const key = await makeKey(app, shop.profileId, [
    'customers:read',
    'connections:read',
    'connections:write',
    'messages:write',
  ])
  call = app.as(key)
  await shop.connected('social_ads')
  const accounts = (await call(listMessagingAccounts)).data
  for (const channel of ['chatapp', 'pagechat', 'photoapp'] as const) {
    const { account_id } = accounts.find((account) => account.channel === channel)!
    await call(connectMessagingAccount, { body: { channel, account_id } })
  }
  await call(syncChatTemplates)
})
afterAll(async () => {
  await app.close()
  vi.restoreAllMocks()
})
beforeEach(() => act('reset'))

const act = (action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(app, 'social_ads', 'act', { action, args })
async function settle(): Promise<void> {
  await app.service.db.deleteFrom('jobs').where('name', '<>', processWebhook.name).execute()
  await drainJobs(app.service, [processWebhook])
  await app.service.processor.settled(shop.profileId)
}
let people = 0
/** A person writes to the account; returns the id of the conversation. */
async function receiveMessage(channel: string, person = `1202555${1000 + people++}`): Promise<string> {
  await act('message', { channel, person, at: app.service.clock.now().toISOString() })
  await settle()
  const { id } = await app.service.db
    .selectFrom('conversations')
    .select('id')
    .where('profile_id', '=', shop.profileId)
    .where('channel', '=', channel)
    .where('external_id', 'like', `%${person}`)
    .executeTakeFirstOrThrow()
  return id
}
type Body = { text?: string; template?: object; media?: { id: string }; human_agent?: boolean }
const send = (id: string, body: Body = { text: SECRET }, key?: string) =>
  call(sendMessage, {
    params: { id },
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const sentHere = async () =>
  ((await act('sent_messages')) as { sent: { reference: string; type: string }[] }).sent
const outbox = async (messageId: string) =>
  (
    await sql<{ type: string; provider: string; data: Record<string, unknown> }>`
      select type, provider, data from outbox_events
      where profile_id = ${shop.profileId} and data->>'message_id' = ${messageId} order by number`.execute(
      app.service.db,
    )
  ).rows
const template = { name: 'plan_ready', language: 'es', components: [] }

describe('a reply', () => {
  it.each(['chatapp', 'pagechat', 'photoapp'])(
    'in %s is sent and reported, and the first reply recorded',
    async (channel) => {
      const id = await receiveMessage(channel)
      const { data } = await send(id)
      expect(data).toMatchObject({ status: 'sent', provider_message_id: expect.stringContaining('m_') })
      const thread = (await call(getConversation, { params: { id } })).data
      expect(thread.conversation.first_reply_at).not.toBeNull()
      expect(thread.conversation).toMatchObject({ account_status: 'connected', reply_window: { open: true } })
      expect(thread.messages[0]).toMatchObject({
        id: data.message_id,
        direction: 'out',
        kind: 'text',
        status: 'sent',
      })
      await act('report_message', { status: 'delivered' })
      await settle()
      expect((await outbox(data.message_id)).map(({ type, provider }) => [type, provider])).toEqual([
        ['message.sent', channel],
        ['message.delivered', channel],
      ])
    },
  )

  it('is part of the person’s journey unless it failed', async () => {
    const id = await receiveMessage('chatapp')
    const { data } = await send(id)
    const repliesOf = async () => {
      const { conversation } = (await call(getConversation, { params: { id } })).data
      const params = { id: conversation.customer_id! }
      return (await call(getCustomer, { params })).data.journey.filter(({ kind }) => kind === 'reply')
    }
    const reply = { conversation_id: id, message_id: data.message_id, template: null }
    expect(await repliesOf()).toMatchObject([reply])
    await act('report_message', { status: 'failed', code: 131026 })
    await settle()
    expect(await repliesOf()).toEqual([])
  })

  it('appears in the explanation of a sale, without credit', async () => {
    const person = '12025559321'
    await send(await receiveMessage('chatapp', person))
    const scopes = ['events:write', 'conversions:read'] as const
    const seller = app.as(await makeKey(app, shop.profileId, [...scopes, 'customers:read']))
    const sale = { event_name: 'payment_received', properties: { value: 10, currency: 'EUR' } }
    const user_traits = { phone: `+${person}` }
    await seller(sendEvent, { body: { ...sale, idempotency_key: 'sale-by-chat', user_traits } })
    await app.service.processor.settled(shop.profileId)
    const params = { id: 'sale-by-chat' }
    const { data } = await seller(explainConversion, { params, query: { model: 'last_touch' } })
    const steps = data.steps.map(({ kind, outcome_type }) => outcome_type ?? kind)
    expect(steps.at(-1)).toBe('reply')
    expect(steps).toContain('dm_started')
    expect(data.models[0]!.touches.every(({ status }) => status === 'credited')).toBe(true)
    const withoutPeople = app.as(await makeKey(app, shop.profileId, [...scopes]))
    const explanation = (await withoutPeople(explainConversion, { params, query: { model: 'last_touch' } }))
      .data
    expect(explanation.steps).toEqual(data.steps.filter(({ kind }) => kind === 'outcome'))
  })

  it('that the platform reports as failed is reported once, with the code', async () => {
    const { data } = await send(await receiveMessage('chatapp'))
    await act('report_message', { status: 'failed', code: 131026 })
    await settle()
    await act('report_message', { status: 'delivered' })
    await settle()
    const [, failed, ...extraEvents] = await outbox(data.message_id)
    expect(failed).toMatchObject({ type: 'message.failed', data: { reason: '131026' } })
    expect(extraEvents).toEqual([])
  })

  it('with uploaded media contains its kind', async () => {
    const { media_id } = (await act('sent_media')) as { media_id: string }
    const { data } = await send(await receiveMessage('chatapp'), { media: { id: media_id } })
    expect((await sentHere()).at(-1)).toMatchObject({ type: 'image', reference: data.message_id })
  })

  it('is recorded as an access to the person', async () => {
    const id = await receiveMessage('chatapp')
    await send(id)
    const { conversation } = (await call(getConversation, { params: { id } })).data
    const logged = await sql`
      select 1 from pii_access_log where profile_id = ${shop.profileId} and route = 'sendMessage'
        and ${conversation.customer_id}::uuid = any(customer_ids)`.execute(app.service.db)
    expect(logged.rows).toHaveLength(1)
  })

  it('to a conversation of another profile is not found', async () => {
    const id = await receiveMessage('chatapp')
    const other = await makeOwnProfile(app, ['messages:write'])
    const refusal = refusalOf(other.call(sendMessage, { params: { id }, body: { text: 'x' } }))
    expect(await refusal).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('has exactly one kind of content, and templates and media only in the chat app', async () => {
    const id = await receiveMessage('pagechat')
    for (const body of [{}, { text: 'a', template }, { text: 'a', media: { id: '1' } }])
      expect(await refusalOf(send(id, body))).toMatchObject({ status: 422, code: 'validation_error' })
    expect(await refusalOf(send(id, { template }))).toMatchObject({ code: 'validation_error' })
    const chat = await receiveMessage('chatapp')
    const unknown = { ...template, name: 'never_made' }
    expect(await refusalOf(send(chat, { template: unknown }))).toMatchObject({
      status: 404,
      code: 'template_not_found',
    })
  })
})

describe('the window', () => {
  it('of a page closes after 24 hours, and for a human agent after 7 days; nothing is sent', async () => {
    const id = await receiveMessage('pagechat')
    await moveClock(app, 25 * HOUR)
    const before = (await sentHere()).length
    expect(await refusalOf(send(id))).toMatchObject({ status: 422, code: 'messaging_window_closed' })
    expect(await sentHere()).toHaveLength(before)
    expect((await send(id, { text: SECRET, human_agent: true })).data.status).toBe('sent')
    await moveClock(app, 6 * 24 * HOUR)
    expect(await refusalOf(send(id, { text: SECRET, human_agent: true }))).toMatchObject({
      code: 'messaging_window_closed',
    })
  })

  it('of the chat app closes after 24 hours; a template is still sent', async () => {
    const id = await receiveMessage('chatapp')
    await moveClock(app, 25 * HOUR)
    expect(await refusalOf(send(id))).toMatchObject({ status: 422, code: 'chatapp_service_window_expired' })
    const { data } = await send(id, { template })
    expect(data.status).toBe('sent')
    expect((await sentHere()).at(-1)).toMatchObject({ type: 'template', reference: data.message_id })
    const { conversation } = (await call(getConversation, { params: { id } })).data
    expect(conversation.reply_window).toMatchObject({ open: false, human_agent_closes_at: null })
  })

  it('that is closed only for the platform has the same code', async () => {
    const [chat, page] = [
      await receiveMessage('chatapp', '12025559001'),
      await receiveMessage('pagechat', '9002'),
    ]
    // The imitated platform does not know the message that its webhook reported.
    await sql`update conversations set last_message_at = last_message_at + interval '30 hours'
      where profile_id = ${shop.profileId} and id in (${chat}, ${page})`.execute(app.service.db)
    await moveClock(app, 25 * HOUR)
    expect(await refusalOf(send(chat))).toMatchObject({
      status: 422,
      code: 'chatapp_service_window_expired',
      provider_code: '131047',
    })
    expect(await refusalOf(send(page))).toMatchObject({ status: 422, code: 'messaging_window_closed' })
  })
})

describe('the platform refuses', () => {
  it('without a payment method', async () => {
    const id = await receiveMessage('chatapp')
    await act('messaging', { payment_method: false })
    expect(await refusalOf(send(id))).toMatchObject({ status: 402, code: 'chatapp_payment_required' })
    await act('messaging', { payment_method: true })
    expect((await send(id)).data.status).toBe('sent')
  })

  it('a feature that is not approved', async () => {
    const id = await receiveMessage('pagechat')
    await act('messaging', { human_agent: false })
    const refusal = await refusalOf(send(id, { text: SECRET, human_agent: true }))
    expect(refusal).toMatchObject({ status: 403, code: 'pagechat_feature_not_approved' })
  })
})

describe('once', () => {
  it('a lost response is reported as unknown, and repeating the request sends nothing', async () => {
    const id = await receiveMessage('chatapp')
    const before = (await sentHere()).length
    await triggerSandbox(app, 'social_ads', 'fault', { kind: 'lost_reply', match: '/v26.0/', times: 1 })
    const { data } = await send(id, { text: SECRET }, 'lost-1')
    expect(data).toMatchObject({ status: 'unknown', provider_message_id: null })
    expect((await send(id, { text: SECRET }, 'lost-1')).data).toEqual(data)
    expect(await sentHere()).toHaveLength(before + 1)
    // The platform's report contains our id.
    await act('report_message', { status: 'delivered' })
    await settle()
    expect((await outbox(data.message_id)).map(({ type }) => type)).toEqual(['message.delivered'])
  })

  it('a crash between call and response leaves a row that prevents a second send', async () => {
    const id = await receiveMessage('chatapp')
    const { data } = await send(id, { text: SECRET }, 'crash-1')
    const before = (await sentHere()).length
    // State after a crash: the response was not stored and the row still has the status sending.
    await app.service.db.deleteFrom('idempotency_keys').where('key', '=', 'crash-1').execute()
    await sql`update conversation_replies set status = 'sending' where id = ${data.message_id}`.execute(
      app.service.db,
    )
    const repeated = await send(id, { text: SECRET }, 'crash-1')
    expect(repeated.data).toEqual({
      message_id: data.message_id,
      provider_message_id: null,
      status: 'unknown',
    })
    expect(await sentHere()).toHaveLength(before)
    await app.service.db.deleteFrom('idempotency_keys').where('key', '=', 'crash-1').execute()
    expect(await refusalOf(send(id, { text: 'another' }, 'crash-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_conflict',
    })
  })

  it('an outcome that cannot be stored is unknown: neither failed nor sent again', async () => {
    const id = await receiveMessage('chatapp')
    const before = (await sentHere()).length
    const { db } = app.service
    await sql`alter table conversation_replies add constraint no_sent check (status <> 'sent') not valid`.execute(
      db,
    )
    let messageId: string
    try {
      const { data } = await send(id)
      expect(data).toMatchObject({ status: 'unknown', provider_message_id: null })
      messageId = data.message_id
    } finally {
      await sql`alter table conversation_replies drop constraint no_sent`.execute(db)
    }
    expect(await sentHere()).toHaveLength(before + 1)
    expect(await outbox(messageId)).toEqual([])
    await act('report_message', { status: 'delivered' })
    await settle()
    expect((await outbox(messageId)).map(({ type }) => type)).toEqual(['message.delivered'])
  })

  it('two concurrent senders with one key send one message', async () => {
    const id = await receiveMessage('chatapp')
    const before = (await sentHere()).length
    const answers = await Promise.allSettled([1, 2, 3].map(() => send(id, { text: SECRET }, 'race-1')))
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await sentHere()).toHaveLength(before + 1)
  })
})

describe('the authorization', () => {
  it('that ends meanwhile causes connection_revoked; the conversation is kept', async () => {
    const id = await receiveMessage('chatapp')
    await act('revoke', { all: true })
    const refusal = await refusalOf(send(id))
    expect(refusal).toMatchObject({ status: 409, code: 'connection_revoked', reconnect_required: true })
    expect(await refusalOf(send(id))).toMatchObject({ code: 'connection_revoked' })
    expect((await call(getConversation, { params: { id } })).data.conversation).toMatchObject({
      account_status: 'reconnect_required',
    })
    await shop.connected('social_ads')
    expect((await send(id)).data.status).toBe('sent')
  })

  it('of a disconnected account is missing until it is connected again', async () => {
    const id = await receiveMessage('pagechat')
    const [page] = (await call(listConnections, { query: { channel: 'pagechat' } })).data
    await call(disconnectConnection, { params: { id: page!.id } })
    expect(await refusalOf(send(id))).toMatchObject({ status: 409, code: 'connection_revoked' })
    await call(connectMessagingAccount, { body: { channel: 'pagechat', account_id: page!.external_id } })
    expect((await send(id)).data.status).toBe('sent')
    await sql`delete from connections where profile_id = ${shop.profileId} and id = ${page!.id}`.execute(
      app.service.db,
    )
    expect(await refusalOf(send(id))).toMatchObject({ status: 409, code: 'connection_not_ready' })
  })
})

it('is not implied by a token for assistants', () => {
  expect(scopesOfUserToken(['mcp:read', 'mcp:write', 'mcp:read_pii'])).not.toContain('messages:write')
  expect(scopesOfUserToken(['messages:write'])).toContain('messages:write')
})

it('no text of a message is in the database, the outbox or the log', async () => {
  expect(lines.join('')).not.toContain(SECRET)
  expect(lines.length).toBeGreaterThan(0)
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.service.db)
  expect(tables.length).toBeGreaterThan(50)
  const tablesWithText: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.raw(name)} t
      where t::text like ${`%${SECRET}%`} or t::text like ${`%${Buffer.from(SECRET).toString('hex')}%`}`.execute(
      app.service.db,
    )
    if (rows[0]!.count > 0) tablesWithText.push(name)
  }
  expect(tablesWithText).toEqual([])
})
