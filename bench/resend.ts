/**
 * Cost of events that are sent again: new, identical, with a changed word that no credit depends on, and with changed
 * money and ad. Single events, the collector, and batches of 500. Prints rates relative to a bare group commit of the
 * same run, and CPU of service and database until the last event is processed.
 *
 *   node bench/resend.ts [single events=8000] [connections=50] [only routes that contain this text]
 *
 * Batches send five times as many events. Each route sends two series, of which the first warms up the code.
 */
import { startDatabaseClock } from './cpu.ts'
import { bareGroupCommit } from './ingest-limits.ts'
import { send } from './load.ts'
import type { Load } from './sender.ts'
import { openWorld, type World } from './world.ts'

const events = Number(process.argv[2] ?? 8000)
const connections = Number(process.argv[3] ?? 50)
const routeFilter = process.argv[4] ?? ''
const BATCH = 500
const BATCH_CONNECTIONS = 4
const MAX_SECONDS = 300
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

const versions = [
  ['new', undefined],
  ['identical', undefined],
  ['changed: a word', 'word'],
  ['changed: money, ad', 'credit'],
] as const

type Measured = {
  answered: number
  cpu: { service: number; database: number }
  drained: number
  errors: number
}

async function measure(world: World, load: Load): Promise<Measured> {
  const databaseClock = await startDatabaseClock(world.pool)
  const before = process.cpuUsage()
  const result = await send(load)
  const endedMs = performance.now()
  await world.service.processor.settled(world.profileId)
  const { user, system } = process.cpuUsage(before)
  return {
    answered: result.events / result.seconds,
    cpu: {
      service: (user + system) / result.events,
      database: ((await databaseClock()) * 1e6) / result.events,
    },
    drained: (performance.now() - endedMs) / 1000,
    errors: result.errors,
  }
}

const world = await openWorld({ INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' })
try {
  const bare: Load = {
    url: '',
    kind: 'bare',
    headers: {},
    seconds: 3,
    connections,
    batch: 1,
    key: world.trackingKey,
  }
  const grouped = await bareGroupCommit(world.pool, (url) => send({ ...bare, url }))
  const limit = grouped.events / grouped.seconds
  console.log(`bare group commit ${Math.round(limit)}/s`)
  const api = `${world.baseUrl}/api`
  const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' }
  const visitor = { 'content-type': 'text/plain', 'user-agent': BROWSER }
  const load = { ...bare, headers, batch: BATCH, seconds: MAX_SECONDS, events }
  const batch = { connections: BATCH_CONNECTIONS, events: 5 * events }
  const loads: [string, Load][] = [
    ['single', { ...load, url: `${api}/v1/events`, kind: 'event' }],
    ['collector', { ...load, url: `${api}/tracking/collect`, kind: 'collect', headers: visitor }],
    [`batches of ${BATCH}`, { ...load, ...batch, url: `${api}/v1/events/batch`, kind: 'batch' }],
  ]
  for (const [name, each] of loads.filter(([name]) => name.includes(routeFilter)))
    for (const series of ['warm-up', 'measured']) {
      const at = new Date().toISOString()
      let first: number | undefined
      for (const [version, change] of versions) {
        const namedSeries = { name: `${name} ${series} ${at}`, at, ...(change && { change }) }
        const { answered, cpu, drained, errors } = await measure(world, { ...each, series: namedSeries })
        const total = cpu.service + cpu.database
        first ??= total
        console.log(
          [
            series.padEnd(8),
            name.padEnd(14),
            version.padEnd(18),
            `${Math.round(answered).toLocaleString('en').padStart(7)}/s`,
            `${(answered / limit).toFixed(2)} of bare`,
            `CPU ${cpu.service.toFixed(0)} + ${cpu.database.toFixed(0)} = ${total.toFixed(0)} µs`,
            `${(total / first).toFixed(2)} of new`,
            `processed ${drained.toFixed(2)} s later`,
            `errors ${errors}`,
          ].join('  '),
        )
      }
    }
} finally {
  await world.close()
}
