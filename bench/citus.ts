/**
 * Cost of events on each node of a distributed database, compared with a plain one in the same run and with limits.
 *
 *   CITUS_URL=postgres://… DATABASE_URL=postgres://… node bench/citus.ts [seconds=20] [tenants=30] [events a second=60]
 *
 * Both databases must be empty and on this machine: CPU is read from /proc, for all processes of each node's server.
 * Single events are sent at a fixed rate to the tenants, whose number is the same on each worker. Plain and Citus take
 * turns; the idle cost is measured before each turn and subtracted. Then the latency of a report, also in turns, and the
 * cost of other reads and jobs (`citus-costs.ts`). RESULTS is a file to which a run adds its figures, so that runs with
 * one, two and three workers can be compared. With WORKER (host:port as in Citus), WORKER_STOP and WORKER_START
 * (commands) a minute without that worker follows, between two half minutes with it (`citus-worker.ts`). ONLY_WORKER=1
 * runs only that part.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { jobs, schedules } from '@whence/server/app.ts'
import { startWorker } from '@whence/server/platform/jobs/worker.ts'
import { type Figures, printBars, saveFigures } from './citus-bars.ts'
import {
  type Cost,
  measureCosts,
  measureJobs,
  measureReads,
  type Server,
  type Tenant,
  withoutIdle,
} from './citus-costs.ts'
import { findServers, makeTenants } from './citus-tenants.ts'
import { at, sendSteadily, settle } from './citus-traffic.ts'
import { measureWithoutWorker } from './citus-worker.ts'
import { openWorld, type World } from './world.ts'

const seconds = Number(process.argv[2] ?? 20)
const tenantCount = Number(process.argv[3] ?? 30)
const rate = Number(process.argv[4] ?? 60)
/** A connection's first statements cost a hundred times the later ones: Citus reads its metadata and creates plans. */
const WARM_UP_SECONDS = Number(process.env.WARM_UP ?? 60)
/** Plain and Citus take turns, so that other load on the machine affects both. */
const ROUNDS = 3
/** Pause for background work that the last events cause. */
const AFTERMATH_MS = 5000
const REPORTS = 200
const WARM_REPORTS = 20

/** A database with its service and tenants. */
type Side = { name: string; world: World; tenants: Tenant[]; servers: Server[]; close(): Promise<void> }

async function openSide(name: string, url: string): Promise<Side> {
  const world = await openWorld(
    { SANDBOX: 'off', INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' },
    url,
  )
  const { service } = world
  const worker = startWorker({ service, jobs, schedules })
  service.processor.start()
  service.dispatcher.start()
  const tenants = await makeTenants(world, tenantCount)
  const servers = await findServers(world, url)
  await sendSteadily(world, tenants, { seconds: WARM_UP_SECONDS, rate })
  await settle(world, tenants)
  return {
    name,
    world,
    tenants,
    servers,
    async close() {
      await worker.stop()
      await world.close()
    },
  }
}

async function measureReport({ world, tenants }: Side): Promise<number> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const started = performance.now()
  const reply = await fetch(
    `${world.baseUrl}/api/v1/reports/overview?model=linear&date_from=${day(89)}&date_to=${day(0)}`,
    { headers: { authorization: `Bearer ${tenants[0]!.key}` } },
  )
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`The report answered ${reply.status}`)
  return performance.now() - started
}

/** p50 of the same report on each side, in turns. */
async function measureReports(sides: readonly Side[]): Promise<number[]> {
  const times = sides.map((): number[] => [])
  for (let time = 0; time < WARM_REPORTS + REPORTS; time++)
    for (const [index, side] of sides.entries()) {
      const ms = await measureReport(side)
      if (time >= WARM_REPORTS) times[index]!.push(ms)
    }
  return times.map((each) =>
    at(
      each.sort((a, b) => a - b),
      0.5,
    ),
  )
}

type Costs = { busy: Cost[]; idle: Cost[] }

