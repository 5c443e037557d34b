/** A refusal decides over later conversions of the person, whatever system reports them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { depth } from '../../../../test/length.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { seededRandom } from '../../../platform/seeded-random.ts'
import { explainConversion } from '../../attribution/crediting/contract.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { fill } from '../../attribution/pipeline/fill-consents.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../corrections/erasures/erase.ts'
import { mergeCustomers, undoMerge } from '../../corrections/identity-review/merges.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { purposes, type Statement } from '../../facts/consents/rules.ts'
import { isCustomerRefused, loadConsents, saveStatements } from '../../facts/consents/statements.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getCustomer } from '../../insights/customers/contract.ts'
import { createAudience } from './audiences/contract.ts'
import { getConversionSyncCatalog, saveConversionSyncCatalog } from './catalog/contract.ts'
import { createExportDestination } from './destinations/contract.ts'

let app: TestApp
let shop: ExportShop

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  await shop.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CONSENT012345678', access_token: 'pasted' },
  })
  const { data } = await shop.call(getConversionSyncCatalog)
  const conversions = data.conversions.map((entry) => ({ ...entry, consent_default: 'granted' as const }))
  await shop.call(saveConversionSyncCatalog, { body: { privacy_mode: 'standard', conversions } })
})
afterAll(() => app.close())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const granted = { ad_user_data: 'granted', ad_personalization: 'granted' }
const denied = { ad_user_data: 'denied', ad_personalization: 'denied' }

/** A lead of the person that states this consent. */
const state = (email: string, consent: object | undefined, ago: number, fields: object = {}) =>
  shop.call(sendEvent, {
    body: {
      event_name: 'lead_created',
      idempotency_key: `${email} ${ago}`,
      timestamp: minutesAgo(ago),
      properties: consent === undefined ? {} : { consent },
      user_traits: { email },
      ...fields,
    },
  })
const pay = (key: string, email: string, consent?: object) =>
  shop.pay(key, { user_traits: { email }, properties: consent === undefined ? {} : { consent } })

