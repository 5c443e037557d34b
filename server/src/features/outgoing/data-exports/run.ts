/**
 * Writes a profile's tables to a destination: days whose rows changed get new files, then the manifest lists them, then
 * files that no manifest lists are removed. Everything is read in one snapshot and sent after it. A run that stops
 * anywhere leaves the last manifest and all of its files in place.
 */
import { cancelledBy } from '../../../platform/db/cancel.ts'
import { inSnapshot } from '../../../platform/db/database.ts'
import { toManifest } from './manifest-rules.ts'
import * as queries from './queries.ts'
import type { RowScope } from './queries-tables.ts'
import { createFence, type Fence, sendFiles } from './send-files.ts'
import { removeUnlisted, seeErasures, settle } from './settle-run.ts'
import { openSpool } from './spool.ts'
import type { Writing, Written } from './writing.ts'

const MANIFEST = 'manifest.json'

export async function writeTables(writing: Writing): Promise<void> {
  const { service, profile, destination } = writing
  const place = { profileId: profile.id, destinationId: destination.id }
  const known = await queries.listFiles(service.db, place)
  const current = known.filter(({ state }) => state === 'current')
  const { patientDb } = await service.nodes.shardOf(profile.id)
  const spool = await openSpool(service.config.DATA_DIR, destination.id, writing.attemptId)
  try {
    // Loaded on first use: most processes write no files.
    const { spoolChanges } = await import('./spool-changes.ts')
    // A slow store holds no snapshot: files wait on this machine until all are written.
    const written = await inSnapshot(patientDb, (tx) =>
      cancelledBy(writing.signal, { tx, log: service.log }, () => spoolChanges(tx, writing, spool, current)),
    )
    const fence = createFence(writing, written.includesIdentifiers)
    await sendFiles(writing, spool, written.files, fence)
    await publish(writing, { known, current, written }, fence)
  } finally {
    await spool.close()
  }
}

async function publish(
  writing: Writing,
  { known, current, written }: { known: queries.FileRow[]; current: queries.FileRow[]; written: Written },
  fence: Fence,
): Promise<void> {
  const { destination } = writing
  const erasures = written.erasuresSeen - (destination.erasures_seen ?? written.erasuresSeen)
  const replacedPaths = new Set(written.replaced.map(({ path }) => path))
  const kept = current.filter(({ path }) => !replacedPaths.has(path))
  // After a crash the stored manifest may list files of the run before, so it is written again.
  const isInterrupted = known.some(({ state }) => state === 'writing')
  const isFirst = destination.erasures_seen === null
  await fence(true)
  if (written.files.length > 0 || written.replaced.length > 0 || isInterrupted || isFirst)
    await writing.target.put(MANIFEST, new TextEncoder().encode(manifestOf(writing, written, kept, erasures)))
  const isUrgent = erasures > 0 || (includedIdentifiers(destination) && !written.includesIdentifiers)
  await settle(writing, written, { erasures, isUrgent })
  const isClean = await removeUnlisted(writing)
  if (erasures > 0 && isClean) await seeErasures(writing, written.erasuresSeen)
}

/** Of the run before, as it was saved with what that run depended on. */
function includedIdentifiers({ written_state: state }: queries.DestinationRow): boolean {
  return state !== null && (JSON.parse(state) as [unknown, RowScope])[1].includeIdentifiers
}

function manifestOf(
  { service, profile, run }: Writing,
  written: Written,
  kept: readonly queries.FileRow[],
  erasures: number,
): string {
  return toManifest({
    profileId: profile.id,
    runId: run.id,
    now: service.clock.now(),
    currency: profile.currency,
    timezone: profile.timezone,
    changeNumber: written.changeNumber,
    erasures,
    files: [...kept, ...written.files],
    replaced: written.replaced,
  })
}
