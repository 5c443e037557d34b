/**
 * Runs jobs. Two pools claim independently, one for short and one for slow jobs. The batch size of a claim follows
 * the number of recently finished jobs, and finished jobs are completed in one statement, so a busy worker uses
 * large batches while an idle one starts a job within one poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import type { Job, Schedule } from '../contract/job.ts'
import { extendLeases, type Leased } from '../db/lease.ts'
import type { Metrics } from '../http/metrics.ts'
import { type ClaimedJob, claim, promoteDue } from './claim.ts'
import { quickLanes, slowLanes } from './enqueue.ts'
import { runJob } from './run.ts'
import { enqueueDueSchedules, registerSchedules } from './schedule.ts'
import { complete, fail, reapExpired, release } from './settle.ts'

export type WorkerOptions = {
  service: Service
  jobs: readonly Job[]
  schedules?: readonly Schedule[]
  metrics?: Pick<Metrics, 'count' | 'observe'> | undefined
  quickSlots?: number
  slowSlots?: number
  pollMs?: number
  /** A dead worker's jobs are reclaimed this long after its last heartbeat, plus one poll of the reaper. */
  leaseSeconds?: number
  heartbeatMs?: number
  reapMs?: number
  /** If false, scheduled jobs and retries stay scheduled when they are due. Default true. */
  promotes?: boolean
}

export type Worker = {
  /** Polls immediately instead of at the next interval. */
  wake(): void
  /** Time of the last successful poll, in milliseconds of `performance.now()`. */
  seenAt(): number
  /** Claims no more jobs, lets short ones finish, aborts slow ones, releases the rest. */
  stop(graceMs?: number): Promise<void>
}

type LeasedJob = Leased & { job: ClaimedJob; controller: AbortController; started: boolean; ended: boolean }
type Pool = {
  slots: number
  lanes: readonly number[]
  names: readonly string[]
  maxPrefetched: number
  held: Map<string, LeasedJob>
  waiting: LeasedJob[]
  active: number
  finishedSinceClaim: number
  served: Map<number, string>
}

const RETRY_MS = 1000
const SCHEDULE_MS = 1000
const MAX_PREFETCHED = 500

