/**
 * Writes a profile's tables to a destination. Changed days get new files, then the manifest is replaced, then files that
 * it no longer lists are removed. All rows are read in one snapshot, which is closed before files are sent. A run that
 * is interrupted leaves the last manifest and all of its files in place.
 */
import { cancelledBy } from '../../../platform/db/cancel.ts'
import { inSnapshot } from '../../../platform/db/database.ts'
import { toManifest } from './manifest-rules.ts'
import type { RowScope } from './partition-queries.ts'
import * as queries from './queries.ts'
import type { RunContext, RunResult } from './run-context.ts'
import { createFence, type Fence, sendFiles } from './send-files.ts'
import { removeUnlistedFiles, saveErasuresSeen, settle } from './settle-run.ts'
import { openSpool } from './spool.ts'

const MANIFEST = 'manifest.json'

export async function writeTables(context: RunContext): Promise<void> {
  const { service, profile, destination, signal } = context
  const files = await queries.listFiles(service.db, { profileId: profile.id, destinationId: destination.id })
  const current = files.filter(({ state }) => state === 'current')
  const { backgroundDb } = await service.nodes.shardOf(profile.id)
  const spool = await openSpool(service.config.DATA_DIR, destination.id, context.attemptId)
  try {
    // Imported lazily, because most processes run no exports.
    const { spoolChanges } = await import('./spool-changes.ts')
    // Files are spooled on this machine first, so that a slow store does not keep the snapshot open.
    const result = await inSnapshot(backgroundDb, (tx) =>
      cancelledBy(signal, { tx, log: service.log }, () => spoolChanges(tx, context, spool, current)),
    )
    const fence = createFence(context, result.includesIdentifiers)
    await sendFiles(context, spool, result.files, fence)
    await publish(context, { files, current, result }, fence)
  } finally {
    await spool.close()
  }
}

async function publish(
  context: RunContext,
  { files, current, result }: { files: queries.FileRow[]; current: queries.FileRow[]; result: RunResult },
  fence: Fence,
): Promise<void> {
  const { destination } = context
  const erasures = result.erasuresSeen - (destination.erasures_seen ?? result.erasuresSeen)
  const replacedPaths = new Set(result.replaced.map(({ path }) => path))
  const unchanged = current.filter(({ path }) => !replacedPaths.has(path))
  // After a crash the stored manifest may list files of the interrupted run, so it is written again.
  const wasInterrupted = files.some(({ state }) => state === 'writing')
  const isFirst = destination.erasures_seen === null
  await fence(true)
  if (result.files.length > 0 || result.replaced.length > 0 || wasInterrupted || isFirst)
    await context.target.put(
      MANIFEST,
      new TextEncoder().encode(buildManifest(context, result, unchanged, erasures)),
    )
  const isUrgent =
    erasures > 0 || (previousRunIncludedIdentifiers(destination) && !result.includesIdentifiers)
  await settle(context, result, { erasures, isUrgent })
  const isClean = await removeUnlistedFiles(context)
  if (erasures > 0 && isClean) await saveErasuresSeen(context, result.erasuresSeen)
}

/** `written_state` contains the row scope of the previous run. */
function previousRunIncludedIdentifiers({ written_state: state }: queries.DestinationRow): boolean {
  return state !== null && (JSON.parse(state) as [unknown, RowScope])[1].includeIdentifiers
}

function buildManifest(
  { service, profile, run }: RunContext,
  result: RunResult,
  unchanged: readonly queries.FileRow[],
  erasures: number,
): string {
  return toManifest({
    profileId: profile.id,
    runId: run.id,
    now: service.clock.now(),
    currency: profile.currency,
    timezone: profile.timezone,
    changeNumber: result.changeNumber,
    erasures,
    files: [...unchanged, ...result.files],
    replaced: result.replaced,
  })
}
