/**
 * Cost of events on each node of a distributed database, compared with a plain one in the same run, with a verdict for each bar.
 *
 *   CITUS_URL=postgres://… DATABASE_URL=postgres://… node bench/citus.ts [seconds=20] [tenants=30] [events a second=60]
 *
 * Both databases must be empty and on this machine: CPU is read from /proc, by node, of all processes of its server.
 * Single events at a fixed rate, spread over the tenants, of which each worker holds as many, so that the cost per event
 * can be compared however busy the machine is. Plain and Citus take turns, and before each turn's events as long is
 * measured the idle cost, which is subtracted. Then the time of a report, in turns too, and what other reads
 * and jobs cost (`citus-costs.ts`). RESULTS names a file to which a run adds its figures, so that runs with one, two and
 * three workers are compared. With WORKER (host:port as Citus knows it), WORKER_STOP and WORKER_START (commands), last a
 * minute without that worker between two half minutes with it (`citus-worker.ts`). ONLY_WORKER=1 does only that.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { jobs, schedules } from '@whence/server/app.ts'
import { startWorker } from '@whence/server/platform/jobs/worker.ts'
import { type Figures, printBars, saveFigures } from './citus-bars.ts'
import {
  type Cost,
  measured,
  measureJobs,
  measureReads,
  type Server,
  type Tenant,
  withoutIdle,
} from './citus-costs.ts'
import { makeTenants, serversOf } from './citus-tenants.ts'
import { at, settle, traffic } from './citus-traffic.ts'
import { withoutWorker } from './citus-worker.ts'
import { openWorld, type World } from './world.ts'

const seconds = Number(process.argv[2] ?? 20)
const tenants = Number(process.argv[3] ?? 30)
const rate = Number(process.argv[4] ?? 60)
/** A connection's first statements cost a hundred times the later ones: Citus reads its metadata, plans are made. */
const WARM_UP_SECONDS = Number(process.env.WARM_UP ?? 60)
/** Plain and Citus take turns, so that what else the machine does falls on both. */
const ROUNDS = 3
/** What the last events still cause. */
const AFTERMATH_MS = 5000
const REPORTS = 200
const WARM_REPORTS = 20

/** A database with its service and tenants. */
type Side = { name: string; world: World; given: Tenant[]; servers: Server[]; close(): Promise<void> }

async function openSide(name: string, url: string): Promise<Side> {
  const world = await openWorld(
    { SANDBOX: 'off', INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' },
    url,
  )
  const { service } = world
  const worker = startWorker({ service, jobs, schedules })
  service.processor.start()
  service.dispatcher.start()
  const given = await makeTenants(world, tenants)
  const servers = await serversOf(world, url)
  await traffic(world, given, { seconds: WARM_UP_SECONDS, rate })
  await settle(world, given)
  return {
    name,
    world,
    given,
    servers,
    async close() {
      await worker.stop()
      await world.close()
    },
  }
}

async function reportMs({ world, given }: Side): Promise<number> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const started = performance.now()
  const reply = await fetch(
    `${world.baseUrl}/api/v1/reports/overview?model=linear&date_from=${day(89)}&date_to=${day(0)}`,
    { headers: { authorization: `Bearer ${given[0]!.key}` } },
  )
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`The report answered ${reply.status}`)
  return performance.now() - started
}

/** The same question to each side in turns: p50 of each. */
async function reportP50s(sides: readonly Side[]): Promise<number[]> {
  const times = sides.map((): number[] => [])
  for (let time = 0; time < WARM_REPORTS + REPORTS; time++)
    for (const [place, side] of sides.entries()) {
      const ms = await reportMs(side)
      if (time >= WARM_REPORTS) times[place]!.push(ms)
    }
  return times.map((own) =>
    at(
      own.sort((a, b) => a - b),
      0.5,
    ),
  )
}

type Costs = { busy: Cost[]; idle: Cost[] }

