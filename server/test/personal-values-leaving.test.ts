/**
 * Plants personal values in every free text field that a sender can fill: none of them reaches a platform, a partner's
 * webhook or the log in plain text. The fields come from the contract, so new ones are covered too.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { EventInput, sendEvent } from '../src/features/facts/events/contract.ts'
import { defaultSettings, saveSettings } from '../src/features/outgoing/exports/catalog/queries.ts'
import { createExportDestination } from '../src/features/outgoing/exports/destinations/contract.ts'
import { createWebhookSubscription } from '../src/features/outgoing/webhooks/contract.ts'
import { createDispatcher } from '../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { issueTrackingKey } from '../src/features/sources/tracking/contract.ts'
import { inputSchema } from '../src/platform/contract/examples.ts'
import { inTransaction } from '../src/platform/db/database.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type ExportShop, makeExportShop, receivedBy } from './export-shop.ts'
import { makeApp, makeKey, provision, refusalOf } from './make.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { ana, recordOutcome } from './record-outcome.ts'
import { makeWirePage } from './wire-page.ts'

const email = 'zoe.private@example.com'
const phone = '+34600987654'
const planted = [email, 'zoe.private%40example.com', phone, '+34 600 987 654', '34600987654']

/** Finds planted values in any spelling. */
function personIn(text: string): string[] {
  const plain = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return ['zoe.private', '600987654', '600 987 654'].filter((word) => plain.toLowerCase().includes(word))
}

type Schema = { type?: string; properties?: Record<string, Schema>; anyOf?: Schema[] }

/** Paths of free text fields. */
function textsOf(schema: Schema, path: string[] = []): string[][] {
  if (schema.anyOf) return schema.anyOf.flatMap((part) => textsOf(part, path))
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, part]) => textsOf(part, [...path, name]))
  return schema.type === 'string' ? [path] : []
}

/** Free-form names that exports use. */
const chosen = [
  ...['client_ip_address', 'client_user_agent', 'fbp', 'consent', 'note'].map((name) => ['properties', name]),
  ...['source', 'medium', 'campaign', 'term', 'content', 'id'].map((name) => ['utm', name]),
  ...['fbclid', 'fbc', 'fbp', 'gclid', 'gbraid', 'wbraid', 'ttclid', 'ttp'].map((name) => [
    'click_ids',
    name,
  ]),
]
/** Match keys, which are sent hashed, and fields with a validated format. */
const otherFields =
  /^(event_name|event_type|timestamp|occurred_at|idempotency_key|ip|user_traits\.\w+|properties\.(value|currency|subject_ref))$/

function fieldsToPlant(): string[][] {
  const fields = [...textsOf(inputSchema(EventInput) as Schema), ...chosen]
  return fields.filter((path) => !otherFields.test(path.join('.')))
}

function plant(event: Record<string, unknown>, [name, ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    event[name!] = value
    return
  }
  event[name!] ??= {}
  plant(event[name!] as Record<string, unknown>, rest, value)
}

let app: TestApp
let shop: ExportShop
let receiver: Receiver
const lines: string[] = []

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SANDBOX: 'on' })
  receiver = await startReceiver()
  shop = await makeExportShop(app)
  await shop.socialDestination()
  const engine = await shop.connected('engine_ads')
  const action = { kind: 'engine', connection_id: engine.id, engine_conversion_action: '987654321' }
  await shop.call(createExportDestination, { body: action })
  await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CGATE0123456789', access_token: 'pasted' },
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await receiver.close()
  await app.close()
})

async function received(): Promise<Record<string, unknown>[]> {
  const all = await Promise.all(
    ['social_ads', 'engine_ads', 'shortvideo'].map((name) => receivedBy(app, name)),
  )
  return all.flat()
}

async function sendPlanted(): Promise<number> {
  let count = 0
  for (const path of fieldsToPlant())
    for (const value of planted) {
      count += 1
      const event: Record<string, unknown> = {
        event_name: 'payment_received',
        idempotency_key: `planted-${crypto.randomUUID()}`,
        page: { url: `https://shop.example/thanks?email=${email}&phone=${phone}` },
        properties: { value: '10.00', currency: 'EUR', client_user_agent: 'Firefox' },
        user_traits: { email, phone, external_id: 'z' },
      }
      plant(
        event,
        path,
        path.join('.') === 'page.url' ? `https://shop.example/of/${value}/?q=${value}` : value,
      )
      await shop.call(sendEvent, { body: event })
    }
  return count
}

