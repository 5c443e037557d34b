import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { runRef } from './job-names.ts'
import { GRACE_MS } from './manifest-rules.ts'
import * as queries from './queries.ts'
import { nextRunAt } from './rules.ts'

const MAX_STARTED = 200
/** A run that is still open after this has lost its worker. */
const ABANDONED_MS = DAY_MS
const RETENTION_MS = 90 * DAY_MS

/** Creates a run and its job, or returns the run that is queued or running. */
export async function queueRun(
  tx: Tx,
  params: { profileId: string; destinationId: string; isFull: boolean; now: Date },
): Promise<queries.RunRow> {
  const { profileId, destinationId, now } = params
  await queries.failAbandonedRun(tx, {
    profileId,
    destinationId,
    before: new Date(now.getTime() - ABANDONED_MS),
    now,
  })
  const run = await queries.insertRun(tx, { ...params, id: uuidv7(now) })
  if (run === undefined) return (await queries.findOpenRun(tx, { profileId, destinationId }))!
  await queries.deleteRunsBefore(tx, { profileId, before: new Date(now.getTime() - RETENTION_MS) })
  await enqueue(
    tx,
    runRef,
    { profile_id: profileId, run_id: run.id },
    { profileId, dedupeKey: run.id, priority: 'bulk' },
  )
  return run
}

/** Queues runs of due destinations. One run replaces all scheduled runs that were missed while the service was down. */
export async function startDueRuns(context: JobContext): Promise<void> {
  const { now, service } = context
  const due: { profile_id: string; id: string }[] = []
  await forAllProfiles(context, async (shard) => {
    const times = {
      replacedBefore: new Date(now.getTime() - GRACE_MS),
      abandonedBefore: new Date(now.getTime() - ABANDONED_MS),
    }
    due.push(...(await queries.listDue(shard, { now, ...times, limit: MAX_STARTED })))
  })
  for (const { profile_id: profileId, id } of due) {
    try {
      await inTransaction(service.db, async (tx) => {
        const row = await queries.findDestination(tx, { profileId, id })
        if (row === undefined || !row.enabled) return
        // The profile is archived and may be restored, so the destination is checked again tomorrow.
        if ((await findProfileRef(tx, { profileId })) === undefined) {
          const fields = { next_try_at: new Date(now.getTime() + DAY_MS) }
          return queries.updateDestination(tx, { profileId, id, fields })
        }
        await queueRun(tx, { profileId, destinationId: id, isFull: false, now })
        await queries.updateDestination(tx, { profileId, id, fields: { next_run_at: nextRunAt(row, now) } })
      })
    } catch (error) {
      service.log.error('data export run could not be queued; retrying in a minute', {
        profile_id: profileId,
        error,
      })
    }
  }
}
