/**
 * What events cost on each node of a distributed database, beside a plain one in the same run.
 *
 *   CITUS_URL=postgres://… DATABASE_URL=postgres://… node bench/citus.ts [seconds=20] [tenants=30] [events a second=60]
 *
 * Both databases must be empty and on this machine: CPU is read from /proc, by node, of all processes of its server.
 * Single events at a fixed rate, spread over the tenants, of which each worker holds as many, so that the cost per event
 * can be compared however busy the machine is; then what nobody's traffic costs, which is also taken off, the time of a
 * report, and what other reads and jobs cost (`citus-costs.ts`). With WORKER (host:port as Citus knows it), WORKER_STOP and
 * WORKER_START (commands), last a minute without that worker between two half minutes with it. ONLY_WORKER=1 does only that.
 */
import { exec } from 'node:child_process'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { jobs, schedules } from '@whence/server/app.ts'
import { scopes } from '@whence/server/contract/access.ts'
import { mintApiKey } from '@whence/server/features/api-keys/mint.ts'
import { insertProfile } from '@whence/server/features/profiles/operations.ts'
import { startWorker } from '@whence/server/jobs/worker.ts'
import { measured, type Server, type Tenant, tellJobs, tellReads, withoutIdle } from './citus-costs.ts'
import { serverOf } from './cpu.ts'
import { makeEvent } from './traffic.ts'
import { openWorld, type World } from './world.ts'

const seconds = Number(process.argv[2] ?? 20)
const tenants = Number(process.argv[3] ?? 30)
const rate = Number(process.argv[4] ?? 60)
/** A connection's first statements cost a hundred times the later ones: Citus reads its metadata, plans are made. */
const WARM_UP_SECONDS = Number(process.env.WARM_UP ?? 60)
const IDLE_SECONDS = 10
const REPORTS = 60
const AWAY_SECONDS = 60

type Answer = { tenant: Tenant; status: number; ms: number; retryAfter: string | null }

async function serversOf(world: World, url: string): Promise<Server[]> {
  const main = { name: 'coordinator', postmaster: await serverOf(url) }
  if (!world.service.nodes.isDistributed) return [{ ...main, name: 'plain' }]
  const { rows } = await world.pool.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by 1, 2",
  )
  const workers = rows.map(async ({ host, port }) => {
    const at = new URL(url)
    at.host = `${host}:${port}`
    return { name: `${host}:${port}`, postmaster: await serverOf(at.href) }
  })
  return [main, ...(await Promise.all(workers))]
}

async function makeTenants(world: World): Promise<Tenant[]> {
  const { service } = world
  const now = service.clock.now()
  const { rows } = await world.pool.query<{ workspace_id: string }>(
    'select workspace_id from profiles where id = $1',
    [world.profileId],
  )
  const made: Tenant[] = []
  const perNode = Math.ceil(tenants / service.nodes.list().length)
  for (let at = 0; made.length < tenants; at++) {
    const tenant = await service.db.transaction().execute(async (tx) => {
      const workspaceId = rows[0]!.workspace_id
      const { id } = await insertProfile(tx, { now }, { workspaceId, name: `Tenant ${at}`, appId: null })
      const own = scopes.filter((scope) => scope !== 'workspaces:write')
      const { key } = await mintApiKey(service, tx, { profileId: id, name: 'Bench', scopes: own, now })
      return { profileId: id, key }
    })
    const node = (await service.nodes.of(tenant.profileId)).name
    if (made.filter((other) => other.node === node).length < perNode) made.push({ ...tenant, node })
  }
  return made
}