async function measureRounds(sides: readonly Side[]): Promise<Costs[]> {
  const sums = sides.map(({ servers }): Costs => ({ busy: servers.map(noCost), idle: servers.map(noCost) }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { world, tenants, servers }] of sides.entries()) {
      await pause(AFTERMATH_MS)
      const idle = await measureCosts(servers, () => pause((seconds * 1000) / ROUNDS))
      const busy = await measureCosts(servers, async () => {
        await sendSteadily(world, tenants, { seconds: seconds / ROUNDS, rate })
        await settle(world, tenants)
      })
      const sum = sums[index]!
      sum.idle = sum.idle.map((cost, server) => plus(cost, idle[server]!))
      sum.busy = sum.busy.map((cost, server) => plus(cost, busy[server]!))
    }
  return sums
}

const noCost = (): Cost => ({ cpuMs: 0, seconds: 0 })
const plus = (a: Cost, b: Cost): Cost => ({ cpuMs: a.cpuMs + b.cpuMs, seconds: a.seconds + b.seconds })

function toFigures(side: Side, { busy, idle }: Costs, reportP50Ms: number): Figures {
  const { tenants, servers, name } = side
  const events = ROUNDS * Math.ceil((seconds / ROUNDS) * rate)
  const nodes = servers.map((server, index) => {
    const tenantsHere = tenants.filter(({ node }) => node === server.name || servers.length === 1).length
    const net = withoutIdle(busy[index]!, idle[index]!) / events
    return {
      name: server.name,
      tenants: tenantsHere,
      msAnEvent: net,
      msAnOwnEvent: tenantsHere === 0 ? null : (net * tenants.length) / tenantsHere,
      idleMsASecond: idle[index]!.cpuMs / idle[index]!.seconds,
      withIdle: busy[index]!.cpuMs / events,
    }
  })
  return { side: name, events, tenants: tenants.length, nodes, reportP50Ms, load: loadavg()[0]! }
}

function printFigures({ side, events, tenants: count, nodes, reportP50Ms, load }: Figures): void {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0).toFixed(2)
  console.log(`${side}: ${events} single events of ${count} tenants, CPU of the database in ms`)
  for (const node of nodes) {
    const perOwnEvent =
      node.msAnOwnEvent === null ? '' : `, ${node.msAnOwnEvent.toFixed(2)} per event of its own tenants`
    console.log(
      `  ${node.name.padEnd(18)} ${node.msAnEvent.toFixed(2)} an event without idle${perOwnEvent}; idle ${node.idleMsASecond.toFixed(1)} a second; with idle ${node.withIdle.toFixed(2)} an event  (${node.tenants} tenants)`,
    )
  }
  console.log(
    `  total ${sum(nodes.map((node) => node.msAnEvent))} an event without idle, ${sum(nodes.map((node) => node.withIdle))} with it; report p50 ${reportP50Ms.toFixed(1)} ms; load ${load.toFixed(1)}`,
  )
}

async function compareCosts(sides: readonly Side[]): Promise<void> {
  const costs = await measureRounds(sides)
  const p50s = await measureReports(sides)
  const figures = sides.map((side, index) => toFigures(side, costs[index]!, p50s[index]!))
  for (const [index, side] of sides.entries()) {
    printFigures(figures[index]!)
    await measureReads(side.world, side.tenants, side.servers, costs[index]!.idle)
    await measureJobs(side.world, side.tenants, side.servers)
  }
  printBars(figures, await saveFigures(process.env.RESULTS, figures))
}

const sides: Side[] = []
const { DATABASE_URL, CITUS_URL, ONLY_WORKER, WORKER } = process.env
if (DATABASE_URL !== undefined && ONLY_WORKER === undefined)
  sides.push(await openSide('plain PostgreSQL', DATABASE_URL))
if (CITUS_URL !== undefined) sides.push(await openSide('Citus', CITUS_URL))
if (ONLY_WORKER === undefined) await compareCosts(sides)
const distributed = sides.find(({ world }) => world.service.nodes.isDistributed)
if (distributed !== undefined && WORKER !== undefined)
  await measureWithoutWorker(distributed.world, distributed.tenants, rate)
for (const side of sides) await side.close()
process.exit(0)
