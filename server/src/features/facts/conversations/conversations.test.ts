import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, refusalOf } from '../../../../test/make.ts'
import { eventsOf, makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { listChatTemplates, syncChatTemplates } from '../../sources/chat-templates/contract.ts'
import { listAvailablePages, trackPages } from '../../sources/social-pages/contract.ts'
import { sendEvent } from '../events/contract.ts'
import { eventIdOf } from '../events/rules.ts'
import { getConversation, listConversations } from './contract.ts'

let app: TestApp
let shop: Shop
let call: Client
let adId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  call = app.as(
    await makeKey(app, shop.profileId, [
      'customers:read',
      'events:write',
      'connections:read',
      'connections:write',
    ]),
  )
  await shop.connected('social_ads')
  const [page] = (await shop.call(listAvailablePages)).data
  await shop.call(trackPages, { body: { page_ids: [page!.id] } })
  await settle()
  const ad = await app.service.db
    .selectFrom('ad_entities')
    .select('external_id')
    .where('profile_id', '=', shop.profileId)
    .where('level', '=', 'ad')
    .orderBy('external_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  adId = ad.external_id
})
afterAll(() => app.close())

async function settle(): Promise<void> {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const write = async (args: Record<string, unknown>) => {
  await triggerSandbox(app, 'social_ads', 'act', { action: 'message', args })
  await settle()
}
const list = async (query: Record<string, string> = {}) => (await call(listConversations, { query })).data
const touchesOf = async () =>
  app.service.db
    .selectFrom('touches')
    .select(['channel', 'origin', 'platform', 'ad_external_id', 'click_id_kind', 'occurred_at'])
    .where('profile_id', '=', shop.profileId)
    .where('origin', '=', 'conversation_referral')
    .orderBy('occurred_at')
    .execute()

describe('templates', () => {
  it('are cached by a sync, which also subscribes to the account’s messages', async () => {
    expect((await call(listChatTemplates)).data).toEqual([])
    expect((await call(syncChatTemplates)).data).toEqual({ accounts: 1, templates: 3, added: 3, removed: 0 })
    await triggerSandbox(app, 'social_ads', 'act', {
      action: 'new_template',
      args: { name: 'hello', language: 'de' },
    })
    const request = call(listChatTemplates, { query: { name: 'hello', language: 'de' } })
    expect(await refusalOf(request)).toMatchObject({ status: 404, code: 'template_not_found' })
    expect((await call(syncChatTemplates)).data).toMatchObject({ templates: 4, added: 1, removed: 0 })
    const [template] = (await call(listChatTemplates, { query: { name: 'hello', language: 'de' } })).data
    expect(template).toMatchObject({ name: 'hello', language: 'de', status: 'PENDING' })
  })

  const insights = (query: Record<string, string> = {}) =>
    call(listChatTemplates, { query: { name: 'plan_ready', language: 'es', insights_days: '3', ...query } })
  const state = (state: string) =>
    triggerSandbox(app, 'social_ads', 'act', { action: 'template_insights', args: { state } })

  it('have daily counts of sent, delivered, read and clicked messages', async () => {
    const { data } = await insights()
    expect(data).toHaveLength(1)
    expect(data[0]!.insights).toHaveLength(3)
    expect(data[0]!.insights![0]).toMatchObject({ sent: 40, delivered: 38, read: 21, clicked: 6 })
    expect(await refusalOf(insights({ language: 'fr' }))).toMatchObject({ code: 'template_not_found' })
    const unnamed = call(listChatTemplates, { query: { insights_days: '3' } })
    expect(await refusalOf(unnamed)).toMatchObject({ code: 'invalid_parameter' })
  })

  it('have their insights switched on if they were off, or return that they are unsupported', async () => {
    await state('off')
    expect(await refusalOf(insights())).toMatchObject({ status: 409, code: 'insights_enabling' })
    expect((await insights()).data.length).toBeGreaterThan(0)
    await state('unsupported')
    expect(await refusalOf(insights())).toMatchObject({ status: 422, code: 'insights_unsupported' })
    await state('on')
  })

  it('return that the platform is unavailable', async () => {
    await triggerSandbox(app, 'social_ads', 'fault', {
      kind: 'server_error',
      match: '/v26.0/',
      times: 4,
    })
    expect(await refusalOf(insights())).toMatchObject({ status: 502, code: 'social_unavailable' })
    await triggerSandbox(app, 'social_ads', 'act', { action: 'reset', args: {} })
  })
})

describe('a message', () => {
  it('that comes from an ad starts a conversation, with the ad as its touch', async () => {
    await write({ channel: 'chatapp', person: '12025550101', ad_id: adId, at: '2026-10-01T10:00:00Z' })
    const [conversation] = await list({ channel: 'chatapp' })
    expect(conversation).toMatchObject({
      channel: 'chatapp',
      messages: 1,
      started_at: '2026-10-01T10:00:00.000Z',
      referral: { source: 'ad', ad_id: adId },
      contact: { first_name: 'Robin', last_name: 'Writer', phone: '+12025550101' },
      lead_event_id: null,
    })
    expect(await touchesOf()).toMatchObject([
      { channel: 'chatapp', platform: 'social', ad_external_id: adId, click_id_kind: 'ctwa_clid' },
    ])
    const started = await app.service.db
      .selectFrom('conversions')
      .select(['event_id', 'outcome_type'])
      .where('profile_id', '=', shop.profileId)
      .where('outcome_type', '=', 'dm_started')
      .execute()
    expect(started).toEqual([{ event_id: conversation!.started_event_id, outcome_type: 'dm_started' }])
    const announced = (await eventsOf(app, shop.profileId)).filter((type) => type === 'message.received')
    expect(announced).toHaveLength(1)
  })

  it('that is reported twice counts once, and a later one starts no new conversation', async () => {
    const repeated = { channel: 'chatapp', person: '12025550101', ad_id: adId, at: '2026-10-01T10:00:00Z' }
    await write(repeated)
    await write({ channel: 'chatapp', person: '12025550101', at: '2026-10-01T10:05:00Z' })
    const [conversation] = await list()
    expect(conversation).toMatchObject({ messages: 2, last_message_at: '2026-10-01T10:05:00.000Z' })
    const { data } = await call(getConversation, { params: { id: conversation!.id } })
    expect(data.messages.map(({ ad_id }) => ad_id)).toEqual([null, adId])
    expect(await touchesOf()).toHaveLength(1)
  })

  it('that is reported late but is older becomes the first message', async () => {
    await write({ channel: 'pagechat', person: '777', at: '2026-10-02T10:00:00Z' })
    await write({ channel: 'pagechat', person: '777', ad_id: adId, at: '2026-10-02T09:00:00Z' })
    const [conversation] = await list({ channel: 'pagechat' })
    expect(conversation).toMatchObject({
      messages: 2,
      started_at: '2026-10-02T09:00:00.000Z',
      referral: { source: 'ads', ad_id: adId },
    })
    const starts = (await touchesOf()).filter((touch) => touch.channel === 'pagechat')
    expect(starts.map((touch) => touch.occurred_at.toISOString())).toEqual(['2026-10-02T09:00:00.000Z'])
  })

  it('to the photo account of a tracked page belongs to the page’s profile, and its text is not stored', async () => {
    await write({ channel: 'photoapp', person: '888', ad_id: adId, at: '2026-10-03T09:00:00Z' })
    expect(await list({ channel: 'photoapp' })).toMatchObject([{ messages: 1, contact: null }])
    const storedWebhooks = await app.service.db.selectFrom('provider_webhooks').select('body').execute()
    expect(storedWebhooks.length).toBeGreaterThan(3)
    for (const { body } of storedWebhooks) expect(body.toString()).not.toContain('question')
  })

  it('of the business only sets the time of the first reply', async () => {
    const repliedAt = async (channel: string) => (await list({ channel }))[0]!.first_reply_at
    const answer = (channel: string, person: string, at: string, fields = {}) =>
      write({ by: 'business', channel, person, at, ...fields })
    const messageCounts = (await list()).map(({ id, messages }) => [id, messages])
    await answer('pagechat', '777', '2026-10-02T08:59:00Z')
    expect(await repliedAt('pagechat')).toBeNull()
    await answer('pagechat', '777', '2026-10-02T12:00:00Z')
    await answer('pagechat', '777', '2026-10-02T11:00:00Z')
    await answer('photoapp', '888', '2026-10-03T09:30:00Z')
    expect(await repliedAt('pagechat')).toBe('2026-10-02T11:00:00.000Z')
    expect(await repliedAt('photoapp')).toBe('2026-10-03T09:30:00.000Z')
    await answer('chatapp', '12025550101', '2026-10-01T10:20:00Z')
    expect(await repliedAt('chatapp')).toBe('2026-10-01T10:20:00.000Z')
    // For messages sent from a phone the platform reports only the number.
    await answer('chatapp', '12025550101', '2026-10-01T10:10:00Z', { in_app: true })
    expect(await repliedAt('chatapp')).toBe('2026-10-01T10:10:00.000Z')
    await answer('chatapp', '12025550199', '2026-10-01T10:10:00Z')
    expect((await list()).map(({ id, messages }) => [id, messages])).toEqual(messageCounts)
    const storedWebhooks = await app.service.db.selectFrom('provider_webhooks').select('body').execute()
    for (const { body } of storedWebhooks) expect(body.toString()).not.toContain('Thank you')
  })

  it('no text of a message is stored, whatever the form of the webhook', async () => {
    const { clientSecret } = app.service.providers.get('social_ads')!.app
    const messaging = [
      { sender: { id: '9' }, timestamp: 'noon', message: { mid: 'm_9', text: 'unusual words' } },
      { sender: 'unusual words', message: { text: 'unusual words' } },
    ]
    for (const body of [
      JSON.stringify({ object: 'page', entry: [{ id: '1', messaging }] }),
      JSON.stringify({ object: 'page', entry: 'unusual words' }),
      'unusual words',
    ]) {
      const signature = createHmac('sha256', clientSecret).update(body).digest('hex')
      const reply = await fetch(`${app.baseUrl}/webhooks/in/social_ads`, {
        method: 'POST',
        headers: { 'x-hub-signature-256': `sha256=${signature}`, 'content-type': 'application/json' },
        body,
      })
      expect(reply.status).toBe(200)
    }
    const stored = await app.service.db.selectFrom('provider_webhooks').select('body').execute()
    expect(stored.some(({ body }) => body.toString().includes('m_9'))).toBe(true)
    for (const { body } of stored) expect(body.toString()).not.toContain('unusual')
    await settle()
  })

  it('is rejected without a valid signature', async () => {
    const before = await list()
    const reply = await fetch(`${app.baseUrl}/webhooks/in/social_ads`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      body: JSON.stringify({ object: 'whatsapp_business_account', entry: [] }),
    })
    expect(reply.status).toBe(401)
    expect(await list()).toEqual(before)
  })
})

