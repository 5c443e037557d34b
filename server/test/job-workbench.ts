/** A service whose job table is emptied before each test and whose workers are stopped after it. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { z } from 'zod'
import { uuidv7 } from '../src/platform/contract/ids.ts'
import { type Job, job } from '../src/platform/contract/job.ts'
import type { Turn } from '../src/platform/jobs/claim.ts'
import { countJobs } from '../src/platform/jobs/dead.ts'
import { quickLanes } from '../src/platform/jobs/enqueue.ts'
import { startWorker, type Worker, type WorkerOptions } from '../src/platform/jobs/worker.ts'
import { startTestApp, type TestApp } from './app.ts'

export let app: TestApp
const workers: Worker[] = []

export function useWorkbench(): void {
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await sql`truncate jobs, job_schedules`.execute(app.service.db)
    await app.service.clock.set(app.service.db, 0)
  })
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop(100)
  })
}

export function work(jobs: readonly Job[], options: Partial<WorkerOptions> = {}): Worker {
  const worker = startWorker({ service: app.service, jobs, pollMs: 10, ...options })
  workers.push(worker)
  return worker
}

export const isEmpty = async () => {
  const counts = await countJobs(app.service.db)
  return counts.ready + counts.running + counts.scheduled === 0
}

export async function advance(seconds: number): Promise<void> {
  await app.service.clock.set(app.service.db, seconds * 1000)
}

const Note = z.object({ note: z.string() })
export function recorder(name: string, run: Job<z.infer<typeof Note>>['run'] = async () => {}, slow = false) {
  const seen: { note: string; profileId: string | null; attempt: number }[] = []
  const definition = job({
    name,
    payload: Note,
    slow,
    async run(context, payload) {
      seen.push({ note: payload.note, profileId: context.profileId, attempt: context.attempt })
      await run(context, payload)
    },
  })
  return { definition, seen }
}

export function turn(names: string[], limit: number, overrides: Partial<Turn> = {}): Turn {
  return {
    lanes: quickLanes,
    names,
    limit,
    leaseId: uuidv7(),
    leaseSeconds: 60,
    served: new Map(),
    ...overrides,
  }
}
