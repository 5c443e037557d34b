/**
 * Durable ingest: events per second through the whole HTTP path, each answered after its commit, and the time until the
 * queue is empty after the last one. Two limits are measured in the same run: a bare HTTP server, and a bare server that
 * commits one row per request in groups. CPU per event is printed by process (service, database, sender): on two cores it
 * decides the rate, and it depends less than time on other load of the machine.
 *
 *   node bench/ingest.ts [seconds=8] [connections=64] [only routes that contain this text]
 *
 * Each route is warmed up first: V8 recompiles the code during the first 15,000 or so requests, which then cost a third
 * less. At the end, one event is changed and the time until a report shows the change is printed.
 */
import { startDatabaseClock } from './cpu.ts'
import { bareGroupCommit, bareHttp } from './ingest-limits.ts'
import { send } from './load.ts'
import type { Load, Result } from './sender.ts'
import { timeUntilVisible } from './visible.ts'
import { openWorld } from './world.ts'

const seconds = Number(process.argv[2] ?? 8)
const connections = Number(process.argv[3] ?? 64)
const BATCH = 500
const BATCH_CONNECTIONS = 8
const WARM_UP = { seconds: 10, events: 30_000 }
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

type Cost = { service: number; database: number }

function report(name: string, result: Result, cost: Cost | null, limit: number): void {
  const rate = result.events / result.seconds
  const each = (cpuSeconds: number) => `${((cpuSeconds / result.events) * 1e6).toFixed(0)} µs`
  const columns = [
    name.padEnd(30),
    `${Math.round(rate).toLocaleString('en').padStart(8)}/s`,
    `p50 ${result.p50.toFixed(1)} ms  p95 ${result.p95.toFixed(1)} ms  p99 ${result.p99.toFixed(1)} ms`,
    `errors ${result.errors}`,
    `${(rate / limit).toFixed(2)} of bare group commit`,
  ]
  if (cost !== null)
    columns.push(
      `CPU/event: service ${each(cost.service)}, database ${each(cost.database)}, sender ${each(result.cpuSeconds)}`,
    )
  console.log(columns.join('  '))
}

const shape = { headers: {}, seconds: Math.min(3, seconds), connections, batch: 1, key: '' }
const empty = await bareHttp((url) => send({ ...shape, url, kind: 'bare' }))
const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
try {
  const grouped = await bareGroupCommit(world.pool, (url) => send({ ...shape, url, kind: 'bare' }))
  const limit = grouped.events / grouped.seconds
  report('bare HTTP server', empty, null, limit)
  report('bare group commit', grouped, null, limit)

  const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' }
  // Without a user agent the visitor counts as a bot, and a bot's visits create no touches.
  const visitor = { 'content-type': 'text/plain', 'user-agent': BROWSER }
  const load = { headers, seconds, connections, batch: BATCH, key: world.trackingKey }
  const api = `${world.baseUrl}/api`
  const loads: [string, Load][] = [
    ['POST /events', { ...load, url: `${api}/v1/events`, kind: 'event' }],
    [
      'POST /api/tracking/collect',
      { ...load, url: `${api}/tracking/collect`, kind: 'collect', headers: visitor },
    ],
    [
      `POST /events/batch (${BATCH})`,
      { ...load, url: `${api}/v1/events/batch`, kind: 'batch', connections: BATCH_CONNECTIONS },
    ],
  ]
  for (const [name, each] of loads.filter(([name]) => name.includes(process.argv[4] ?? ''))) {
    await send({ ...each, ...WARM_UP })
    await world.service.processor.settled(world.profileId)
    const databaseClock = await startDatabaseClock(world.pool)
    const before = process.cpuUsage()
    const result = await send(each)
    const ended = performance.now()
    await world.service.processor.settled(world.profileId)
    const drained = (performance.now() - ended) / 1000
    const { user, system } = process.cpuUsage(before)
    const cost = { service: (user + system) / 1e6, database: await databaseClock() }
    report(name, result, cost, limit)
    console.log(`${''.padEnd(30)} pipeline empty ${drained.toFixed(2)} s after the last event`)
  }
  const visible = await timeUntilVisible(world)
  console.log(`one changed event is in the report after ${visible.toFixed(0)} ms`)
} finally {
  await world.close()
}
