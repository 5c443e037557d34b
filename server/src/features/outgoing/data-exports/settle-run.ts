/** Records what a run wrote, and removes files that no manifest lists. */
import { inTransaction } from '../../../platform/db/database.ts'
import { dataExportSettled } from '../../facts/outbox/makers.ts'
import { recordEvent } from '../../facts/outbox/record.ts'
import { GRACE_MS } from './manifest-rules.ts'
import * as queries from './queries.ts'
import { TargetError } from './targets/target.ts'
import type { Writing, Written } from './writing.ts'

export async function settle(
  writing: Writing,
  written: Written,
  { erasures, isUrgent }: { erasures: number; isUrgent: boolean },
): Promise<void> {
  const { service, profile, destination, run, attemptId } = writing
  const now = service.clock.now()
  // What holds an erased person has no grace, also where a later run removes it.
  const replacedAt = isUrgent ? new Date(now.getTime() - GRACE_MS) : now
  const place = { profileId: profile.id, destinationId: destination.id }
  const paths = (files: readonly queries.FileRow[]) => files.map(({ path }) => path)
  await inTransaction(service.db, async (tx) => {
    await queries.markCurrent(tx, { ...place, paths: paths(written.files) })
    await queries.markReplaced(tx, { ...place, paths: paths(written.replaced), now: replacedAt })
    await queries.updateDestination(tx, {
      profileId: profile.id,
      id: destination.id,
      fields: {
        // Erasures are seen once the files that hold these people are gone.
        ...(erasures > 0 ? {} : { erasures_seen: written.erasuresSeen }),
        written_state: written.state,
        failures: 0,
        next_try_at: null,
      },
    })
    const isSettled = await queries.settleRun(tx, {
      profileId: profile.id,
      id: run.id,
      attemptId,
      status: 'completed',
      tables: written.tables,
      erasures,
      error: null,
      now,
    })
    if (!isSettled) throw new TargetError('Another try of this run took over.', false)
    await recordEvent(
      tx,
      dataExportSettled('data_export.completed', profile.id, eventOf(run, written.files), now),
      now,
    )
  })
  service.dispatcher.wake(profile.id)
}

export function eventOf(run: queries.RunRow, files: readonly queries.FileRow[]) {
  return {
    run_id: run.id,
    destination_id: run.destination_id,
    files: files.length,
    rows: files.reduce((total, { rows }) => total + rows, 0),
  }
}

export async function seeErasures(
  { service, profile, destination }: Writing,
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

/** What no manifest lists: replaced files after their grace, and leftovers of interrupted tries. True if all are gone. */
export async function removeUnlisted({ service, profile, destination, target }: Writing): Promise<boolean> {
  const place = { profileId: profile.id, destinationId: destination.id }
  const before = service.clock.now().getTime() - GRACE_MS
  let isClean = true
  const files = await queries.listFiles(service.db, place)
  // A later run may have begun to write.
  const openAttempt = await queries.findOpenAttempt(service.db, place)
  for (const { state, path, replaced_at } of files) {
    const isOver = state === 'replaced' && replaced_at!.getTime() <= before
    const isLeftOver = state === 'writing' && (openAttempt === null || !path.includes(openAttempt))
    if (!isOver && !isLeftOver) continue
    try {
      await target.remove(path)
      await queries.deleteFile(service.db, { ...place, path })
    } catch (error) {
      isClean = false
      service.log.warn('a replaced file of a data export was not removed; the next run tries again', {
        profile_id: profile.id,
        error,
      })
    }
  }
  return isClean
}
