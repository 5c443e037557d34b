/** Global Privacy Control of the browser, as the collector receives it, decides over payments that a server reports. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { depth } from '../../../../test/length.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getTrackingConsent } from '../../sources/consent-signals/contract.ts'
import { getTrackingQuality, issueTrackingKey } from '../../sources/tracking/contract.ts'
import { getConversionSyncCatalog, saveConversionSyncCatalog } from './catalog/contract.ts'
import { createExportDestination } from './destinations/contract.ts'

let app: TestApp
let shop: ExportShop
let trackingKey: string

beforeAll(async () => {
  app = await startTestApp({ INGEST_BURST: '100000', INGEST_PER_SECOND: '100000' })
  shop = await makeExportShop(app)
  trackingKey = (await shop.call(issueTrackingKey)).data.key
  await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'SIGNAL0123456789', access_token: 'pasted' },
  })
  const { data } = await shop.call(getConversionSyncCatalog)
  const conversions = data.conversions.map((entry) => ({ ...entry, consent_default: 'granted' as const }))
  await shop.call(saveConversionSyncCatalog, { body: { privacy_mode: 'standard', conversions } })
})
afterAll(() => app.close())

const emailOf = (visitor: string) => `${visitor}@example.com`

/** A visitor who identifies, as the script of an earlier release reports it. */
const wireOf = (visitor: string, fields: object = {}) => ({
  ...makeWirePage({
    event_id: crypto.randomUUID(),
    anonymous_id: visitor,
    type: 'identify',
    event_name: 'identify',
    user_traits: { email: emailOf(visitor) },
    cookies: { fbp: 'fb.1.2.3' },
  }),
  occurred_at: new Date(Date.now() - 60_000).toISOString(),
  sent_at: new Date().toISOString(),
  ...fields,
})

async function collect(events: object[], headers: Record<string, string> = {}) {
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', ...headers },
    body: JSON.stringify({ key: trackingKey, events }),
  })
  return ((await reply.json()) as { data: { accepted: number; duplicates: number } }).data
}

async function pay(visitors: readonly string[]) {
  for (let at = 0; at < visitors.length; at += 100)
    await shop.call(sendEvents, {
      body: {
        events: visitors.slice(at, at + 100).map((visitor) => ({
          event_name: 'payment_received',
          idempotency_key: `paid ${visitor}`,
          properties: { value: '10.00', currency: 'EUR' },
          user_traits: { email: emailOf(visitor) },
        })),
      },
    })
  await shop.settle()
}

/** Visitors whose payment has this outcome in the ledger, with the source of the consent. */
async function outcomes() {
  const { rows } = await sql<{ visitor: string; outcome: string; source: string }>`
    select substr(e.external_id, 6) as visitor, coalesce(x.reason, x.status) as outcome, x.consent->>'source' as source
    from conversion_exports x
    join events e on e.profile_id = x.profile_id and e.id = x.event_id
    where x.profile_id = ${shop.profileId}`.execute(app.service.db)
  return new Map(rows.map((row) => [row.visitor, [row.outcome, row.source]]))
}

it.each([
  ['the header alone', {}, { 'sec-gpc': '1' }, ['consent_denied', 'gpc']],
  ['the header of several proxies', {}, { 'sec-gpc': '0, 1' }, ['consent_denied', 'gpc']],
  ['the script alone', { signals: ['gpc', 'unknown'] }, {}, ['consent_denied', 'gpc']],
  [
    'the header against a grant of the page',
    { properties: { consent: { ad_user_data: 'granted', ad_personalization: 'granted' } } },
    { 'sec-gpc': '1' },
    ['consent_denied', 'gpc'],
  ],
  ['any other value is no signal', {}, { 'sec-gpc': 'true' }, ['sent', 'default']],
])('%s', async (title, fields, headers, expected) => {
  const visitor = title.replaceAll(' ', '-')
  await collect([wireOf(visitor, fields)], headers as unknown as Record<string, string>)
  await pay([visitor])
  expect((await outcomes()).get(visitor)).toEqual(expected)
})

it('an event with the header, sent again without it, is one event and stays refused', async () => {
  const event = wireOf('resent')
  expect(await collect([event], { 'sec-gpc': '1' })).toMatchObject({ accepted: 1 })
  expect(await collect([event])).toMatchObject({ accepted: 0, duplicates: 1 })
  await pay(['resent'])
  expect((await outcomes()).get('resent')).toEqual(['consent_denied', 'gpc'])
  const { rows } = await sql<{ agents: number }>`
    select count(*)::int as agents from event_agents where profile_id = ${shop.profileId}`.execute(
    app.service.db,
  )
  expect(rows[0]!.agents).toBe(0)
})

/** Events by purpose that the signal refused, as the owner reads them. */
async function refusedBySignal() {
  const { days } = (await shop.decide(getTrackingConsent)).data
  const of = (purpose: string) =>
    days.reduce(
      (sum, row) =>
        sum + (row.source === 'gpc' && row.purpose === purpose && row.state === 'denied' ? row.events : 0),
      0,
    )
  return [of('ad_user_data'), of('ad_personalization')]
}

it('of many visitors none who opted out reaches a platform, and all others do', async () => {
  const visitors = Array.from({ length: depth(200, 1000) }, (_, at) => `planted-${at}`)
  const [before = 0] = await refusedBySignal()
  const hasOptedOut = (visitor: string) => Number(visitor.slice(8)) % 5 === 0
  for (const [isOut, group] of Map.groupBy(visitors, hasOptedOut))
    for (let at = 0; at < group.length; at += 50)
      await collect(
        group.slice(at, at + 50).map((visitor) => wireOf(visitor)),
        isOut ? { 'sec-gpc': '1' } : {},
      )
  await pay(visitors)
  const found = await outcomes()
  for (const visitor of visitors)
    expect(found.get(visitor), visitor).toEqual(
      hasOptedOut(visitor) ? ['consent_denied', 'gpc'] : ['sent', 'default'],
    )
  const { consent } = (await shop.decide(getTrackingQuality)).data
  const withheld = [...found.values()].filter(([outcome]) => outcome === 'consent_denied').length
  expect(consent.gpc_events).toBeGreaterThanOrEqual(visitors.length / 5)
  expect(consent.ads_denied_events).toBeGreaterThanOrEqual(consent.gpc_events)
  expect(consent.withheld).toEqual([{ platform: 'shortvideo', conversions: withheld, value: 10 * withheld }])
  const planned = before + visitors.length / 5
  expect(await refusedBySignal()).toEqual([planned, planned])
  expect((await shop.decide(getTrackingConsent)).data.withheld).toEqual(consent.withheld)
  const received = (await receivedBy(app, 'shortvideo')).map((event) => event.event_id)
  const { rows } = await sql<{ id: string }>`
    select conversion_id as id from conversion_exports
    where profile_id = ${shop.profileId} and status = 'sent'`.execute(app.service.db)
  expect(received.toSorted()).toEqual(rows.map((row) => row.id).toSorted())
})
