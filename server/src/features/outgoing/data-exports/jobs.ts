import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { type Job, JobError, job, type Schedule } from '../../../platform/contract/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { dataExportSettled } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { RUN_ATTEMPTS, runRef } from './job-names.ts'
import * as queries from './queries.ts'
import { nextTryAt } from './rules.ts'
import { writeTables } from './run.ts'
import { toEventData } from './settle-run.ts'
import { startDueRuns } from './start-run.ts'
import { openTarget } from './targets/open-target.ts'
import { TargetError } from './targets/target.ts'

const BUSY_MS = 60_000
const busy = new WeakSet<JobContext['service']>()

const run = job({
  ...runRef,
  async run(context: JobContext, { profile_id: profileId, run_id: id }) {
    const { service, now } = context
    // One run per process at a time: a slow store must not occupy all slots for slow jobs.
    if (busy.has(service)) {
      const runAt = new Date(service.clock.machineNow().getTime() + BUSY_MS)
      await enqueue(
        service.db,
        runRef,
        { profile_id: profileId, run_id: id },
        { profileId, priority: 'bulk', runAt },
      )
      return
    }
    busy.add(service)
    try {
      await executeRun(context, { profileId, id, attemptId: uuidv7(now) })
    } finally {
      busy.delete(service)
    }
  },
})

async function executeRun(
  context: JobContext,
  { profileId, id, attemptId }: { profileId: string; id: string; attemptId: string },
): Promise<void> {
  const { service, attempt, signal, now } = context
  const open = await queries.markRunning(service.db, { profileId, id, attemptId, now })
  if (open === undefined) return
  try {
    const profile = await findProfileRef(service.db, { profileId })
    const destination = await queries.findDestination(service.db, { profileId, id: open.destination_id })
    if (profile === undefined || destination === undefined || !destination.enabled)
      throw new TargetError('The destination was disabled during the run.', false)
    const target = openTarget(service, destination)
    await writeTables({ service, profile, destination, run: open, attemptId, target, signal })
  } catch (error) {
    // When the worker stops, the job is retried by another one.
    const isRefused = error instanceof TargetError && !error.isTemporary
    if (signal.aborted || (!isRefused && attempt < RUN_ATTEMPTS)) throw error
    await failRun(context, open, error)
    throw new JobError('data export failed', 'never', { cause: error })
  }
}

async function failRun({ service }: JobContext, open: queries.RunRow, error: unknown): Promise<void> {
  const now = service.clock.now()
  const { profile_id: profileId, id } = open
  const message =
    error instanceof TargetError
      ? error.message
      : 'The service could not read or write the tables; see its log.'
  await inTransaction(service.db, async (tx) => {
    const attemptId = open.attempt_id!
    const status = 'failed' as const
    const settled = { profileId, id, attemptId, status, tables: [], erasures: 0, error: message, now }
    if (!(await queries.settleRun(tx, settled))) return
    await recordEvent(tx, dataExportSettled('data_export.failed', profileId, toEventData(open, []), now), now)
    const destination = await queries.findDestination(tx, { profileId, id: open.destination_id })
    const failures = (destination?.failures ?? 0) + 1
    const fields = { failures, next_try_at: nextTryAt(failures, now) }
    await queries.updateDestination(tx, { profileId, id: open.destination_id, fields })
  })
  service.dispatcher.wake(profileId)
}

const start = job({ name: 'data_exports.start_due', payload: z.object({}), run: startDueRuns })

export const dataExportJobs: readonly Job[] = [run, start]
export const dataExportSchedules: readonly Schedule[] = [
  { name: 'data_exports.start_due', job: start, rule: { everySeconds: 60 } },
]
