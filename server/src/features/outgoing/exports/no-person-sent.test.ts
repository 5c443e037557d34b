/** Personal values are sent to the platforms only; no log line, row, webhook or response contains them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop } from '../../../../test/export-shop.ts'
import { makeApp, provision } from '../../../../test/make.ts'
import { triggerSandbox } from '../../../../test/make-shop.ts'
import { tableKinds } from '../../../platform/db/tables.ts'
import { setEntitlement } from '../../account/profiles/contract.ts'
import { eraseCustomer } from '../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../corrections/erasures/erase.ts'
import { saveAudienceExclusions, sendCustomerList } from './audiences/contract.ts'
import { createExportDestination } from './destinations/contract.ts'
import { sendTestEvent } from './test-event/contract.ts'

const person = {
  email: 'zoe.private@example.com',
  phone: '+34600987654',
  externalId: 'patient-4711',
  click: 'IwAR0-click-of-zoe',
  ip: '192.0.2.77',
  agent: 'ZoesBrowser/9',
  page: 'https://shop.example/secret-page-of-zoe',
}
const personalValues = Object.values(person)

let app: TestApp
let shop: ExportShop
let rude: Server
const lines: string[] = []

beforeAll(async () => {
  // A platform that refuses everything and repeats the personal values in its messages.
  rude = createServer((_, reply) => {
    const message = `Bad user ${personalValues.join(' ')}`
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ code: 40002, message, request_id: 'r' }))
  })
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve))
  const { port } = rude.address() as AddressInfo
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  app = await startTestApp({ LOG_LEVEL: 'debug', SHORTVIDEO_BASE_URL: `http://127.0.0.1:${port}` })
  shop = await makeExportShop(app)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await app.close()
  rude.close()
})

const pay = (key: string) =>
  shop.pay(key, {
    page: { url: person.page },
    click_ids: { fbclid: person.click, gclid: person.click, ttclid: person.click },
    user_traits: { email: person.email, phone: person.phone, external_id: person.externalId },
    properties: {
      client_ip_address: person.ip,
      client_user_agent: person.agent,
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
    },
  })

/** Every row of the export tables and of the tables that record their events and jobs. */
async function rowsOf(tables: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
        app.service.db,
      )
      return rows.map((row) => `${table}: ${row.text}`).join('\n')
    }),
  )
  return texts.join('\n')
}

/** A sender that cannot store the platform's response: its job fails and logs an error. */
async function failInTheDatabase(): Promise<void> {
  const { db } = app.service
  await sql`alter table conversion_exports rename column payload_hash to away`.execute(db)
  await pay('unwritten')
  await app.service.db.updateTable('export_destinations').set({ retry_at: null, retries: 0 }).execute()
  await shop.settle()
  await sql`alter table conversion_exports rename column away to payload_hash`.execute(db)
}

const personalValuesIn = (text: string) => personalValues.filter((word) => text.includes(word))

it('no personal value is stored or logged, whether sending succeeds or fails', async () => {
  await shop.socialDestination()
  const engine = await shop.connected('engine_ads')
  const target = { connection_id: engine.id, engine_conversion_action: '987654321' }
  await shop.call(createExportDestination, { body: { kind: 'engine', ...target } })
  const created = await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CRUDE0123456789', access_token: 'pasted' },
  })
  await pay('well')
  await shop.settle()
  expect((await shop.ledger()).map((row) => row.status).toSorted()).toEqual(['failed', 'sent', 'sent'])
  for (const kind of ['truncated_json', 'html_error', 'lost_reply', 'server_error', 'rate_limited']) {
    await triggerSandbox(app, 'social_ads', 'fault', { kind, match: '/v', times: 1 })
    await triggerSandbox(app, 'engine_ads', 'fault', { kind, match: '/v1/events', times: 1 })
    await pay(`fault-${kind}`)
    await app.service.db.updateTable('export_destinations').set({ retry_at: null, retries: 0 }).execute()
    await shop.settle()
  }
  await shop
    .call(sendTestEvent, { params: { id: created.data.id }, body: { test_event_code: 'T1' } })
    .catch(() => undefined)
  const partner = await makeApp(app, shop.workspaceId)
  const { apiKey } = await provision(app, shop.profileId, partner)
  const params = { profileId: shop.profileId }
  await partner.call(setEntitlement, {
    params: { ...params, feature: 'attribution' },
    body: { enabled: true },
  })
  const list = {
    connection_id: engine.id,
    audience: { name: 'Members' },
    operation: 'add',
    members: [{ email: person.email, phone: person.phone, external_id: person.externalId }],
    consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
  }
  await app.as(apiKey)(sendCustomerList, { body: list })
  await triggerSandbox(app, 'engine_ads', 'fault', {
    kind: 'truncated_json',
    match: '/v1/audienceMembers',
    times: 3,
  })
  await app
    .as(apiKey)(sendCustomerList, { body: list })
    .catch(() => undefined)
  await partner.call(saveAudienceExclusions, { params, body: { customer_ids: [], reason: 'asked' } })
  await failInTheDatabase()
  const ledger = await rowsOf([
    ...Object.keys(tableKinds).filter((name) => /^(audience|export)_|^conversion_exports$/.test(name)),
    ...['jobs', 'audit_log', 'outbox_events', 'webhook_deliveries'],
  ])
  expect(ledger).toContain('40002')
  expect(personalValuesIn(ledger)).toEqual([])
  await app.as(apiKey)(eraseCustomer, { body: { email: person.email } })
  await runPendingErasures(app.service, shop.profileId)
  const sealed = await rowsOf(['audience_removals', 'jobs'])
  expect(sealed).toContain('exports.remove_erased')
  expect(personalValuesIn(sealed)).toEqual([])
  await shop.settle()
  const log = lines.join('')
  expect(log).toContain('"job":"exports.send"')
  expect(personalValuesIn(log)).toEqual([])
})
