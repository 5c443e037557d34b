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

const AT_ONCE = 200
/** A run that is still open after this lost its worker for good. */
const ABANDONED_MS = DAY_MS
const KEPT_MS = 90 * DAY_MS

/** A run and its job, or the run that is open. */
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
  await queries.deleteRunsBefore(tx, { profileId, before: new Date(now.getTime() - KEPT_MS) })
  await enqueue(
    tx,
    runRef,
    { profile_id: profileId, run_id: run.id },
    { profileId, dedupeKey: run.id, priority: 'bulk' },
  )
  return run
}

/** Starts what is due. Times that passed while the service was down are made up for by one run. */
export async function startDueRuns(context: JobContext): Promise<void> {
  const { now, service } = context
  const due: { profile_id: string; id: string }[] = []
  await forAllProfiles(context, async (shard) => {
    const times = {
      replacedBefore: new Date(now.getTime() - GRACE_MS),
      abandonedBefore: new Date(now.getTime() - ABANDONED_MS),
    }
    due.push(...(await queries.listDue(shard, { now, ...times, limit: AT_ONCE })))
  })
  for (const { profile_id: profileId, id } of due) {
    try {
      await inTransaction(service.db, async (tx) => {
        const row = await queries.findDestination(tx, { profileId, id })
        if (row === undefined || !row.enabled) return
        // An archived profile may come back.
        if ((await findProfileRef(tx, { profileId })) === undefined) {
          const fields = { next_try_at: new Date(now.getTime() + DAY_MS) }
          return queries.updateDestination(tx, { profileId, id, fields })
        }
        await queueRun(tx, { profileId, destinationId: id, isFull: false, now })
        await queries.updateDestination(tx, { profileId, id, fields: { next_run_at: nextRunAt(row, now) } })
      })
    } catch (error) {
      service.log.error('data export not queued; tried again in a minute', { profile_id: profileId, error })
    }
  }
}
