/** Deduplication with the shop's own pixel: the platform counts a sale once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import {
  createExportDestination,
  listExportDestinations,
  updateExportDestination,
} from './destinations/contract.ts'

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
const cookies = {
  fbp: 'fb.1.1596403881668.1116446470',
  fbc: 'fb.1.1772179200123.AbC-d',
  ttp: '2F7h37YkS1j57AYSKTI7',
}

let app: TestApp
let shop: ExportShop
let social: { id: string }
let trackingKey: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  social = await shop.socialDestination({
    event_map: [{ conversion_key: 'lead_created', event_name: 'Lead' }],
  })
  trackingKey = (await shop.call(issueTrackingKey)).data.key
})
afterAll(() => app.close())

async function lead(name: string, properties: Record<string, unknown> = {}, fields: object = { cookies }) {
  const now = app.service.clock.now().toISOString()
  const event = makeWirePage({
    event_id: crypto.randomUUID(),
    anonymous_id: `visitor-${name}`,
    type: 'track',
    event_name: 'lead_created',
    occurred_at: now,
    sent_at: now,
    url: 'https://shop.example/thanks',
    properties,
    user_traits: { email: `${name}@example.com` },
    ...fields,
  })
  const reply = await fetch(`${app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': AGENT },
    body: JSON.stringify({ key: trackingKey, ...event }),
  })
  expect(reply.status).toBe(202)
  await shop.settle()
}

const received = async (provider = 'social_ads') => (await receivedBy(app, provider)).at(-1)!
const destination = async () =>
  (await shop.call(listExportDestinations)).data.find(({ id }) => id === social.id)!

it('the pixel cookies and a hashed name are sent with the event', async () => {
  const created = await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CPIXEL0123456789', access_token: 'pasted' },
  })
  await lead('ana', {}, { cookies, user_traits: { email: 'ana@example.com', first_name: 'Ana' } })
  expect(await received()).toMatchObject({
    user_data: {
      fbp: cookies.fbp,
      fbc: cookies.fbc,
      fn: [expect.stringMatching(/^[0-9a-f]{64}$/)],
    },
  })
  expect(await received('shortvideo')).toMatchObject({ user: { ttp: cookies.ttp } })
  await shop.call(updateExportDestination, { params: { id: created.data.id }, body: { enabled: false } })
})

it('an event is sent with the id of event_id_source; a change applies to conversions queued later', async () => {
  const params = { id: social.id }
  const chosen = await shop.call(updateExportDestination, {
    params,
    body: { event_id_source: 'properties.pixel_event' },
  })
  expect(chosen.data.event_id_source).toBe('properties.pixel_event')
  await lead('bo', { pixel_event: 'px-1' })
  expect(await received()).toMatchObject({ event_id: 'px-1' })
  await lead('cy', {})
  const [row] = await shop.ledger({ destination_id: social.id })
  expect(await received()).toMatchObject({ event_id: row!.event_key })
  for (const event_id_source of ['order', 'properties.', 'properties.a b', ''])
    await expect(
      shop.call(updateExportDestination, { params, body: { event_id_source } }),
    ).rejects.toMatchObject({ status: 422 })
  await shop.call(updateExportDestination, { params, body: { event_id_source: 'order_id' } })
  await lead('di', { order_id: 'o-77' })
  expect(await received()).toMatchObject({ event_id: 'o-77', custom_data: { order_id: 'o-77' } })
})

it('warns if conversions from browsers with the pixel are sent with an id that the pixel does not have', async () => {
  expect((await destination()).warnings).toEqual([])
  await lead('ed')
  expect((await destination()).warnings).toEqual([{ code: 'pixel_counts_too', conversions: 3 }])
  await lead('flo', {}, {})
  await lead('gus', { order_id: 'o-78' })
  expect((await destination()).warnings).toEqual([{ code: 'pixel_counts_too', conversions: 3 }])
})
