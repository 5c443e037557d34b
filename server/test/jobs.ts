import type { Service } from '../src/context.ts'
import type { Job } from '../src/contract/job.ts'
import { countJobs } from '../src/jobs/dead.ts'
import { startWorker } from '../src/jobs/worker.ts'

/** Runs what is ready, and what that makes ready, to the end; later and failed work stays where it is. */
export async function drainJobs(service: Service, jobs: readonly Job[]): Promise<void> {
  const worker = startWorker({ service, jobs, pollMs: 5 })
  try {
    for (;;) {
      const counts = await countJobs(service.db)
      if (counts.ready + counts.running === 0) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  } finally {
    await worker.stop()
  }
}