async function sendOne(world: World, tenant: Tenant, id: string): Promise<Answer> {
  const started = performance.now()
  const reply = await fetch(`${world.baseUrl}/api/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(makeEvent(id)),
  })
  await reply.arrayBuffer()
  const ms = performance.now() - started
  return { tenant, status: reply.status, ms, retryAfter: reply.headers.get('retry-after') }
}

/** An event each interval, whatever becomes of those before it. */
async function traffic(world: World, given: readonly Tenant[], lastsSeconds: number): Promise<Answer[]> {
  const run = Math.random().toString(36).slice(2)
  const started = performance.now()
  const answers: Promise<Answer>[] = []
  for (let at = 0; at < lastsSeconds * rate; at++) {
    const wait = started + (at / rate) * 1000 - performance.now()
    if (wait > 0) await pause(wait)
    answers.push(sendOne(world, given[at % given.length]!, `${run}-${at}`))
  }
  return Promise.all(answers)
}

async function settle(world: World, given: readonly Tenant[]): Promise<void> {
  for (const { profileId } of given) await world.service.processor.settled(profileId)
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
const sortedMs = (answers: readonly Answer[]) => answers.map(({ ms }) => ms).sort((a, b) => a - b)

async function reportMs(world: World, tenant: Tenant): Promise<number> {
  const to = new Date().toISOString().slice(0, 10)
  const from = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10)
  const times: number[] = []
  for (let run = 0; run < REPORTS; run++) {
    const started = performance.now()
    const reply = await fetch(
      `${world.baseUrl}/api/v1/reports/overview?model=linear&date_from=${from}&date_to=${to}`,
      {
        headers: { authorization: `Bearer ${tenant.key}` },
      },
    )
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`The report answered ${reply.status}`)
    times.push(performance.now() - started)
  }
  return at(
    times.sort((a, b) => a - b),
    0.5,
  )
}

async function run(name: string, url: string): Promise<void> {
  const world = await openWorld(
    { SANDBOX: 'off', INGEST_PER_SECOND: '1000000', INGEST_BURST: '1000000' },
    url,
  )
  const { service } = world
  const worker = startWorker({ service, jobs, schedules })
  service.processor.start()
  service.dispatcher.start()
  try {
    const given = await makeTenants(world)
    const servers = await serversOf(world, url)
    await traffic(world, given, WARM_UP_SECONDS)
    await settle(world, given)
    if (process.env.ONLY_WORKER === undefined) await tellCosts(name, world, given, servers)
    if (service.nodes.isDistributed && process.env.WORKER !== undefined) await withoutWorker(world, given)
  } finally {
    await worker.stop()
    await world.close()
  }
}

async function tellCosts(
  name: string,
  world: World,
  given: readonly Tenant[],
  servers: readonly Server[],
): Promise<void> {
  const events = seconds * rate
  const costs = await measured(servers, async () => {
    await traffic(world, given, seconds)
    await settle(world, given)
  })
  const idle = await measured(servers, () => pause(IDLE_SECONDS * 1000))
  console.log(`${name}: ${events} single events of ${tenants} tenants`)
  let [total, net] = [0, 0]
  for (const [place, server] of servers.entries()) {
    const own = given.filter(({ node }) => node === server.name || servers.length === 1).length
    const perEvent = costs[place]!.cpuMs / events
    const netPerEvent = withoutIdle(costs[place]!, idle[place]!) / events
    total += perEvent
    net += netPerEvent
    const perOwn = own === 0 ? '' : `, ${((netPerEvent * tenants) / own).toFixed(2)} per event of its own`
    const idlePerSecond = (idle[place]!.cpuMs / idle[place]!.seconds).toFixed(1)
    console.log(
      `  ${server.name.padEnd(18)} ${perEvent.toFixed(2)} ms an event; without idle ${netPerEvent.toFixed(2)}${perOwn}; idle ${idlePerSecond} ms a second  (${own} tenants)`,
    )
  }
  console.log(
    `  total ${total.toFixed(2)} ms an event, without idle ${net.toFixed(2)}; report p50 ${(await reportMs(world, given[0]!)).toFixed(1)} ms; load ${loadavg()[0]!.toFixed(1)}`,
  )
  await tellReads(world, given, servers, idle)
  await tellJobs(world, given, servers)
}

/** Those who lie elsewhere should notice nothing; those who lie there are asked to come again. */
async function withoutWorker(world: World, given: readonly Tenant[]): Promise<void> {
  const { WORKER: name, WORKER_STOP: stop = '', WORKER_START: start = '' } = process.env
  const shell = promisify(exec)
  const here = (answer: Answer) => answer.tenant.node === name
  const before = await traffic(world, given, AWAY_SECONDS / 2)
  await settle(world, given)
  await shell(stop)
  const during = await traffic(world, given, AWAY_SECONDS)
  const ready = await fetch(`${world.baseUrl}/readyz`)
  const metrics = await (await fetch(`${world.baseUrl}/metrics`)).text()
  await shell(start)
  await pause(5000)
  // Its connections are new.
  await traffic(world, given, AWAY_SECONDS / 2)
  await settle(world, given)
  const after = await traffic(world, given, AWAY_SECONDS / 2)
  await settle(world, given)
  const tell = (label: string, answers: readonly Answer[]) => {
    const statuses = Object.entries(Object.groupBy(answers, ({ status }) => status))
      .map(([status, own]) => `${own!.length} × ${status}`)
      .join(', ')
    const without = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter === null).length
    console.log(
      `  ${label.padEnd(34)} ${statuses}  p95 ${at(sortedMs(answers), 0.95).toFixed(0)} ms${without > 0 ? `  ${without} × 503 without Retry-After` : ''}`,
    )
  }
  const there = [...before, ...after]
  for (const [when, answers] of [
    ['before', before],
    ['worker away', during],
    ['after', after],
    ['before and after', there],
  ] as const) {
    tell(
      `${when}, tenants of the others`,
      answers.filter((answer) => !here(answer)),
    )
    tell(`${when}, tenants of the worker`, answers.filter(here))
  }
  console.log(`  /readyz without the worker: ${ready.status}`)
  console.log(
    metrics
      .split('\n')
      .filter((line) => line.startsWith('database_node_up'))
      .map((line) => `  ${line}`)
      .join('\n'),
  )
}

if (process.env.DATABASE_URL !== undefined) await run('plain PostgreSQL', process.env.DATABASE_URL)
if (process.env.CITUS_URL !== undefined) await run('Citus', process.env.CITUS_URL)
process.exit(0)
