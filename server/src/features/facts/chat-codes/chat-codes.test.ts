import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makeOwnProfile } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { jobs } from '../../../app.ts'
import { toChatCode, withChatCode } from '../../../platform/contract/chat-codes.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { syncChatTemplates } from '../../sources/chat-templates/contract.ts'
import { clicksWritten } from '../../sources/short-links/clicks.ts'
import { createShortLink } from '../../sources/short-links/contract.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import { listConversations } from '../conversations/contract.ts'
import { sendEvent } from '../events/contract.ts'
import { resolveChatCode } from './contract.ts'

let app: TestApp
let shop: Shop
let call: Client
let trackingKey: string
let number = 34600000000
let written = 0

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  call = app.as(
    await makeKey(app, shop.profileId, [
      'customers:read',
      'events:write',
      'connections:read',
      'connections:write',
      'tracking:read',
      'tracking:write',
    ]),
  )
  await shop.connected('social_ads')
  await call(syncChatTemplates)
  await settle()
  trackingKey = (await call(issueTrackingKey)).data.key
})
afterAll(() => app.close())

async function settle(): Promise<void> {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const newCode = () => toChatCode(randomBytes(6))
const later = (seconds: number) => new Date(app.service.clock.now().getTime() + seconds * 1000)

/** A visit from an ad, and the click on a chat link of the page. */
async function click(code: string, fields: { visitor?: string; at?: Date } = {}): Promise<string> {
  const visitor = fields.visitor ?? randomUUID()
  const time = (fields.at ?? later(-600)).toISOString()
  const common = { anonymous_id: visitor, session_id: visitor, occurred_at: time, sent_at: time }
  const events = [
    makeWirePage({
      ...common,
      event_id: randomUUID(),
      utm: { source: 'facebook', medium: 'cpc', campaign: 'kitchens' },
      ad: { campaign_id: 'C-chat' },
    }),
    makeWirePage({
      ...common,
      event_id: randomUUID(),
      type: 'chat_click',
      event_name: 'chat_click',
      session_start: false,
      url: 'https://shop.example/kitchens?x=1',
      properties: {
        href: `https://wa.me/34600111222?text=${encodeURIComponent(withChatCode('Hello', code))}`,
        app: 'chatapp',
      },
    }),
  ]
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' },
    body: JSON.stringify({ key: trackingKey, events }),
  })
  expect(reply.status).toBe(202)
  await settle()
  return visitor
}

/** A chat message as the platform sends it. */
async function write(text: string, person = String(++number)): Promise<void> {
  await triggerSandbox(app, 'social_ads', 'act', {
    action: 'message',
    args: { channel: 'chatapp', person, text, at: later(++written).toISOString() },
  })
  await settle()
}

const newest = async () => (await call(listConversations, { query: { limit: '1' } })).data[0]!
const customerOfVisitor = async (visitor: string) => {
  const { rows } = await app.pool.query(
    `select i.customer_id from events e join identifiers i on i.profile_id = e.profile_id
       and i.id = (e.body->'identifiers'->0->>'id')::uuid
     where e.profile_id = $1 and e.anonymous_id = $2 limit 1`,
    [shop.profileId, visitor],
  )
  return rows[0]?.customer_id as string
}

it.each([
  ['English', (code: string) => withChatCode('Hello, I saw your page', code)],
  [
    'Spanish with emoji and line breaks',
    (code: string) => `¡Hola! 👋\n${withChatCode('Quiero una cotización', code)}\nGracias`,
  ],
  ['Portuguese, edited around the code', (code: string) => `Oi (ref ${code.toLowerCase()}) vi o site`],
])('a message with the code of a visit is that visitor: %s', async (_, text) => {
  const code = newCode()
  const visitor = await click(code)
  await write(text(code))
  const conversation = await newest()
  expect(conversation.origin).toBe('chat_code')
  expect(await customerOfVisitor(visitor)).toBe(conversation.customer_id)
})

it('the message may arrive before its click', async () => {
  const code = newCode()
  await write(withChatCode('Hi', code))
  expect((await newest()).origin).toBe('unknown')
  const visitor = await click(code)
  const conversation = await newest()
  expect(conversation.origin).toBe('chat_code')
  expect(await customerOfVisitor(visitor)).toBe(conversation.customer_id)
})

it('without the code, or with a changed one, the conversation is unknown', async () => {
  const code = newCode()
  const visitor = await click(code)
  for (const text of [
    'Hello',
    `Hello (ref ${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'})`,
    'ref 1234567',
  ]) {
    await write(text)
    const conversation = await newest()
    expect(conversation.origin).toBe('unknown')
    expect(await customerOfVisitor(visitor)).not.toBe(conversation.customer_id)
  }
})

