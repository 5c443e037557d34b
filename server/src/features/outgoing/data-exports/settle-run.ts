/** Records the result of a run and removes files that the manifest does not list. */
import { inTransaction } from '../../../platform/db/database.ts'
import { dataExportSettled } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { GRACE_MS } from './manifest-rules.ts'
import * as queries from './queries.ts'
import type { RunContext, RunResult } from './run-context.ts'
import { TargetError } from './targets/target.ts'

export async function settle(
  context: RunContext,
  result: RunResult,
  { erasures, isUrgent }: { erasures: number; isUrgent: boolean },
): Promise<void> {
  const { service, profile, destination, run, attemptId } = context
  const now = service.clock.now()
  // Files with erased people get no grace period, even if a later run removes them.
  const replacedAt = isUrgent ? new Date(now.getTime() - GRACE_MS) : now
  const key = { profileId: profile.id, destinationId: destination.id }
  const paths = (files: readonly queries.FileRow[]) => files.map(({ path }) => path)
  await inTransaction(service.db, async (tx) => {
    await queries.markCurrent(tx, { ...key, paths: paths(result.files) })
    await queries.markReplaced(tx, { ...key, paths: paths(result.replaced), now: replacedAt })
    await queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: {
        // With erasures, the count is saved only after the replaced files are removed.
        ...(erasures > 0 ? {} : { erasures_seen: result.erasuresSeen }),
        written_state: result.state,
        failures: 0,
        next_try_at: null,
      },
    })
    const isSettled = await queries.settleRun(tx, {
      profileId: profile.id,
      id: run.id,
      attemptId,
      status: 'completed',
      tables: result.tables,
      erasures,
      error: null,
      now,
    })
    if (!isSettled) throw new TargetError('Another attempt took over this run.', false)
    await recordEvent(
      tx,
      dataExportSettled('data_export.completed', profile.id, toEventData(run, result.files), now),
      now,
    )
  })
  service.dispatcher.wake(profile.id)
}

export function toEventData(run: queries.RunRow, files: readonly queries.FileRow[]) {
  return {
    run_id: run.id,
    destination_id: run.destination_id,
    files: files.length,
    rows: files.reduce((total, { rows }) => total + rows, 0),
  }
}

export async function saveErasuresSeen(
  { service, profile, destination }: RunContext,
  erasuresSeen: number,
): Promise<void> {
  await inTransaction(service.db, (tx) =>
    queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: { erasures_seen: erasuresSeen },
    }),
  )
}

/** Removes replaced files after the grace period and leftovers of interrupted attempts. True if all were removed. */
export async function removeUnlistedFiles(context: RunContext): Promise<boolean> {
  const { service, profile, destination, target } = context
  const key = { profileId: profile.id, destinationId: destination.id }
  const before = service.clock.now().getTime() - GRACE_MS
  let isClean = true
  const files = await queries.listFiles(service.db, key)
  // A later run may already be writing.
  const openAttempt = await queries.findOpenAttempt(service.db, key)
  for (const { state, path, replaced_at } of files) {
    const isOverdue = state === 'replaced' && replaced_at!.getTime() <= before
    const isLeftover = state === 'writing' && (openAttempt === null || !path.includes(openAttempt))
    if (!isOverdue && !isLeftover) continue
    try {
      await target.remove(path)
      await queries.deleteFile(service.db, { ...key, path })
    } catch (error) {
      isClean = false
      service.log.warn('data export: a replaced file could not be removed; the next run tries again', {
        profile_id: profile.id,
        error,
      })
    }
  }
  return isClean
}
