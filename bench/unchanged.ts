/**
 * CPU of repeated reports while nothing changed: computed, from the cache, and 304, with ratios to the computed one.
 * Then the cost of moving the change number for writers, compared with a transaction that takes the profile's lock.
 *
 *   node bench/unchanged.ts [conversions=200000] [requests=200]
 */
import { entityId } from '@whence/server/features/facts/ads/entities.ts'
import { sendEvent } from '@whence/server/features/facts/events/contract.ts'
import { createClient } from '@whence/server/platform/contract/client.ts'
import { inTransaction } from '@whence/server/platform/db/database.ts'
import { lockProfile } from '@whence/server/platform/db/profile-lock.ts'
import { fillProfile, recompute, vacuumAndAnalyze } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { rangeQuery } from './latency.ts'
import { openReader } from './reader.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 200_000)
const requests = Number(process.argv[3] ?? 200)
const world = await openWorld()

/** CPU milliseconds of the service and of the database per call. */
async function measureCpu(times: number, work: (index: number) => Promise<void>): Promise<[number, number]> {
  for (let index = 0; index < 20; index++) await work(index)
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const before = process.cpuUsage()
  for (let index = 0; index < times; index++) await work(index)
  const { user, system } = process.cpuUsage(before)
  return [(user + system) / 1000 / times, ((await readDatabaseClock()) * 1000) / times]
}

const reader = openReader()
const authorization = `Bearer ${world.apiKey}`

/** CPU of the same GET request, by a client outside of this process. */
async function measureGet(
  url: string,
  headers: Record<string, string>,
  status = 200,
): Promise<[number, number]> {
  const read = (times: number) =>
    reader.read(Array<string>(times).fill(url), { authorization, ...headers }, status)
  await read(20)
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const before = process.cpuUsage()
  await read(requests)
  const { user, system } = process.cpuUsage(before)
  return [(user + system) / 1000 / requests, ((await readDatabaseClock()) * 1000) / requests]
}

const format = ([service, database]: [number, number]) =>
  `service ${service.toFixed(2)} ms, database ${database.toFixed(2)} ms`

try {
  await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  await world.once(`credit of ${conversions}`, async () => {
    await recompute(world)
    await vacuumAndAnalyze(world)
  })
  const bare = await measureGet(`${world.baseUrl}/healthz`, {})
  console.log(`GET /healthz, the limit: ${format(bare)}`)
  const id = entityId(world.profileId, 'ad', 'a1')
  for (const path of [
    `/campaigns?${rangeQuery(3, 90)}&level=ad&limit=100`,
    `/campaigns/platform-comparison?${rangeQuery(3, 90)}&level=ad`,
    `/campaigns/${id}/conversions?${rangeQuery(3, 90)}&model=linear&limit=100`,
  ]) {
    const url = `${world.baseUrl}/api/v1${path}`
    const computed = await measureGet(url, { 'cache-control': 'no-cache' })
    const cached = await measureGet(url, {})
    const { etag } = await reader.read([url], { authorization })
    const unchanged = await measureGet(url, { 'if-none-match': etag! }, 304)
    const total = ([service, database]: [number, number]) => service + database
    console.log(path.split('?')[0])
    console.log(`  computed: ${format(computed)}`)
    for (const [name, cost] of [
      ['cached', cached],
      ['304', unchanged],
    ] as const)
      console.log(
        `  ${name}: ${format(cost)}; ${(total(cost) - total(bare)).toFixed(2)} ms above the limit, ${(total(cost) / total(computed)).toFixed(3)} of computed`,
      )
  }
  const locking = await measureCpu(1000, () =>
    inTransaction(world.service.db, (tx) => lockProfile(tx, world.profileId)),
  )
  const lockingTwice = await measureCpu(1000, () =>
    inTransaction(world.service.db, async (tx) => {
      await lockProfile(tx, world.profileId)
      await lockProfile(tx, world.profileId)
    }),
  )
  console.log(`a transaction that only takes the lock: ${format(locking)}; twice: ${format(lockingTwice)}`)
  const call = createClient({ baseUrl: world.baseUrl, token: world.apiKey })
  const event = await measureCpu(300, async (index) => {
    await call(sendEvent, {
      body: {
        event_name: 'visit',
        anonymous_id: `unchanged-${index}`,
        idempotency_key: `unchanged-${index}`,
      },
    })
    await world.service.processor.settled(world.profileId)
  })
  console.log(`one event sent and processed alone: ${format(event)}`)
} finally {
  reader.close()
  await world.close()
}