it('a forwarded code works once and is counted', async () => {
  const code = newCode()
  await click(code)
  await write(withChatCode('Hi', code))
  const first = await newest()
  await write(withChatCode('A friend sent me this', code))
  const second = await newest()
  expect([first.origin, second.origin]).toEqual(['chat_code', 'unknown'])
  expect(second.customer_id).not.toBe(first.customer_id)
  const { rows } = await app.pool.query('select repeats from chat_codes where conversation_id = $1', [
    first.id,
  ])
  expect(rows).toEqual([{ repeats: 1 }])
})

it('a code older than 30 days, of another profile or of two known people links no one', async () => {
  const resolve = async (client: Client, code: string, phone: string) =>
    (
      await client(resolveChatCode, {
        body: { code, customer: { phone }, occurred_at: app.service.clock.now().toISOString() },
      })
    ).data
  const old = newCode()
  await click(old)
  await moveClock(app, 31 * 86_400)
  expect(await resolve(call, old, '+34611000001')).toEqual({ linked: false, reason: 'expired' })
  const code = newCode()
  await click(code)
  const other = await makeOwnProfile(app, ['events:write'])
  expect(await resolve(other.call, code, '+34611000002')).toEqual({ linked: false, reason: 'unknown' })
  expect(await resolve(call, code, '+34611000004')).toEqual({ linked: true, reason: null })
  expect(await resolve(call, code, '+34611000004')).toEqual({ linked: false, reason: 'used' })
  // The visitor left an address, and another person writes with the visitor's code.
  const [first, second] = [newCode(), newCode()]
  const visitor = await click(first)
  await click(second, { visitor })
  expect(await resolve(call, first, '+34611000005')).toEqual({ linked: true, reason: null })
  await app.service.processor.settled(shop.profileId)
  await call(sendEvent, {
    body: {
      event_name: 'lead_created',
      timestamp: later(0).toISOString(),
      idempotency_key: randomUUID(),
      user_traits: { phone: '+34611000006' },
    },
  })
  await app.service.processor.settled(shop.profileId)
  expect(await resolve(call, second, '+34611000006')).toEqual({ linked: false, reason: 'known_person' })
})

it('a poster opens a chat whose conversation has the poster as its touch', async () => {
  const link = await call(createShortLink, {
    body: {
      slug: 'poster',
      chat: { app: 'chatapp', account: '34600111222', text: 'Hola' },
      utm: { source: 'poster', medium: 'print', campaign: 'metro' },
    },
  })
  const opened = await fetch(link.data.url, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' },
  })
  await clicksWritten(app.service)
  await write(new URL(opened.headers.get('location')!).searchParams.get('text')!)
  const conversation = await newest()
  expect(conversation.origin).toBe('short_link')
  const { rows } = await app.pool.query(
    `select t.utm_source, t.utm_medium, t.utm_campaign, t.channel from touches t
     join identifiers i on i.profile_id = t.profile_id and i.id = t.identifier_id
     where t.profile_id = $1 and i.customer_id = $2`,
    [shop.profileId, conversation.customer_id],
  )
  expect(rows).toEqual([
    { utm_source: 'poster', utm_medium: 'print', utm_campaign: 'metro', channel: 'campaign' },
  ])
})

it('no character of a message is stored, and an erasure removes the code', async () => {
  const code = newCode()
  await click(code)
  const secret = 'my-knee-hurts-since-tuesday'
  await write(`${secret} (ref ${code})`)
  const { customer_id: customerId } = await newest()
  const { rows: webhooks } = await app.pool.query(
    `select encode(body, 'escape') as body from provider_webhooks`,
  )
  expect(webhooks.length).toBeGreaterThan(0)
  expect(JSON.stringify(webhooks)).not.toContain(secret)
  expect(JSON.stringify(webhooks)).not.toContain(code)
  const { rows } = await app.pool.query('select body from events where profile_id = $1', [shop.profileId])
  expect(JSON.stringify(rows)).not.toContain(secret)
  const codesOf = async () =>
    (
      await app.pool.query(
        `select 1 from chat_codes c join conversations v on v.profile_id = c.profile_id and v.id = c.conversation_id
         join identifiers i on i.profile_id = v.profile_id and i.id = v.identifier_id where i.customer_id = $1`,
        [customerId],
      )
    ).rowCount
  expect(await codesOf()).toBe(1)
  const before = await app.pool.query('select count(*)::int as n from chat_codes')
  await shop.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: shop.workspaceId },
    body: { profile_id: shop.profileId, customer_id: customerId! },
  })
  await settle()
  const after = await app.pool.query('select count(*)::int as n from chat_codes')
  expect(after.rows[0].n).toBe(before.rows[0].n - 1)
})
