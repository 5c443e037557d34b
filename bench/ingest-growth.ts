/**
 * Cost of an event as a profile grows: CPU of the service and the database per event, from ingest to credits, with
 * 10,000 and more events stored. The first 100,000 events are sent; beyond, customers and events are copied in the
 * tables. With BENCH_DIR a later run measures the largest size again. Also printed per size: bytes of log and full-page
 * images (by relation where the extension pg_walinspect is available: PostgreSQL 16 or newer, and the embedded one),
 * pages accessed, and statements where BENCH_SETTINGS loads pg_stat_statements.
 *
 *   node bench/ingest-growth.ts [most=1000000] [then=0]
 *
 * VISITS=timed sends visits, leads and orders like the tracker, half of them of new visitors, the others of the last
 * 2,000. VISITS=random sends the same with random ids instead of ids that begin with their time. Only the largest size
 * is measured then.
 *
 * `then` more events follow with only the checkpoints that the database makes itself: the cost of whole cycles.
 */
import { randomBytes } from 'node:crypto'
import { processBatch } from '@whence/server/features/attribution/pipeline/process.ts'
import { EventInput } from '@whence/server/features/facts/events/contract.ts'
import { writeEvents } from '@whence/server/features/facts/events/queries.ts'
import { toNewEvent } from '@whence/server/features/facts/events/rules.ts'
import type { IdentityScope } from '@whence/server/features/facts/identity/identifiers.ts'
import { toTrackedEvent } from '@whence/server/features/sources/tracking/to-event.ts'
import { WireEvent } from '@whence/server/features/sources/tracking/wire.ts'
import { accepted } from '@whence/server/platform/contract/refusal.ts'
import { startDatabaseClock } from './cpu.ts'
import { startLogClock } from './log-volume.ts'
import { multiplyProfile } from './multiply.ts'
import { startPageClock } from './page-reads.ts'
import { makeEvent, makeVisits } from './traffic.ts'
import { openWorld, type World } from './world.ts'

const most = Number(process.argv[2] ?? 1_000_000)
const afterwards = Number(process.argv[3] ?? 0)
const ids = process.env.VISITS
const nextVisit = ids === undefined ? undefined : makeVisits(ids === 'timed')
const WINDOW = 10_000
const COPIED_FROM = 100_000
const STAGES = [10_000, 100_000, 1_000_000, 10_000_000, 30_000_000]
const PER_WRITE = 1000
const BATCH = 4000

async function addEvents(world: World, count: number): Promise<void> {
  const { service, profileId } = world
  for (let done = 0; done < count; ) {
    const upTo = Math.min(count, done + BATCH)
    for (; done < upTo; done += PER_WRITE) {
      const setting = {
        profileId,
        currency: 'EUR',
        country: null,
        pepper: service.identityPepper,
        now: new Date(),
      }
      const events = Array.from({ length: Math.min(PER_WRITE, upTo - done) }, () =>
        nextVisit === undefined
          ? accepted(toNewEvent(EventInput.parse(makeEvent(randomBytes(12).toString('hex'))), setting))
          : toEvent(nextVisit(), setting),
      )
      await writeEvents(service.db, { profileId, events })
    }
    while (((await processBatch(service, profileId))?.taken ?? 0) > 0);
  }
}

function toEvent(visit: unknown, setting: IdentityScope & { currency: string; now: Date }) {
  const reading = toTrackedEvent(WireEvent.parse(visit), {
    ...setting,
    isBot: false,
    device: {},
    ownDomains: [],
    userAgent: '',
    exportedNames: new Set(),
  })
  if (!reading.ok) throw new Error(reading.message)
  return reading.event
}

async function countEvents(world: World): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'select count(*)::int as count from event_keys where profile_id = $1',
    [world.profileId],
  )
  return rows[0]!.count
}

async function grow(world: World, stored: number, target: number): Promise<void> {
  if (stored < COPIED_FROM) await addEvents(world, target - stored)
  else await multiplyProfile(world, Math.round(target / stored))
}

/** CPU seconds per event, and the log and pages of the whole window. */
async function measure(world: World, count = WINDOW) {
  const databaseClock = await startDatabaseClock(world.pool)
  const logClock = await startLogClock(world.pool)
  const pageClock = await startPageClock(world.pool)
  const before = process.cpuUsage()
  await addEvents(world, count)
  const { user, system } = process.cpuUsage(before)
  const service = (user + system) / 1e6 / count
  const database = (await databaseClock()) / count
  return { service, database, log: await logClock(), pages: await pageClock() }
}

async function countCheckpoints(world: World): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'select (num_timed + num_requested)::int as count from pg_stat_checkpointer',
  )
  return rows[0]!.count
}

const world = await openWorld()
try {
  let first: number | undefined
  let stored = await countEvents(world)
  for (const stage of STAGES.filter((size) => (ids === undefined ? size <= most : size === most))) {
    if (stored > stage * 2 && stage < most) continue
    if (stored < stage * 0.9) await grow(world, stored, stage)
    // After a checkpoint the first change of a page logs the whole page.
    await world.run('checkpoint')
    for (const when of ['after a checkpoint', 'then']) {
      stored = await countEvents(world)
      const { service, database, log, pages } = await measure(world)
      const cost = service + database
      first ??= cost
      console.log(
        `${stored.toLocaleString('en').padStart(10)} events stored, ${when}: ${(service * 1e6).toFixed(0)} + ${(database * 1e6).toFixed(0)} µs of CPU an event, ${(cost / first).toFixed(2)} of the first`,
      )
      console.log(
        `  per ${WINDOW.toLocaleString('en')} events ${log.images.toLocaleString('en')} full-page images, ${(log.bytes / 1e6).toFixed(1)} MB of log`,
      )
      for (const { relation, images } of log.relations) console.log(`    ${relation} ${images}`)
      const each = (count: number) => (count / WINDOW).toFixed(1)
      console.log(
        `  an event accesses ${each(pages.indexes.pages)} pages of indexes and ${each(pages.tables.pages)} of tables, of which ${each(pages.indexes.read)} and ${each(pages.tables.read)} were not in shared memory; ${pages.statements ?? 'unknown'} statements`,
      )
      for (const { relation, hits, read } of pages.most)
        console.log(`    ${relation} ${each(hits + read)}, ${each(read)} not in memory`)
    }
    stored += WINDOW
  }
  if (afterwards > 0) {
    const before = await countCheckpoints(world)
    const { service, database, log } = await measure(world, afterwards)
    const share = WINDOW / afterwards
    console.log(
      `${afterwards.toLocaleString('en')} more, ${(await countCheckpoints(world)) - before} checkpoints: ${(service * 1e6).toFixed(0)} + ${(database * 1e6).toFixed(0)} µs of CPU an event, per ${WINDOW.toLocaleString('en')} ${Math.round(log.images * share).toLocaleString('en')} full-page images, ${((log.bytes * share) / 1e6).toFixed(1)} MB of log`,
    )
  }
} finally {
  await world.close()
}
