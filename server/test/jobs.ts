import type { Service } from '../src/context.ts'
import type { Job } from '../src/platform/contract/job.ts'
import { countJobs } from '../src/platform/jobs/dead.ts'
import { startWorker } from '../src/platform/jobs/worker.ts'
import { until } from './until.ts'

/** Runs what is ready, and what that makes ready, to the end; later and failed work stays where it is. */
export async function drainJobs(service: Service, jobs: readonly Job[]): Promise<void> {
  const worker = startWorker({ service, jobs, pollMs: 20 })
  try {
    await until(async () => {
      const { ready, running } = await countJobs(service.db)
      return ready + running === 0
    }, 20)
  } finally {
    await worker.stop()
  }
}

/** Runs a scheduled job now, as its hour would. */
export async function runSchedule(service: Service, jobs: readonly Job[], name: string): Promise<void> {
  const context = { service, db: service.db, now: service.clock.now(), log: service.log }
  const signal = new AbortController().signal
  await jobs
    .find((job) => job.name === name)!
    .run({ ...context, jobId: '', profileId: null, attempt: 1, signal }, {})
}