it('an event that is a conversation’s lead cannot be retracted', async () => {
  const [conversation] = await list({ channel: 'pagechat' })
  const params = { id: conversation!.id }
  await call(sendEvent, {
    body: {
      event_name: 'lead_created',
      idempotency_key: 'a lead',
      user_traits: { external_id: 'x' },
      properties: { conversation_id: conversation!.id },
    },
  })
  await app.service.processor.settled(shop.profileId)
  const { data } = await call(getConversation, { params })
  expect(data.conversation.lead_event_id).toBe(eventIdOf(shop.profileId, 'a lead'))
  const retraction = call(retractEvent, { body: { idempotency_key: 'a lead' } })
  expect(await refusalOf(retraction)).toMatchObject({ status: 409, code: 'event_linked_to_conversation' })
})

it('an erasure makes the conversation anonymous', async () => {
  const [before] = await list({ channel: 'chatapp' })
  await shop.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: shop.workspaceId },
    body: { profile_id: shop.profileId, phone: '+12025550101' },
  })
  await settle()
  const [after] = await list({ channel: 'chatapp' })
  expect(after).toEqual({ ...before, customer_id: null, contact: null })
  const row = await app.service.db
    .selectFrom('conversations')
    .select(['external_id', 'identifier_id'])
    .where('profile_id', '=', shop.profileId)
    .where('id', '=', before!.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ external_id: `erased:${before!.id}`, identifier_id: null })
  const touches = await touchesOf()
  expect(touches.filter((touch) => touch.channel === 'chatapp')).toMatchObject([
    { ad_external_id: adId, click_id_kind: 'ctwa_clid' },
  ])
})

it('another profile cannot read them', async () => {
  const other = await makeShop(app, shop)
  const key = await makeKey(app, other.profileId, ['customers:read'])
  expect((await app.as(key)(listConversations)).data).toEqual([])
  const [conversation] = await list()
  const request = app.as(key)(getConversation, { params: { id: conversation!.id } })
  expect(await refusalOf(request)).toMatchObject({ status: 404, code: 'not_found' })
})