async function measureRounds(sides: readonly Side[]): Promise<Costs[]> {
  const sums = sides.map(({ servers }): Costs => ({ busy: servers.map(noCost), idle: servers.map(noCost) }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [place, { world, given, servers }] of sides.entries()) {
      await pause(AFTERMATH_MS)
      const idle = await measured(servers, () => pause((seconds * 1000) / ROUNDS))
      const busy = await measured(servers, async () => {
        await traffic(world, given, { seconds: seconds / ROUNDS, rate })
        await settle(world, given)
      })
      const sum = sums[place]!
      sum.idle = sum.idle.map((cost, server) => plus(cost, idle[server]!))
      sum.busy = sum.busy.map((cost, server) => plus(cost, busy[server]!))
    }
  return sums
}

const noCost = (): Cost => ({ cpuMs: 0, seconds: 0 })
const plus = (a: Cost, b: Cost): Cost => ({ cpuMs: a.cpuMs + b.cpuMs, seconds: a.seconds + b.seconds })

function toFigures(side: Side, { busy, idle }: Costs, reportP50Ms: number): Figures {
  const { given, servers, name } = side
  const events = ROUNDS * Math.ceil((seconds / ROUNDS) * rate)
  const nodes = servers.map((server, place) => {
    const own = given.filter(({ node }) => node === server.name || servers.length === 1).length
    const net = withoutIdle(busy[place]!, idle[place]!) / events
    return {
      name: server.name,
      tenants: own,
      msAnEvent: net,
      msAnOwnEvent: own === 0 ? null : (net * given.length) / own,
      idleMsASecond: idle[place]!.cpuMs / idle[place]!.seconds,
      withIdle: busy[place]!.cpuMs / events,
    }
  })
  return { side: name, events, tenants: given.length, nodes, reportP50Ms, load: loadavg()[0]! }
}

function tell({ side, events, tenants: count, nodes, reportP50Ms, load }: Figures): void {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0).toFixed(2)
  console.log(`${side}: ${events} single events of ${count} tenants, CPU of the database in ms`)
  for (const node of nodes) {
    const own = node.msAnOwnEvent === null ? '' : `, ${node.msAnOwnEvent.toFixed(2)} per event of its own`
    console.log(
      `  ${node.name.padEnd(18)} ${node.msAnEvent.toFixed(2)} an event without idle${own}; idle ${node.idleMsASecond.toFixed(1)} a second; with idle ${node.withIdle.toFixed(2)} an event  (${node.tenants} tenants)`,
    )
  }
  console.log(
    `  total ${sum(nodes.map((node) => node.msAnEvent))} an event without idle, ${sum(nodes.map((node) => node.withIdle))} with it; report p50 ${reportP50Ms.toFixed(1)} ms; load ${load.toFixed(1)}`,
  )
}

async function tellCosts(sides: readonly Side[]): Promise<void> {
  const costs = await measureRounds(sides)
  const p50s = await reportP50s(sides)
  const figures = sides.map((side, place) => toFigures(side, costs[place]!, p50s[place]!))
  for (const [place, side] of sides.entries()) {
    tell(figures[place]!)
    await measureReads(side.world, side.given, side.servers, costs[place]!.idle)
    await measureJobs(side.world, side.given, side.servers)
  }
  printBars(figures, await saveFigures(process.env.RESULTS, figures))
}

const sides: Side[] = []
const { DATABASE_URL, CITUS_URL, ONLY_WORKER, WORKER } = process.env
if (DATABASE_URL !== undefined && ONLY_WORKER === undefined)
  sides.push(await openSide('plain PostgreSQL', DATABASE_URL))
if (CITUS_URL !== undefined) sides.push(await openSide('Citus', CITUS_URL))
if (ONLY_WORKER === undefined) await tellCosts(sides)
const distributed = sides.find(({ world }) => world.service.nodes.isDistributed)
if (distributed !== undefined && WORKER !== undefined)
  await withoutWorker(distributed.world, distributed.given, rate)
for (const side of sides) await side.close()
process.exit(0)
