/**
 * Whether an event costs the same in a large profile as in a small one: CPU per event of the service
 * and the database, from writing to credits, with 10,000 events stored and with more.
 *
 *   node bench/ingest-growth.ts [most=1000000]
 */
import { randomBytes } from 'node:crypto'
import { processBatch } from '@whence/server/features/attribution/process.ts'
import { EventInput } from '@whence/server/features/events/contract.ts'
import { writeEvents } from '@whence/server/features/events/queries.ts'
import { toNewEvent } from '@whence/server/features/events/rules.ts'
import { startDatabaseClock } from './cpu.ts'
import { makeEvent } from './traffic.ts'
import { openWorld, type World } from './world.ts'

const most = Number(process.argv[2] ?? 1_000_000)
const WINDOW = 10_000
const PER_WRITE = 1000
const BATCH = 4000

async function addEvents(world: World, count: number): Promise<void> {
  const { service, profileId } = world
  for (let done = 0; done < count; ) {
    const upTo = Math.min(count, done + BATCH)
    for (; done < upTo; done += PER_WRITE) {
      const setting = { profileId, currency: 'EUR', pepper: service.identityPepper, now: new Date() }
      const events = Array.from({ length: Math.min(PER_WRITE, upTo - done) }, () =>
        toNewEvent(EventInput.parse(makeEvent(randomBytes(12).toString('hex'))), setting),
      )
      await writeEvents(service.db, { profileId, events })
    }
    while (((await processBatch(service, profileId)) ?? 0) > 0);
  }
}

const world = await openWorld()
try {
  let stored = 0
  let first: number | undefined
  for (let stage = WINDOW; stage <= most; stage *= 10) {
    await addEvents(world, stage - stored)
    const databaseClock = await startDatabaseClock(world.pool)
    const before = process.cpuUsage()
    await addEvents(world, WINDOW)
    const own = process.cpuUsage(before)
    const each = ((own.user + own.system) / 1e6 + (await databaseClock())) / WINDOW
    first ??= each
    stored = stage + WINDOW
    console.log(
      `${stage.toLocaleString('en').padStart(10)} events stored: ${(each * 1e6).toFixed(0)} µs of CPU an event, ${(each / first).toFixed(2)} of the first`,
    )
  }
} finally {
  await world.close()
}
