/** Merges of customers whose conversions were already sent. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { mergeCustomers } from '../../corrections/identity-review/merges.ts'
import { createExportDestination } from './destinations/contract.ts'

let app: TestApp
let shop: ExportShop

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
})
afterAll(() => app.close())

const shortvideo = async (exportShop: ExportShop, code: string): Promise<string> =>
  (
    await exportShop.call(createExportDestination, {
      body: { kind: 'shortvideo', shortvideo_pixel_code: code, access_token: 'pasted' },
    })
  ).data.id

it('a merge restates sent conversions with the merged person, or is marked unsupported', async () => {
  const engine = await shop.call(createExportDestination, {
    body: {
      kind: 'engine',
      connection_id: (await shop.connected('engine_ads')).id,
      engine_conversion_action: '987654321',
    },
  })
  const other = await shortvideo(shop, 'CMERGE0123456789')
  const consent = { ad_user_data: 'granted', ad_personalization: 'granted' }
  for (const name of ['ana', 'work']) await shop.pay(name, { properties: { consent } })
  await shop.settle()
  const sent = await shop.ledger({ destination_id: engine.data.id })
  expect(sent.map((row) => row.status)).toEqual(['sent', 'sent'])
  type Held = { transactionId: string; event: { userData: { userIdentifiers: unknown[] } } }
  const receivedValues = async () =>
    ((await receivedBy(app, 'engine_ads')) as Held[]).map(({ transactionId, event }) => ({
      id: transactionId,
      people: event.userData.userIdentifiers.length,
    }))
  expect((await receivedValues()).map((event) => event.people)).toEqual([1, 1])
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from identity_traits t
    join identifiers i on i.profile_id = t.profile_id and i.id = t.identifier_id
    where t.profile_id = ${shop.profileId} order by t.value`.execute(app.service.db)
  await app.service.db.transaction().execute(async (tx) => {
    const profile = await loadAttributionProfile(tx, shop.profileId)
    const pair = { fromCustomerId: rows[1]!.id, intoCustomerId: rows[0]!.id }
    await mergeCustomers(tx, profile, { id: crypto.randomUUID(), ...pair, by: null, now: new Date() })
  })
  await shop.settle()
  const adjusted = (await shop.ledger({ destination_id: engine.data.id })).slice(0, 2)
  expect(adjusted.map((row) => [row.adjustment, row.adjustment_no, row.status, row.value])).toEqual([
    ['restate', 1, 'sent', 100],
    ['restate', 1, 'sent', 100],
  ])
  // With the same ids: the platform restates and counts no additional conversion.
  const received = await receivedValues()
  expect(received.map((event) => event.id).toSorted()).toEqual(sent.map((row) => row.event_key).toSorted())
  expect(received.map((event) => event.people)).toEqual([2, 2])
  const unsupported = (await shop.ledger({ destination_id: other })).slice(0, 2)
  expect(unsupported.map((row) => [row.adjustment, row.status, row.reason])).toEqual([
    ['unsupported', 'skipped', 'adjustment_unsupported'],
    ['unsupported', 'skipped', 'adjustment_unsupported'],
  ])
})
