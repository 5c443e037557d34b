import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestClient } from '../../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { drainJobs } from '../../../../../test/jobs.ts'
import { makeOwnProfile } from '../../../../../test/make.ts'
import { eraseIn } from '../../../../../test/oracle/erasing.ts'
import { dumpTables } from '../../../../../test/oracle/tables.ts'
import { jobs } from '../../../../app.ts'
import { lockProfile } from '../../../../platform/db/profile-lock.ts'
import { startRecompute } from '../../../attribution/crediting/contract.ts'
import { createGoal, listGoals, updateGoal } from '../../../corrections/goals/contract.ts'
import { retractEvent } from '../../../corrections/retractions/contract.ts'
import { getOverview } from '../../../insights/reports/contract.ts'
import { listTrackedEvents } from '../../../sources/tracking/contract.ts'
import { EventInput, sendEvents } from '../contract.ts'
import { hasEqualProcessedPart, unprocessedMembers } from '../processed-part.ts'
import { writeEvents } from '../queries.ts'
import { eventIdOf, toNewEvent } from '../rules.ts'
import type { NewEvent, StoredEvent } from '../stored.ts'
import { countDropped, dropOldEvents } from './drop-old.ts'

const HORIZON = new Date('2025-08-01T00:00:00Z')
const NOW = new Date('2026-09-05T00:00:00Z')
const old = '2025-06-10T10:00:00Z'
const recent = '2025-08-01T00:00:00Z'

let app: TestApp
let profileId: string
let call: TestClient
beforeAll(async () => {
  app = await startTestApp({ INGEST_PER_SECOND: '100000', INGEST_BURST: '100000' })
})
afterAll(() => app.close())
beforeEach(async () => {
  ;({ profileId, call } = await newProfile())
})

const newProfile = () =>
  makeOwnProfile(
    app,
    [
      'events:write',
      'campaigns:read',
      'conversions:read',
      'analytics:read',
      'tracking:read',
      'tracking:write',
      'identity:read',
      'identity:write',
    ],
    { timezone: 'UTC' },
  )

const view = (key: string, timestamp = old) => ({
  event_name: 'page_view',
  idempotency_key: key,
  anonymous_id: `visitor of ${key}`,
  timestamp,
  page: { url: `https://shop.example/${key}` },
})
const visit = (key: string, timestamp = old) => ({ ...view(key, timestamp), utm: { source: 'letter' } })
const sale = (key: string, timestamp = old) => ({
  ...view(key, timestamp),
  event_name: 'payment_received',
  properties: { value: 10 },
})

type Sent = { event_name: string; idempotency_key: string } & Record<string, unknown>

async function send(events: readonly Sent[], client = call): Promise<string[]> {
  const { data } = await client(sendEvents, { body: { events: events } })
  return data.results.map((result) => result.error?.reason ?? result.status)
}

const settled = (id = profileId) => app.service.processor.settled(id)

/** Drops all old events, in batches of `most`. */
async function drop(params: { id?: string; most?: number; before?: Date; now?: Date } = {}): Promise<number> {
  const { id = profileId, most = 3, before = HORIZON, now = NOW } = params
  await settled(id)
  for (let dropped = 0; ; ) {
    const walked = await dropOldEvents(app.service.db, { profileId: id, before, now, most })
    dropped += walked.dropped
    if (walked.isDone) return dropped
  }
}

/** Keys of the stored events, with the remaining members of their bodies. */
async function stored(id = profileId): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ external_id: string; members: string[] }>`
    select external_id, array(select jsonb_object_keys(body) order by 1) as members from events
    where profile_id = ${id} order by external_id`.execute(app.service.db)
  return Object.fromEntries(rows.map((row) => [row.external_id, row.members]))
}

async function overview(client = call, id = profileId) {
  await settled(id)
  const { data } = await client(getOverview, { query: { date_from: '2025-05-01', date_to: '2025-09-30' } })
  return data.totals
}

it('drops events without derived rows before the time, and keeps events at or after it', async () => {
  await send([
    view('a'),
    view('b', '2025-07-31T23:59:59.999Z'),
    view('c', recent),
    view('d', '2026-09-01T00:00:00Z'),
  ])
  expect(await drop()).toBe(2)
  expect(Object.keys(await stored())).toEqual(['c', 'd'])
  expect(await countDropped(app.service.db)).toBeGreaterThanOrEqual(2)
})

