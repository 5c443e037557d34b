import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { runSchedule } from '../../../../../test/jobs.ts'
import { makeOwnProfile } from '../../../../../test/make.ts'
import { until } from '../../../../../test/until.ts'
import { jobs } from '../../../../app.ts'
import { readConfig } from '../../../../config.ts'
import type { Client } from '../../../../platform/contract/client.ts'
import { sendEvents } from '../contract.ts'
import { ensureMonths } from '../partitions.ts'
import { walkProfiles } from './jobs.ts'
import { compactMonths } from './months.ts'

/** 400 days earlier is 2025-08-01. */
const NOW = new Date('2026-09-05T03:30:00Z')
const months = ['2025-05', '2025-06', '2025-07', '2025-08'].map((month) => new Date(`${month}-01T00:00:00Z`))

let app: TestApp
let profileId: string
let call: Client
beforeAll(async () => {
  app = await startTestApp({ INGEST_PER_SECOND: '100000', INGEST_BURST: '100000' })
  app.service.clock.now = () => NOW
  await ensureMonths(app.service.db, months)
  ;({ profileId, call } = await makeOwnProfile(app, ['events:write'], { timezone: 'UTC' }))
})
afterAll(() => app.close())
beforeEach(({ skip }) => skip(app.service.nodes.isDistributed, 'on Citus: test/citus/retention.test.ts'))

async function send(day: string, utm: Record<string, string> = {}, count = 1): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    event_name: 'page_view',
    idempotency_key: `${day} ${index} ${JSON.stringify(utm)}`,
    anonymous_id: `visitor ${index}`,
    timestamp: `${day}T10:00:00Z`,
    page: { url: `https://shop.example/${'x'.repeat(500)}` },
    utm,
  }))
  await call(sendEvents, { body: { events } })
  await app.service.processor.settled(profileId)
}

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; size: number }>`
    select c.relname as name, pg_total_relation_size(c.oid) as size from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass order by 1`.execute(app.service.db)
  return Object.fromEntries(rows.map((row) => [row.name, row.size]))
}

async function listCompacted(): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`select month::text from compacted_event_months`.execute(
    app.service.db,
  )
  return rows.map(({ month }) => month)
}

const run = () => runSchedule(app.service, jobs, 'events.drop_old')

it('drops empty months, frees the space of others once no transaction sees their deleted rows, and skips recent ones', async () => {
  await send('2025-05-10', {}, 50)
  await send('2025-06-10', {}, 450)
  await send('2025-06-10', { source: 'letter' }, 5)
  await send('2025-08-10', {}, 20)
  const before = await sizes()
  const holder = await app.service.db.startTransaction().setIsolationLevel('repeatable read').execute()
  await sql`select 1 from profiles`.execute(holder)
  await run()
  const whileHeld = await listCompacted()
  await holder.rollback().execute()
  expect(whileHeld).toEqual([])
  // An autovacuum analyze may hold back the deleted rows too.
  await until(async () => {
    await run()
    return (await listCompacted()).length > 0
  })
  const after = await sizes()
  expect(Object.keys(before)).toContain('events_2025_05')
  expect(Object.keys(after)).not.toContain('events_2025_05')
  expect(Object.keys(after)).not.toContain('events_2025_07')
  expect(after.events_2025_06).toBeLessThan(before.events_2025_06! / 3)
  expect(after.events_2025_08).toBe(before.events_2025_08)
  expect(await listCompacted()).toEqual(['2025-06-01'])
  const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text()
  expect(metrics).toContain('raw_events_dropped 500')
})

it('accepts events of a month that was dropped', async () => {
  await send('2025-05-11', { source: 'letter' })
  await run()
  const { rows } = await sql<{ place: string }>`
    select tableoid::regclass::text as place from events
    where profile_id = ${profileId} and occurred_at < '2025-06-01'`.execute(app.service.db)
  expect(rows).toEqual([{ place: 'events_default' }])
})

it('a locked month is skipped until the next run', async () => {
  await ensureMonths(app.service.db, [new Date('2025-04-01T00:00:00Z')])
  await app.service.db.transaction().execute(async (tx) => {
    await sql`select 1 from events where profile_id = ${profileId}`.execute(tx)
    await run()
  })
  expect(Object.keys(await sizes())).toContain('events_2025_04')
  await run()
  expect(Object.keys(await sizes())).not.toContain('events_2025_04')
})

it('an event that is written while its empty month is dropped is kept', async () => {
  await ensureMonths(app.service.db, [new Date('2025-03-01T00:00:00Z')])
  const insert = sql`insert into events (profile_id, id, occurred_at, received_at, source, name, body)
    values (${profileId}, gen_random_uuid(), '2025-03-10', now(), 'api', 'x', '{}')`
  let running: Promise<void> | undefined
  await app.service.db.transaction().execute(async (tx) => {
    await insert.execute(tx)
    running = compactMonths(app.service.db, { before: months[0]!, now: NOW })
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like 'alter table events detach%'`.execute(app.service.db)
      return rows.length > 0
    }, 20)
  })
  await running
  const { rows } = await sql<{ place: string }>`
    select tableoid::regclass::text as place from events
    where profile_id = ${profileId} and occurred_at < '2025-04-01'`.execute(app.service.db)
  expect(rows).toEqual([{ place: 'events_2025_03' }])
})

it('RAW_EVENT_DAYS=0 drops nothing, and values below 100 are rejected', async () => {
  const twin = await app.startTwin({ env: { RAW_EVENT_DAYS: '0' } })
  try {
    twin.service.clock.now = () => new Date('2031-01-01')
    await runSchedule(twin.service, jobs, 'events.drop_old')
    expect(Object.keys(await sizes())).toContain('events_2025_08')
  } finally {
    await twin.close()
  }
  expect(readConfig({}).RAW_EVENT_DAYS).toBe(400)
  expect(() => readConfig({ RAW_EVENT_DAYS: '30' })).toThrow('RAW_EVENT_DAYS must be 0 or at least 100')
})

it('a run ends after the maximum of transactions, and the next run continues', async () => {
  const { service } = app
  await send('2025-06-12', {}, 8)
  await sql`delete from raw_event_walks`.execute(service.db)
  const walk = () =>
    walkProfiles({ service, db: service.db, now: NOW, signal: new AbortController().signal }, months[3]!, {
      transactions: 2,
      events: 5,
    })
  expect(await walk()).toEqual({ isDone: false, error: undefined })
  expect(await walk()).toEqual({ isDone: true, error: undefined })
  const { rows } = await sql`select 1 from events where profile_id = ${profileId} and name = 'page_view'
    and not body ? 'settled' and occurred_at < '2025-08-01'`.execute(service.db)
  expect(rows).toEqual([])
})
