import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeOwnProfile } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { getOverview } from '../../insights/reports/contract.ts'
import { sendEvents } from './contract.ts'
import { setAside } from './quarantine.ts'
import { eventIdOf } from './rules.ts'

let app: TestApp
let profileId: string
let call: Client
beforeAll(async () => {
  app = await startTestApp({ INGEST_PER_SECOND: '100000', INGEST_BURST: '100000' })
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ profileId, call } = await makeOwnProfile(app, ['events:write', 'campaigns:read'], { timezone: 'UTC' }))
})

type Sale = { value?: number; day?: string; note?: string; page?: string; conversation_id?: string }

const toSale = (key: string, { value = 10, day = '2026-10-05', note, page, conversation_id }: Sale) => ({
  event_name: 'payment_received',
  idempotency_key: key,
  anonymous_id: key,
  timestamp: `${day}T10:00:00Z`,
  properties: { value, ...(note && { note }), ...(conversation_id && { conversation_id }) },
  ...(page && { page: { url: page } }),
})

async function send(sales: Record<string, Sale>) {
  const events = Object.entries(sales).map(([key, sale]) => toSale(key, sale))
  const { data } = await call(sendEvents, { body: { events } })
  return data.results.map((result) => result.status)
}

/** Ids of waiting events. Holds the profile's lock meanwhile, so that they are not processed. */
async function waitingAfter(sales: Record<string, Sale>): Promise<{ statuses: string[]; waiting: string[] }> {
  await app.service.processor.settled(profileId)
  return app.service.db.transaction().execute(async (tx) => {
    await lockProfile(tx, profileId)
    const statuses = await send(sales)
    const { rows } = await sql<{ id: string }>`
      select unnest(event_ids) as id from event_queue where profile_id = ${profileId}`.execute(tx)
    return { statuses, waiting: rows.map((row) => row.id) }
  })
}

async function overview() {
  await app.service.processor.settled(profileId)
  const { data } = await call(getOverview, { query: { date_from: '2026-10-01', date_to: '2026-10-31' } })
  return { revenue: data.totals.revenue, payments: data.totals.payments }
}

it('a later version that differs only in unprocessed fields is stored, and not processed again', async () => {
  await send({ a: {}, b: {}, c: {} })
  const { statuses, waiting } = await waitingAfter({
    a: { note: 'called back' },
    b: { page: 'https://shop.example/thanks' },
    c: { value: 11 },
  })
  expect(statuses).toEqual(['updated', 'updated', 'updated'])
  expect(waiting).toEqual([eventIdOf(profileId, 'c')])
  const { rows } = await sql<{ note: string | null }>`
    select body->'properties'->>'note' as note from events where profile_id = ${profileId} order by note`.execute(
    app.service.db,
  )
  expect(rows.map((row) => row.note)).toEqual(['called back', null, null])
  expect(await overview()).toEqual({ revenue: 31, payments: 3 })
})

it('a change of conversation_id is processed', async () => {
  await send({ a: {} })
  const { waiting } = await waitingAfter({ a: { conversation_id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111' } })
  expect(waiting).toEqual([eventIdOf(profileId, 'a')])
})

it('any later version of an event that was set aside is processed', async () => {
  await send({ a: {} })
  await app.service.processor.settled(profileId)
  const eventId = eventIdOf(profileId, 'a')
  const events = [{ eventId, reason: 'processing_failed' as const, detail: null }]
  await app.service.db.transaction().execute((tx) => setAside(tx, { profileId, events, now: new Date() }))
  expect((await waitingAfter({ a: { note: 'again' } })).waiting).toEqual([eventId])
})

it('one request may have new, unchanged, changed, moved and retracted events, each with its own status', async () => {
  const keys = Array.from({ length: 130 }, (_, index) => `sale ${String(index).padStart(3, '0')}`)
  await send(Object.fromEntries(keys.slice(0, 120).map((key) => [key, {}])))
  await app.service.processor.settled(profileId)
  await call(retractEvent, { body: { idempotency_key: keys[0]! } })
  const version = (index: number): Sale =>
    [{}, { value: 20 }, { day: '2026-09-05' }, { note: 'word' }][index % 4]!
  const statuses = await send(Object.fromEntries(keys.map((key, index) => [key, version(index)])))
  const expected = keys.map((_, index) => {
    if (index === 0) return 'refused'
    if (index >= 120) return 'accepted'
    return index % 4 === 0 ? 'unchanged' : 'updated'
  })
  expect(statuses).toEqual(expected)
  const { rows } = await sql<{ events: number; september: number; keys: number }>`
    select count(*)::int as events, count(*) filter (where e.occurred_at < '2026-10-01')::int as september,
      count(k.event_id)::int as keys
    from events e left join event_keys k on k.profile_id = e.profile_id and k.event_id = e.id and k.occurred_at = e.occurred_at
    where e.profile_id = ${profileId}`.execute(app.service.db)
  expect(rows).toEqual([{ events: 129, september: 32, keys: 129 }])
  const october = keys.flatMap((_, index) =>
    index === 0 || index % 4 === 2 ? [] : (version(index).value ?? 10),
  )
  expect(await overview()).toEqual({
    revenue: october.reduce((sum, value) => sum + value, 0),
    payments: october.length,
  })
})
