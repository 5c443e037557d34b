import type { Service } from '../src/context.ts'
import type { Job } from '../src/platform/contract/job.ts'
import { promoteDue } from '../src/platform/jobs/claim.ts'
import { countJobs } from '../src/platform/jobs/dead.ts'
import { startWorker } from '../src/platform/jobs/worker.ts'

/** Polling interval for jobs that were not enqueued by this worker. */
const POLL_MS = 100

/**
 * Runs all jobs that are due, and those that they enqueue, to completion. What is scheduled or retried later stays in
 * the queue, however long the rest takes.
 */
export async function drainJobs(
  service: Service,
  jobs: readonly Job[],
  /** Called each time the queue was read. */
  onLook: () => void = () => {},
): Promise<void> {
  let jobEnded = () => {}
  const metrics = { count: () => jobEnded(), observe: () => {} }
  await promoteDue(service.db)
  const worker = startWorker({ service, jobs, metrics, pollMs: POLL_MS, promotes: false })
  try {
    for (;;) {
      const change = Promise.withResolvers<void>()
      jobEnded = change.resolve
      const { ready, running } = await countJobs(service.db)
      onLook()
      if (ready + running === 0) return
      const timer = setTimeout(change.resolve, POLL_MS)
      await change.promise
      clearTimeout(timer)
    }
  } finally {
    await worker.stop()
  }
}

/** Runs a scheduled job immediately. */
export async function runSchedule(service: Service, jobs: readonly Job[], name: string): Promise<void> {
  const context = { service, db: service.db, now: service.clock.now(), log: service.log }
  const signal = new AbortController().signal
  await jobs
    .find((job) => job.name === name)!
    .run({ ...context, jobId: '', profileId: null, attempt: 1, signal }, {})
}
