import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop } from '../../../../../test/export-shop.ts'
import { type ConversionRef, loadFacts } from './facts.ts'

let app: TestApp
let shop: ExportShop

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
})
afterAll(() => app.close())

it('finds event and person of a conversion, also if its event was moved or it was deleted', async () => {
  const { db } = app.service
  await shop.pay('ana', { click_ids: { gclid: 'click-1' } })
  await shop.settle()
  const { rows } = await sql<ConversionRef>`
    select id as "conversionId", event_id as "eventId" from conversions where profile_id = ${shop.profileId}`.execute(
    db,
  )
  const [ref] = rows as [ConversionRef]
  const factsNow = async () => {
    const facts = await loadFacts(db, shop.profileId, rows, { withLeads: true, properties: [] })
    return facts.get(ref.conversionId)!
  }
  const before = await factsNow()
  const { emails } = before.person
  expect(emails).toHaveLength(1)
  const event = { source: 'api', clickIds: { gclid: 'click-1' } }
  expect(before).toMatchObject({ conversion: { revenueType: 'cash' }, event })
  await sql`update conversions set occurred_at = occurred_at + interval '1 second' where profile_id = ${shop.profileId}`.execute(
    db,
  )
  expect(await factsNow()).toMatchObject({ conversion: { revenueType: 'cash' }, event, person: { emails } })
  await sql`delete from conversions where profile_id = ${shop.profileId}`.execute(db)
  expect(await factsNow()).toMatchObject({ conversion: null, event, person: { emails } })
})