it('keeps outcomes in full, and of visits and identities only the processed part', async () => {
  await send([
    visit('visit'),
    sale('sale'),
    { ...view('person'), user_traits: { email: 'ana@example.com' } },
    {
      event_name: 'contact',
      idempotency_key: 'trait',
      timestamp: old,
      user_traits: { email: 'eva@example.com' },
    },
    visit('late', recent),
  ])
  await settled()
  const before = await dumpTables(app.service.db, profileId)
  expect(await drop()).toBe(0)
  expect(await stored()).toEqual({
    late: ['identifiers', 'page', 'touch', 'utm'],
    person: ['identifiers', 'settled', 'traits'],
    sale: ['identifiers', 'money', 'page', 'properties'],
    trait: ['identifiers', 'settled', 'traits'],
    visit: ['identifiers', 'settled', 'touch'],
  })
  const { data } = await call(listTrackedEvents, { query: {} })
  expect(data.map((row) => row.page_url)).toHaveLength(5)
  expect(await dumpTables(app.service.db, profileId)).toEqual(before)
})

it('a dropped event that is sent again changes nothing; a changed version is processed', async () => {
  await send([view('a'), view('b'), visit('visit'), sale('sale')])
  expect(await drop()).toBe(2)
  const before = await overview()
  expect(await send([view('a'), view('b'), visit('visit'), sale('sale')])).toEqual(Array(4).fill('unchanged'))
  expect(await overview()).toEqual(before)
  expect(await send([sale('a')])).toEqual(['updated'])
  expect(await overview()).toMatchObject({ revenue: 20, payments: 2 })
  expect(await send([sale('a')])).toEqual(['unchanged'])
  expect(await overview()).toMatchObject({ revenue: 20, payments: 2 })
})

it('dropped and reduced events can be retracted and changed', async () => {
  await send([view('a'), visit('visit'), visit('other'), sale('sale')])
  await drop()
  const retract = async (key: string) => {
    const { data } = await call(retractEvent, { body: { idempotency_key: key } })
    return data
  }
  expect(await retract('a')).toMatchObject({ status: 'retracted', conversions: 0 })
  expect(await send([view('a')])).toEqual(['event_retracted'])
  expect(await retract('visit')).toMatchObject({ status: 'retracted' })
  expect(await send([{ ...visit('other'), utm: { source: 'paper' } }])).toEqual(['updated'])
  await settled()
  const { rows } = await sql<{ utm_source: string }>`
    select utm_source from touches where profile_id = ${profileId}`.execute(app.service.db)
  expect(rows).toEqual([{ utm_source: 'paper' }])
  expect(await retract('sale')).toMatchObject({ status: 'retracted', conversions: 1 })
  expect(await overview()).toMatchObject({ revenue: 0, payments: 0 })
})

it('a later goal does not count settled events, also when they are reprocessed; existing goals continue to count', async () => {
  await send([
    visit('visit'),
    view('a'),
    visit('late', recent),
    { ...view('lead'), event_name: 'lead_created' },
  ])
  await drop()
  await call(createGoal, {
    body: {
      display_name: 'Views',
      conversion_key: 'views',
      source_event_names: ['page_view', 'lead_created'],
      outcome_type: 'view',
      revenue_type: 'pipeline',
      attribution_eligible: true,
    },
  })
  await settled()
  const countedKeys = async () => {
    const { rows } = await sql<{ key: string }>`
      select e.external_id as key from conversions c join events e on e.profile_id = c.profile_id and e.id = c.event_id
      where c.profile_id = ${profileId} and c.outcome_type = 'view' order by 1`.execute(app.service.db)
    return rows.map((row) => row.key)
  }
  expect(await countedKeys()).toEqual(['late', 'lead'])
  await eraseIn(app, profileId, { kind: 'anonymous_id', value: 'visitor of visit' })
  expect(await countedKeys()).toEqual(['late', 'lead'])
  const { data: goals } = await call(listGoals)
  const params = { id: goals.find((goal) => goal.conversion_key === 'views')!.id }
  await call(updateGoal, { params, body: { source_event_names: ['page_view'] } })
  await settled()
  expect(await countedKeys()).toEqual(['late'])
})

