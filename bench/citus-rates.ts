/**
 * Database CPU per event on Citus relative to plain PostgreSQL, at several rates and numbers of processes.
 *
 *   CITUS_URL=postgres://… DATABASE_URL=postgres://… node bench/citus-rates.ts [seconds=10] [tenants=8] [rates=30,200,full] [processes=1,2]
 *
 * Both databases must be empty and on this machine: CPU is read from /proc. `full` is eight connections that send one
 * event after the other. For each number of processes and each rate a whole service is started on one database, then on
 * the other. "Cold" is the first window after the start, "warm" the fourth. The idle cost of the same service is
 * subtracted.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type OpenDatabase, openDatabase } from '@whence/server/platform/db/database.ts'
import { printBar } from './citus-bars.ts'
import { type Cost, measureCosts, type Server, type Tenant, withoutIdle } from './citus-costs.ts'
import { findServers, makeTenants } from './citus-tenants.ts'
import { sendAll, sendSteadily } from './citus-traffic.ts'
import { prepare, readProcessCpu, start, type WorldKeys } from './whole-service.ts'

const seconds = Number(process.argv[2] ?? 10)
const tenantCount = Number(process.argv[3] ?? 8)
const rates = (process.argv[4] ?? '30,200,full').split(',')
const processCounts = (process.argv[5] ?? '1,2').split(',')
const CONNECTIONS = 8
const BAR = 1.5
/** Pause for the background work of a service that has just started. */
const START_MS = 3000

type Side = { name: string; url: string; dir: string; keys: WorldKeys; tenants: Tenant[]; servers: Server[] }
type Figures = { events: number; perEvent: number[]; total: number; serviceMs: number }

async function openSide(name: string, url: string): Promise<Side> {
  const dir = await mkdtemp(join(tmpdir(), 'whence-bench-'))
  let tenants: Tenant[] = []
  let servers: Server[] = []
  const keys = await prepare(dir, url, async (world) => {
    tenants = await makeTenants(world, tenantCount)
    servers = await findServers(world, url)
  })
  return { name, url, dir, keys, tenants, servers }
}

/** Waits until the queue is empty. Polls rarely, because on Citus this queries every shard. */
async function waitUntilDrained(pool: OpenDatabase['pool']): Promise<void> {
  for (;;) {
    if ((await pool.query('select 1 from event_queue limit 1')).rowCount === 0) return
    await pause(1000)
  }
}

async function measureSide(side: Side, rate: string, processes: string): Promise<[Figures, Figures]> {
  const { baseUrl, service } = await start(side.url, side.keys, processes)
  const { pool, close } = openDatabase({ connectionString: side.url, max: 1 })
  const send = (spanSeconds: number) =>
    rate === 'full'
      ? sendAll({ baseUrl }, side.tenants, { seconds: spanSeconds, connections: CONNECTIONS })
      : sendSteadily({ baseUrl }, side.tenants, { seconds: spanSeconds, rate: Number(rate) })
  const window = async (idle: readonly Cost[]): Promise<Figures> => {
    const before = readProcessCpu(service.pid!)
    let events = 0
    const busy = await measureCosts(side.servers, async () => {
      const answers = await send(seconds)
      const failedAnswer = answers.find(({ status }) => status !== 202)
      if (failedAnswer !== undefined) throw new Error(`An event was answered ${failedAnswer.status}`)
      events = answers.length
      await waitUntilDrained(pool)
    })
    const perEvent = busy.map((cost, index) => withoutIdle(cost, idle[index]!) / events)
    const total = perEvent.reduce((sum, ms) => sum + ms, 0)
    return { events, perEvent, total, serviceMs: (readProcessCpu(service.pid!) - before) / events }
  }
  try {
    await pause(START_MS)
    const idle = await measureCosts(side.servers, () => pause(seconds * 1000))
    const cold = await window(idle)
    await send(2 * seconds)
    await waitUntilDrained(pool)
    return [cold, await window(idle)]
  } finally {
    await close()
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
}

function printFigures(label: string, { servers }: Side, figures: Figures): void {
  const nodes = servers.map(({ name }, index) => `${name} ${figures.perEvent[index]!.toFixed(2)}`)
  console.log(
    `  ${label}: ${figures.events} events, database ${figures.total.toFixed(2)} ms an event (${nodes.join(', ')}), service ${figures.serviceMs.toFixed(2)} ms`,
  )
}

const { DATABASE_URL, CITUS_URL } = process.env
if (DATABASE_URL === undefined || CITUS_URL === undefined)
  throw new Error('Set DATABASE_URL and CITUS_URL to the two databases.')
const sides = [await openSide('plain', DATABASE_URL), await openSide('Citus', CITUS_URL)]
for (const processes of processCounts)
  for (const rate of rates) {
    console.log(
      `${rate === 'full' ? 'as fast as it goes' : `${rate} events a second`}, PROCESSES=${processes}`,
    )
    const figures: [Figures, Figures][] = []
    for (const side of sides) figures.push(await measureSide(side, rate, processes))
    for (const [when, label] of ['cold', 'warm'].entries()) {
      for (const [index, side] of sides.entries())
        printFigures(`${label}, ${side.name}`, side, figures[index]![when]!)
      const ratio = figures[1]![when]!.total / figures[0]![when]!.total
      printBar(`${label}, Citus / plain`, ratio, ratio <= BAR, `≤ ${BAR}`)
    }
  }
for (const { dir } of sides) await rm(dir, { recursive: true, force: true })