export function startWorker(options: WorkerOptions): Worker {
  const { service, schedules = [], metrics } = options
  const { pollMs = 250, leaseSeconds = 45, heartbeatMs = 15_000, reapMs = 10_000, promotes = true } = options
  const definitions = new Map(options.jobs.map((definition) => [definition.name, definition]))
  const namesOf = (slow: boolean) =>
    options.jobs.filter((job) => (job.slow ?? false) === slow).map((job) => job.name)
  const quick = makePool(quickLanes, namesOf(false), options.quickSlots ?? 20, MAX_PREFETCHED)
  const slow = makePool(slowLanes, namesOf(true), options.slowSlots ?? 4, 0)
  const pools = [quick, slow]
  const signals = new EventTarget()
  const stopped = new AbortController()
  let finished: LeasedJob[] = []
  let flushing: Promise<void> | undefined
  let stopping = false
  let seenAt = performance.now()

  const wake = () => void signals.dispatchEvent(new Event('wake'))
  const warn = (message: string, error: unknown) => {
    if (!stopping) service.log.warn(message, { error })
  }

  /** Resolves at the next wake-up, or after the given time. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signals.removeEventListener('wake', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signals.addEventListener('wake', done)
    })
  }

  async function work(pool: Pool): Promise<void> {
    while (!stopping) {
      const limit = claimLimit(pool)
      let claimed: ClaimedJob[] = []
      if (limit > 0 && pool.names.length > 0) {
        pool.finishedSinceClaim = 0
        try {
          claimed = await claim(service.db, { ...pool, limit, leaseId: uuidv7(), leaseSeconds })
        } catch (error) {
          warn('jobs not claimed', error)
          await pause(RETRY_MS)
        }
      }
      for (const job of claimed) accept(pool, job)
      fill(pool)
      if (claimed.length === 0 && !stopping) await pause(pollMs)
    }
  }

  function accept(pool: Pool, job: ClaimedJob): void {
    const leased: LeasedJob = {
      id: job.id,
      leaseId: job.lease_id,
      job,
      controller: new AbortController(),
      started: false,
      ended: false,
    }
    pool.held.set(job.id, leased)
    pool.waiting.push(leased)
  }

  function fill(pool: Pool): void {
    while (!stopping && pool.active < pool.slots) {
      const leased = pool.waiting.shift()
      if (!leased) return
      leased.started = true
      pool.active++
      run(pool, leased).catch((error: unknown) => warn('job not settled', error))
    }
  }

  async function run(pool: Pool, leased: LeasedJob): Promise<void> {
    const startedAt = performance.now()
    const definition = definitions.get(leased.job.name)!
    const outcome = await runJob(service, definition, leased.job, leased.controller.signal)
    metrics?.observe('job_duration_seconds', { job: definition.name }, (performance.now() - startedAt) / 1000)
    pool.finishedSinceClaim++
    try {
      if (outcome.result === 'done') {
        finished.push(leased)
        flush()
        return
      }
      // An aborted attempt did not fail: stop() releases it.
      if (leased.controller.signal.aborted) return
      leased.ended = true
      const isSettled = await fail(service.db, { id: leased.id, leaseId: leased.leaseId, ...outcome })
      count(definition.name, !isSettled ? 'lost' : outcome.dead ? 'dead' : outcome.result)
      pool.held.delete(leased.id)
    } finally {
      pool.active--
      fill(pool)
      wake()
    }
  }

  function count(job: string, result: string): void {
    metrics?.count('jobs_total', { job, result })
  }

  function flush(): void {
    flushing ??= flushAll().finally(() => {
      flushing = undefined
      wake()
    })
  }

  async function flushAll(): Promise<void> {
    // Batches jobs that finish in the same tick.
    await new Promise(setImmediate)
    while (finished.length > 0) {
      const batch = finished
      finished = []
      try {
        const completedIds = new Set(await complete(service.db, batch))
        for (const leased of batch) {
          leased.ended = true
          count(leased.job.name, completedIds.has(leased.id) ? 'done' : 'lost')
          for (const pool of pools) if (pool.held.get(leased.id) === leased) pool.held.delete(leased.id)
        }
        wake()
      } catch (error) {
        warn('jobs not settled', error)
        finished.push(...batch)
        if (stopping) return
        await pause(RETRY_MS)
      }
    }
  }

  async function beat(): Promise<void> {
    for (const pool of pools) {
      const all = [...pool.held.values()].filter((leased) => !leased.ended)
      if (all.length === 0) continue
      const extendedIds = await extendLeases(service.db, { table: 'jobs' }, all, leaseSeconds * 1000)
      for (const leased of all) {
        if (extendedIds.has(leased.id) || leased.ended) continue
        leased.controller.abort(new Error('The job was taken over by another worker'))
        pool.waiting = pool.waiting.filter((other) => other !== leased)
        pool.held.delete(leased.id)
        count(leased.job.name, 'lost')
      }
    }
  }

  async function reap(): Promise<void> {
    for (const job of await reapExpired(service.db))
      count(job.name, job.state === 'dead' ? 'dead' : 'expired')
  }

  async function repeat(ms: number, name: string, step: () => Promise<unknown>): Promise<void> {
    while (!stopping) {
      await step().catch((error: unknown) => warn(`${name} failed`, error))
      await sleep(ms, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  async function keepSchedules(): Promise<void> {
    let registered = false
    await repeat(SCHEDULE_MS, 'schedules', async () => {
      if (!registered) await registerSchedules(service.db, schedules)
      registered = true
      if ((await enqueueDueSchedules(service.db, schedules)) > 0) wake()
    })
  }

  const loops = [
    ...pools.map(work),
    repeat(heartbeatMs, 'heartbeat', beat),
    repeat(reapMs, 'reaping', reap),
    repeat(pollMs, 'promotion', async () => {
      if (promotes) await promoteDue(service.db)
      seenAt = performance.now()
    }),
    ...(schedules.length > 0 ? [keepSchedules()] : []),
  ]

  async function stop(graceMs = 5000): Promise<void> {
    stopping = true
    wake()
    stopped.abort()
    abort(slow)
    const deadline = Date.now() + graceMs
    while (quick.active + slow.active > 0 && Date.now() < deadline) await pause(deadline - Date.now())
    abort(quick)
    await Promise.all(loops)
    await flushing
    const unfinished = pools.flatMap((pool) => [...pool.held.values()]).filter((leased) => !leased.ended)
    if (unfinished.length > 0) await release(service.db, unfinished)
  }

  return { wake, seenAt: () => seenAt, stop }
}

/** Number of jobs to claim: none while claimed ones wait to start, and none while completions pile up. */
function claimLimit(pool: Pool): number {
  if (pool.waiting.length > 0 || pool.active >= pool.slots || pool.held.size > 2 * MAX_PREFETCHED) return 0
  const target = Math.max(pool.slots, Math.min(pool.maxPrefetched, 2 * pool.finishedSinceClaim))
  return target - pool.active
}

function abort(pool: Pool): void {
  for (const leased of pool.held.values()) leased.controller.abort(new Error('The worker is stopping'))
}

function makePool(
  lanes: readonly number[],
  names: readonly string[],
  slots: number,
  maxPrefetched: number,
): Pool {
  return {
    slots,
    lanes,
    names,
    maxPrefetched,
    held: new Map(),
    waiting: [],
    active: 0,
    finishedSinceClaim: 0,
    served: new Map(),
  }
}