/** Sends a page view like a browser. */
async function visit(key: string, value: string): Promise<void> {
  const now = app.service.clock.now().toISOString()
  const page = makeWirePage({
    event_id: crypto.randomUUID(),
    anonymous_id: `visitor ${value}`,
    type: 'track',
    event_name: 'lead_created',
    occurred_at: now,
    sent_at: now,
    url: `https://shop.example/thanks/${value}?email=${value}&utm_content=${value}&gclid=${value}`,
    title: value,
    click_ids: { gclid: value, fbclid: value, ttclid: value },
    user_traits: { email, phone },
  })
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect?debug=${value}`, {
    method: 'POST',
    headers: { 'user-agent': `Firefox/140.0 ${encodeURI(value)}` },
    body: JSON.stringify({ key, ...page }),
  })
  expect(reply.status).toBe(202)
}

it('none reaches a platform', async () => {
  const count = await sendPlanted()
  expect(count).toBeGreaterThan(100)
  const { key } = (await shop.call(issueTrackingKey)).data
  for (const value of planted) await visit(key, value)
  await shop.settle()
  const platforms = await received()
  expect(platforms.length).toBeGreaterThan(3 * count)
  expect(
    platforms.filter((event) => JSON.stringify(event).includes('shop.example/thanks')).length,
  ).toBeGreaterThan(count)
  expect(platforms.filter((event) => personIn(JSON.stringify(event)).length > 0)).toEqual([])
})

it.each(planted.slice(0, 4))('refuses %s in a name that an owner chooses for a platform', async (value) => {
  const fields = [
    { shortvideo_pixel_code: value },
    { test_event_code: value },
    { event_map: [{ conversion_key: 'lead_created', event_name: `Lead ${value}` }] },
  ]
  for (const field of fields) {
    const body = { kind: 'shortvideo', shortvideo_pixel_code: 'C1', access_token: 'pasted', ...field }
    const refusal = await refusalOf(shop.call(createExportDestination, { body }))
    expect(refusal).toMatchObject({ status: 422, code: 'validation_error' })
  }
})

it('none reaches a partner’s webhook or the log', async () => {
  const { profileId } = await makeExportShop(app, shop)
  const partner = await makeApp(app, shop.workspaceId, ['attribution'])
  await provision(app, profileId, partner, ['attribution'])
  // Without customers:read: a subscription with it may receive contacts.
  const call = app.as(await makeKey(app, profileId, ['webhooks:write']))
  await call(createWebhookSubscription, {
    body: { url: `${receiver.url}/receiver`, events: ['outcome.recorded'], providers: ['platform'] },
  })
  const dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20, chance: () => 0.5 })
  dispatcher.start()
  for (const value of planted) {
    const person = { ...ana, email, phone, contactId: value }
    await recordOutcome(app, profileId, `invoice ${value}`, { person })
  }
  await receiver.until((requests) => requests.length >= planted.length)
  await dispatcher.stop()
  for (const { body } of receiver.requests) expect(personIn(body)).toEqual([])
  const log = lines.join('')
  expect(log).toContain('"route":"/api/tracking/collect"')
  expect(log).toContain('"route":"/api/v1/events"')
  expect(personIn(log)).toEqual([])
})

it('a stricter mode sends no more', async () => {
  await app.pool.query(`update profiles set privacy_mode = 'hipaa' where id = $1`, [shop.profileId])
  const now = app.service.clock.now()
  const agreement = { agreement_signed_by: 'Officer', agreement_signed_at: now }
  await inTransaction(app.service.db, (tx) =>
    saveSettings(tx, {
      ...defaultSettings(shop.profileId, now),
      ...agreement,
      healthcare_allowlist: ['payment_received'],
    }),
  )
  const before = (await received()).length
  await shop.pay('hipaa', {
    page: { url: `https://shop.example/?email=${email}` },
    click_ids: { gclid: email, fbclid: 'IwAR0-1', ttclid: email },
    user_traits: { email, phone },
  })
  await shop.settle()
  const platforms = await received()
  expect(platforms.length).toBeGreaterThan(before)
  expect(platforms.filter((event) => personIn(JSON.stringify(event)).length > 0)).toEqual([])
})
