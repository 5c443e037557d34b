/** Cost of reads and jobs on each node, for citus.ts. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from '@whence/server/platform/contract/job.ts'
import { countJobs } from '@whence/server/platform/jobs/dead.ts'
import { enqueueMany } from '@whence/server/platform/jobs/enqueue.ts'
import { startWorker } from '@whence/server/platform/jobs/worker.ts'
import { z } from 'zod'
import { readServerCpu } from './cpu.ts'
import type { World } from './world.ts'

export type Tenant = { profileId: string; key: string; node: string }
export type Server = { name: string; postmaster: number }
export type Cost = { cpuMs: number; seconds: number }

const READS = 30
const JOBS = 2000
const IDLE_SECONDS = 10

export async function measureCosts(
  servers: readonly Server[],
  work: () => Promise<unknown>,
): Promise<Cost[]> {
  const started = performance.now()
  const before = servers.map(({ postmaster }) => readServerCpu(postmaster))
  await work()
  const seconds = (performance.now() - started) / 1000
  return servers.map(({ postmaster }, index) => ({
    cpuMs: readServerCpu(postmaster) - before[index]!,
    seconds,
  }))
}

/** Cost of the work minus the idle cost of each node in the same run. */
export const withoutIdle = (cost: Cost, idle: Cost) => cost.cpuMs - (idle.cpuMs / idle.seconds) * cost.seconds

function printCosts(label: string, servers: readonly Server[], costs: readonly Cost[], count: number): void {
  const parts = servers.map(({ name }, index) => `${name} ${(costs[index]!.cpuMs / count).toFixed(2)}`)
  console.log(`  ${label}: ${parts.join(', ')}`)
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const range = `date_from=${day(89)}&date_to=${day(0)}`
/** Reads of one profile, other than the overview. */
const reads = [
  `/campaigns?${range}`,
  `/reports/channels?${range}`,
  `/reports/cohorts?${range}`,
  '/goals',
  '/customers',
  '/visitors',
  '/realtime',
  '/tracking/events',
  '/connections',
  '/top-performers',
  '/exports/runs',
]

/** Reads of the first tenant on each node, so that all connections have the plans after a few rounds. */
export async function measureReads(
  world: World,
  tenants: readonly Tenant[],
  servers: readonly Server[],
  idle: readonly Cost[],
): Promise<void> {
  const firstTenants = [...Map.groupBy(tenants, ({ node }) => node).values()].map(([first]) => first!)
  const round = async () => {
    for (const path of reads)
      for (const { key } of firstTenants) {
        const reply = await fetch(`${world.baseUrl}/api/v1${path}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        await reply.arrayBuffer()
        if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`)
      }
  }
  for (let warm = 0; warm < 10; warm++) await round()
  const costs = await measureCosts(servers, async () => {
    for (let time = 0; time < READS; time++) await round()
  })
  const net = costs.map((cost, index) => ({ ...cost, cpuMs: withoutIdle(cost, idle[index]!) }))
  printCosts('CPU ms a read, without idle', servers, net, READS * reads.length * firstTenants.length)
}

/** Cost of jobs that do nothing, and of a second of polling an empty queue. */
export async function measureJobs(
  { service }: World,
  tenants: readonly Tenant[],
  servers: readonly Server[],
): Promise<void> {
  const nothing: Job = { name: 'bench.nothing', payload: z.object({}), run: async () => {} }
  const queue = (count: number) =>
    enqueueMany(
      service.db,
      nothing,
      Array.from({ length: count }, (_, n) => ({
        payload: {},
        profileId: tenants[n % tenants.length]!.profileId,
      })),
    )
  const idle = await measureCosts(servers, () => pause(IDLE_SECONDS * 1000))
  const worker = startWorker({ service, jobs: [nothing] })
  try {
    const polling = await measureCosts(servers, () => pause(IDLE_SECONDS * 1000))
    const difference = polling.map((cost, index) => ({ ...cost, cpuMs: cost.cpuMs - idle[index]!.cpuMs }))
    printCosts('CPU ms a second of one more process that polls jobs', servers, difference, IDLE_SECONDS)
    const costs = await measureCosts(servers, async () => {
      await queue(JOBS)
      for (;;) {
        const { ready, running } = await countJobs(service.db)
        if (ready + running === 0) return
        await pause(50)
      }
    })
    printCosts('CPU ms a job', servers, costs, JOBS)
  } finally {
    await worker.stop()
  }
}