it('erases a person whose events were dropped, and no figure changes', async () => {
  const byEva = (event: Sent) => ({
    ...event,
    anonymous_id: 'eva',
    user_traits: { email: 'eva@example.com' },
  })
  await send([
    { ...view('a'), anonymous_id: 'eva' },
    byEva(visit('visit')),
    byEva(sale('sale')),
    { ...visit('b'), anonymous_id: 'eva' },
  ])
  expect(await drop()).toBe(1)
  const before = await overview()
  await eraseIn(app, profileId, { kind: 'email', value: 'eva@example.com' })
  expect(await overview()).toEqual(before)
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(e)::text as text from events e where profile_id = ${profileId}
    union all select to_jsonb(t)::text from identity_traits t where profile_id = ${profileId}`.execute(
    app.service.db,
  )
  expect(rows.filter((row) => /eva/.test(row.text))).toEqual([])
  expect(await send([{ ...view('a'), anonymous_id: 'eva' }])).toEqual(['unchanged'])
})

it('continues where it stopped, also after a run that failed', async () => {
  const { db } = app.service
  const keys = Array.from({ length: 7 }, (_, index) => `key ${index}`)
  await send([...keys.map((key) => view(key)), visit('visit')])
  await settled()
  const part = { profileId, before: HORIZON, now: NOW, most: 3 }
  await dropOldEvents(db, part)
  const remaining = await stored()
  const broken = db.transaction().execute(async (tx) => {
    expect((await dropOldEvents(tx, part)).dropped).toBeGreaterThan(0)
    throw new Error('The process ends here.')
  })
  await expect(broken).rejects.toThrow('ends here')
  expect(await stored()).toEqual(remaining)
  await drop()
  expect(Object.keys(await stored())).toEqual(['visit'])
  const { rows } = await sql<{ dropped: number }>`
    select dropped from raw_event_walks where profile_id = ${profileId}`.execute(db)
  expect(rows).toEqual([{ dropped: 7 }])
})

it('concurrent processes drop each event once', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`)
  await send([...keys.map((key) => view(key)), ...keys.map((key) => visit(`visit ${key}`))])
  const twin = await app.startTwin()
  try {
    await settled()
    const walk = async ({ service: { db } }: TestApp) => {
      for (let dropped = 0; ; ) {
        const walked = await dropOldEvents(db, { profileId, before: HORIZON, now: NOW, most: 4 })
        dropped += walked.dropped
        if (walked.isDone) return dropped
      }
    }
    const dropped = await Promise.all([walk(app), walk(twin), walk(app), walk(twin)])
    expect(dropped.reduce((sum, each) => sum + each)).toBe(40)
    expect(Object.keys(await stored())).toHaveLength(40)
  } finally {
    await twin.close()
  }
})

it('skips a version that is being written and events that wait to be processed', async () => {
  const { db, identityPepper: pepper } = app.service
  await send([view('a'), view('b')])
  await settled()
  const lead = EventInput.parse({ ...view('a'), event_name: 'lead_created' })
  const event = toNewEvent(lead, { profileId, currency: 'EUR', country: null, pepper, now: NOW })
  const dropped = async () => (await dropOldEvents(db, { profileId, before: HORIZON, now: NOW })).dropped
  // The profile's lock prevents processing.
  await db.transaction().execute(async (holder) => {
    await lockProfile(holder, profileId)
    await db.transaction().execute(async (tx) => {
      await writeEvents(tx, { profileId, events: [event as NewEvent] })
      expect(await dropped()).toBe(1)
    })
    await sql`delete from raw_event_walks where profile_id = ${profileId}`.execute(db)
    expect(await dropped()).toBe(0)
  })
  app.service.processor.wake(profileId)
  await settled()
  const { rows } = await sql`select outcome_type from conversions where profile_id = ${profileId}`.execute(db)
  expect(rows).toEqual([{ outcome_type: 'lead_created' }])
  expect(Object.keys(await stored())).toEqual(['a'])
})

it('restarts after 90 days, for events that arrived late with an old date', async () => {
  await send([view('a'), view('b', recent)])
  await drop()
  await send([view('late', '2025-01-01T00:00:00Z')])
  expect(await drop()).toBe(0)
  const later = new Date(NOW.getTime() + 90 * 86_400_000)
  expect(await drop({ now: later })).toBe(0)
  expect(await drop({ now: later })).toBe(1)
})

it('does not affect another profile with the same events', async () => {
  const other = await newProfile()
  const events = [view('a'), visit('visit'), sale('sale')]
  await send(events)
  await send(events, other.call)
  await settled(other.profileId)
  const before = await stored(other.profileId)
  expect(await drop()).toBe(1)
  expect(await stored(other.profileId)).toEqual(before)
  expect(await overview()).toEqual(await overview(other.call, other.profileId))
})

it('a recompute afterwards writes the same tables', async () => {
  await send([
    view('a'),
    visit('a visit'),
    { ...sale('sale', '2025-06-11T10:00:00Z'), anonymous_id: 'visitor of a visit' },
  ])
  await settled()
  const before = await dumpTables(app.service.db, profileId)
  await drop()
  await call(startRecompute, { body: {} })
  await drainJobs(app.service, jobs)
  expect(await dumpTables(app.service.db, profileId)).toEqual(before)
})

it('the removed members do not affect processing', () => {
  const event = {
    id: eventIdOf(profileId, 'a'),
    occurredAt: NOW,
    receivedAt: NOW,
    source: 'api',
    provider: null,
    externalId: null,
    name: 'page_view',
    anonymousId: null,
    sessionId: null,
    isBot: false,
    body: { identifiers: [] },
  } satisfies StoredEvent
  for (const member of unprocessedMembers)
    expect(
      hasEqualProcessedPart(event, { ...event, body: { identifiers: [], [member]: { words: 'others' } } }),
      member,
    ).toBe(true)
})