/** The ledger row of the payment with this key. */
async function rowOf(key: string) {
  await shop.settle()
  const { rows } = await sql<{ id: string }>`
    select c.id from events e join conversions c on c.profile_id = e.profile_id and c.event_id = e.id
    where e.profile_id = ${shop.profileId} and e.external_id = ${key}`.execute(app.service.db)
  const [row] = await shop.ledger({ conversion_id: rows[0]!.id })
  return row!
}
const outcomeOf = async (key: string) => {
  const { status, reason } = await rowOf(key)
  return reason ?? status
}
const customerOf = async (email: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from identity_traits t
    join identifiers i on i.profile_id = t.profile_id and i.id = t.identifier_id
    where t.profile_id = ${shop.profileId} and t.value = ${email}`.execute(app.service.db)
  return rows[0]!.id
}

it('a refusal with a lead keeps the payment that a system without consent reports from leaving', async () => {
  await state('ana@example.com', denied, 60)
  await pay('ana-pays', 'ana@example.com')
  const row = await rowOf('ana-pays')
  expect(row).toMatchObject({ status: 'skipped', reason: 'consent_denied' })
  expect(row.consent).toEqual({ ...denied, source: 'api', stated_at: expect.any(String) })
  const { data } = await shop.call(explainConversion, { params: { id: 'ana-pays' } })
  expect(data.consent).toEqual(row.consent)
  const customer = await shop.call(getCustomer, { params: { id: await customerOf('ana@example.com') } })
  const { stated_at: statedAt, ...stated } = row.consent!
  expect(customer.data.consent).toEqual({ ...stated, told_at: statedAt })
  await pay('bo-pays', 'bo@example.com')
  expect(await rowOf('bo-pays')).toMatchObject({
    status: 'sent',
    consent: { ...granted, source: 'default', stated_at: null },
  })
  expect(JSON.stringify(await receivedBy(app, 'shortvideo'))).not.toContain(row.conversion_id)
})

it.each([
  [
    'a later grant lifts a refusal',
    [
      [denied, 60],
      [granted, 30],
    ],
    undefined,
    'sent',
  ],
  [
    'the order of arrival does not matter',
    [
      [granted, 30],
      [denied, 60],
    ],
    undefined,
    'sent',
  ],
  [
    'a later event that states nothing lifts no refusal',
    [
      [denied, 60],
      [undefined, 30],
    ],
    undefined,
    'consent_denied',
  ],
  [
    'a refusal of personalisation only does not withhold',
    [[{ ad_personalization: false }, 60]],
    undefined,
    'sent',
  ],
  [
    'nor does a grant of the other purpose lift',
    [
      [{ ad_user_data: false }, 60],
      [{ ad_personalization: true }, 30],
    ],
    undefined,
    'consent_denied',
  ],
  ['the payment’s own refusal decides after a grant', [[granted, 60]], denied, 'consent_denied'],
  [
    'an opt-out that a server saw in the header is a refusal',
    [[{ gpc: true, ...granted }, 60]],
    undefined,
    'consent_denied',
  ],
] as const)('%s', async (title, statements, own, expected) => {
  const email = `${title.replaceAll(/\W/g, '-')}@example.com`
  for (const [consent, ago] of statements) await state(email, consent, ago)
  await pay(title, email, own)
  expect(await outcomeOf(title)).toBe(expected)
})

it('a refusal that arrives while the conversion is queued is obeyed, even if its own event states a grant', async () => {
  await shop.pay('cy-pays', { timestamp: minutesAgo(10), properties: { consent: granted } })
  await app.service.processor.settled(shop.profileId)
  await state('cy-pays@example.com', denied, 0)
  expect(await outcomeOf('cy-pays')).toBe('consent_denied')
})

it('a refusal counts for every identifier of its event, a grant for the strongest only', async () => {
  const device = crypto.randomUUID()
  await state('di@example.com', denied, 60, { anonymous_id: device })
  // Another person on the same device.
  await state('eve@example.com', granted, 30, { anonymous_id: device })
  await pay('di-pays', 'di@example.com')
  await pay('eve-pays', 'eve@example.com')
  expect([await outcomeOf('di-pays'), await outcomeOf('eve-pays')]).toEqual(['consent_denied', 'sent'])
})

it('follows a merge, and its undo', async () => {
  await state('fay@example.com', denied, 60)
  await pay('fay-pays', 'work@example.com')
  await app.service.processor.settled(shop.profileId)
  const ids = {
    fromCustomerId: await customerOf('work@example.com'),
    intoCustomerId: await customerOf('fay@example.com'),
  }
  const { db } = app.service
  const id = crypto.randomUUID()
  const change = { id, by: null, now: new Date() }
  await db
    .transaction()
    .execute(async (tx) =>
      mergeCustomers(tx, await loadAttributionProfile(tx, shop.profileId), { ...change, ...ids }),
    )
  expect(await outcomeOf('fay-pays')).toBe('consent_denied')
  await db
    .transaction()
    .execute(async (tx) => undoMerge(tx, await loadAttributionProfile(tx, shop.profileId), change))
  await pay('fay-pays-again', 'work@example.com')
  expect(await outcomeOf('fay-pays-again')).toBe('sent')
})

it('an event that is corrected or retracted takes back what it granted', async () => {
  await state('gil@example.com', denied, 60)
  await state('gil@example.com', granted, 30, { event_name: 'newsletter' })
  await app.service.processor.settled(shop.profileId)
  await shop.call(retractEvent, { body: { idempotency_key: 'gil@example.com 30', reason: 'test' } })
  await pay('gil-pays', 'gil@example.com')
  expect(await outcomeOf('gil-pays')).toBe('consent_denied')
  const timestamp = minutesAgo(50)
  await state('hal@example.com', denied, 50, { timestamp })
  await app.service.processor.settled(shop.profileId)
  await state('hal@example.com', granted, 50, { timestamp })
  await pay('hal-pays', 'hal@example.com')
  expect(await outcomeOf('hal-pays')).toBe('sent')
})

it('an erasure deletes the statements; the same address is a new person afterwards', async () => {
  await state('lu@example.com', denied, 60)
  await app.service.processor.settled(shop.profileId)
  const customerId = await customerOf('lu@example.com')
  const statements = async () =>
    (
      await app.service.db
        .selectFrom('ad_consents')
        .select('state')
        .where('identifier_id', '=', customerId)
        .execute()
    ).length
  expect(await statements()).toBe(2)
  await shop.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: shop.workspaceId },
    body: { profile_id: shop.profileId, email: 'lu@example.com' },
  })
  await runPendingErasures(app.service, shop.profileId)
  expect(await statements()).toBe(0)
  await pay('lu-pays', 'lu@example.com')
  expect(await outcomeOf('lu-pays')).toBe('sent')
})

it('statements from before the table are read from the stored events', async () => {
  await state('ida@example.com', denied, 60)
  await app.service.processor.settled(shop.profileId)
  const { db } = app.service
  const stored = () =>
    db
      .selectFrom('ad_consents')
      .selectAll()
      .where('profile_id', '=', shop.profileId)
      .orderBy('identifier_id')
      .orderBy('purpose')
      .orderBy('state')
      .execute()
  const before = await stored()
  await db.deleteFrom('ad_consents').where('profile_id', '=', shop.profileId).execute()
  const context = { db, profileId: shop.profileId, signal: new AbortController().signal }
  await fill(context, { after: null }, 7)
  expect(await stored()).toEqual(before)
  await fill(context, { after: null })
  expect(await stored()).toEqual(before)
})

it('whatever is stated in whatever order, the newest statement over all identifiers decides', async () => {
  const random = seededRandom('statements of consent', process.env.SEED ?? 1)
  const { db } = app.service
  const { profileId } = shop
  const people = Array.from({ length: depth(60, 500) }, () => ({
    ids: Array.from({ length: random.int(1, 4) }, () => crypto.randomUUID()),
    statements: [] as Statement[],
  }))
  for (const { ids, statements } of people)
    for (let count = random.int(0, 6); count > 0; count -= 1)
      statements.push({
        identifierId: random.pick(ids),
        purpose: random.pick(purposes),
        state: random.chance(0.5) ? 'denied' : 'granted',
        source: 'api',
        // Few times, so that some are equal.
        statedAt: new Date(Date.UTC(2026, 0, random.int(1, 5))),
        eventId: crypto.randomUUID(),
      })
  const shuffled = people
    .flatMap(({ statements }) => statements)
    .map((statement) => ({ statement, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ statement }) => statement)
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, profileId)
    for (const { ids } of people)
      for (const id of ids)
        await sql`insert into identifiers (profile_id, id, kind, customer_id)
          values (${profileId}, ${id}, 0, ${ids[0]})`.execute(tx)
    for (let at = 0; at < shuffled.length; at += 7)
      await saveStatements(tx, profileId, shuffled.slice(at, at + 7))
  })
  const naive = (statements: Statement[], purpose: string) => {
    const of = statements.filter((row) => row.purpose === purpose)
    const last = Math.max(...of.map((row) => row.statedAt.getTime()))
    const newest = of.filter((row) => row.statedAt.getTime() === last)
    if (newest.length === 0) return null
    return newest.some((row) => row.state === 'denied') ? 'denied' : 'granted'
  }
  const customerIds = people.map(({ ids }) => ids[0]!)
  const stored = await loadConsents(db, { profileId, customerIds })
  const { rows } = await sql<{ id: string; refused: boolean }>`
    select id, ${isCustomerRefused(sql`${profileId}`, sql.ref('identifiers.id'))} as refused from identifiers
    where profile_id = ${profileId} and id = customer_id`.execute(db)
  const refused = new Map(rows.map((row) => [row.id, row.refused]))
  for (const { ids, statements } of people) {
    const expected = purposes.map((purpose) => naive(statements, purpose))
    expect(purposes.map((purpose) => stored.get(ids[0]!)?.[purpose]?.state ?? null)).toEqual(expected)
    expect(refused.get(ids[0]!)).toBe(expected.includes('denied'))
  }
})

it('removes a customer who opts out from lists that were built from a filter', async () => {
  const connection = await shop.connected('social_ads')
  await pay('jo-pays', 'jo@example.com')
  await pay('kim-pays', 'kim@example.com')
  await shop.settle()
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const { data } = await shop.call(createAudience, {
    body: {
      connection_id: connection.id,
      name: 'Buyers',
      filter: { date_from: day(-2), date_to: day(1), outcome_type: 'payment_received' },
      consent: granted,
      dry_run: false,
    },
  })
  const members = async () => {
    const { rows } = await sql<{ id: string }>`
      select m.identifier_id as id from audience_members m
      join audience_lists l on l.profile_id = m.profile_id and l.id = m.list_id
      where m.profile_id = ${shop.profileId} and l.external_id = ${data.audience_id}`.execute(app.service.db)
    return rows.map((row) => row.id)
  }
  const [jo, kim] = [await customerOf('jo@example.com'), await customerOf('kim@example.com')]
  expect(await members()).toEqual(expect.arrayContaining([jo, kim]))
  await state('jo@example.com', { ad_personalization: 'denied' }, 0)
  await shop.settle()
  expect(await members()).not.toContain(jo)
  expect(await members()).toContain(kim)
})
