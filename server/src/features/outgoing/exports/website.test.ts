/** Website conversions are sent with browser and page, as far as the privacy mode allows. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { moveClock } from '../../../../test/make-shop.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../corrections/erasures/erase.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import { saveConversionSyncCatalog } from './catalog/contract.ts'
import { createExportDestination, updateExportDestination } from './destinations/contract.ts'
import { exportJobs } from './jobs.ts'

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

let app: TestApp
let shop: ExportShop
let social: { id: string; pixelId: string }
let trackingKey: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  social = await shop.socialDestination()
  trackingKey = (await shop.call(issueTrackingKey)).data.key
})
afterAll(() => app.close())

async function visit(name: string, eventName = 'lead_created'): Promise<void> {
  const now = app.service.clock.now().toISOString()
  const event = makeWirePage({
    event_id: crypto.randomUUID(),
    anonymous_id: `visitor-${name}`,
    type: 'track',
    event_name: eventName,
    occurred_at: now,
    sent_at: now,
    url: `https://shop.example/thanks/${name}?ref=7&utm_source=mail`,
    user_traits: { email: `${name}@example.com` },
  })
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': AGENT },
    body: JSON.stringify({ key: trackingKey, ...event }),
  })
  expect(reply.status).toBe(202)
}

const lead = { conversion_key: 'lead_created', enabled: true, send_value: true, consent_default: 'granted' }
const setMode = (mode: string, fields: Record<string, unknown> = {}) =>
  shop.decide(saveConversionSyncCatalog, {
    body: { privacy_mode: mode, conversions: [lead], ...fields },
  })

/** The conversion at the platform for the newest ledger row. */
async function newest(): Promise<Record<string, unknown>> {
  await shop.settle()
  const [row] = await shop.ledger({ destination_id: social.id })
  expect(row).toMatchObject({ status: 'sent' })
  return (await receivedBy(app, 'social_ads')).find((event) => event.event_id === row!.event_key)!
}

const storedAgents = async () => {
  const { rows } = await sql<{ user_agent: string }>`
    select user_agent from event_agents where profile_id = ${shop.profileId}`.execute(app.service.db)
  return rows.map((row) => row.user_agent)
}

it('a visitor’s conversion is sent as a website event with the page and the browser', async () => {
  await visit('ana')
  expect(await newest()).toMatchObject({
    action_source: 'website',
    event_source_url: 'https://shop.example/thanks/ana?utm_source=mail',
    user_data: { client_user_agent: AGENT },
  })
  const created = await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CWEB0123456789', access_token: 'pasted' },
  })
  await visit('bo')
  await shop.settle()
  const [row] = await shop.ledger({ destination_id: created.data.id })
  const received = (await receivedBy(app, 'shortvideo')).find((event) => event.event_id === row!.event_key)
  expect(received).toMatchObject({
    user: { user_agent: AGENT },
    page: { url: 'https://shop.example/thanks/bo?utm_source=mail' },
  })
})

it('with browser and address reported by a server, both platforms receive a website event', async () => {
  const before = await storedAgents()
  await shop.call(sendEvent, {
    body: {
      event_name: 'lead_created',
      idempotency_key: 'from-a-server',
      timestamp: app.service.clock.now().toISOString(),
      page: { url: 'https://shop.example/thanks/gus' },
      user_traits: { email: 'gus@example.com' },
      user_agent: AGENT,
      ip: '203.0.113.7',
    },
  })
  expect(await newest()).toMatchObject({
    action_source: 'website',
    event_source_url: 'https://shop.example/thanks/gus',
    user_data: { client_user_agent: AGENT, client_ip_address: '203.0.113.7' },
  })
  const received = (await receivedBy(app, 'shortvideo')).find(
    (event) => (event as { page?: { url?: string } }).page?.url === 'https://shop.example/thanks/gus',
  )
  expect(received).toMatchObject({ user: { user_agent: AGENT, ip: '203.0.113.7' } })
  expect(await storedAgents()).toHaveLength(before.length + 1)
  // The browser is stored outside the event, which is kept longer.
  const { rows } = await sql<{ body: object }>`
    select body from events where profile_id = ${shop.profileId} and external_id = 'from-a-server'`.execute(
    app.service.db,
  )
  expect(JSON.stringify(rows)).not.toMatch(/Firefox|203\.0/)
  await sql`delete from event_agents where profile_id = ${shop.profileId} and ip is not null`.execute(
    app.service.db,
  )
})

it('a browser is stored only for events that a destination sends', async () => {
  expect(await storedAgents()).toHaveLength(2)
  await visit('cy', 'page_view')
  await visit('cy', 'quote_presented')
  const params = { id: social.id }
  await shop.call(updateExportDestination, { params, body: { event_map: [] } })
  for (const { id } of await app.service.db.selectFrom('export_destinations').select('id').execute())
    await shop.call(updateExportDestination, { params: { id }, body: { enabled: false } })
  await visit('cy')
  await shop.settle()
  expect(await storedAgents()).toHaveLength(2)
  const event_map = [{ conversion_key: 'lead_created', event_name: 'Lead' }]
  await shop.decide(updateExportDestination, { params, body: { enabled: true, event_map } })
})

it('the browser is deleted with its person, also if the erasure precedes sending', async () => {
  await visit('dia')
  await app.service.processor.settled(shop.profileId)
  expect(await storedAgents()).toHaveLength(3)
  await shop.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: shop.workspaceId },
    body: { profile_id: shop.profileId, email: 'dia@example.com' },
  })
  await runPendingErasures(app.service, shop.profileId)
  expect(await storedAgents()).toHaveLength(2)
  const before = (await receivedBy(app, 'social_ads')).length
  await shop.settle()
  expect((await shop.ledger({ destination_id: social.id }))[0]).toMatchObject({ status: 'skipped' })
  expect(await receivedBy(app, 'social_ads')).toHaveLength(before)
})

it('hipaa sends no page and stores no browser', async () => {
  const hipaa_agreement = { signed_by: 'Officer', signed_at: '2026-11-01T00:00:00Z' }
  await setMode('hipaa', { hipaa_agreement, healthcare_export_allowlist: ['lead_created'] })
  expect(await storedAgents()).toEqual([])
  await visit('eva')
  expect(await storedAgents()).toEqual([])
  const sentEvent = await newest()
  expect(sentEvent).toMatchObject({ action_source: 'system_generated' })
  expect(JSON.stringify(sentEvent)).not.toMatch(/Firefox|thanks/)
  await setMode('standard')
})

it('the browser is deleted once the event is too old for every platform', async () => {
  await visit('fay')
  expect(await newest()).toMatchObject({ action_source: 'website' })
  await runSchedule(app.service, exportJobs, 'exports.forget_browsers')
  expect(await storedAgents()).toHaveLength(1)
  await moveClock(app, 7 * 86_400 + 60)
  await runSchedule(app.service, exportJobs, 'exports.forget_browsers')
  expect(await storedAgents()).toEqual([])
})
