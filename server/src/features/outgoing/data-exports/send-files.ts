/** Sends the files of a run, for as long as the run is still the one that may. */
import { isHealthcare } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { fewAtOnce } from './few-at-once.ts'
import * as queries from './queries.ts'
import type { Spool } from './spool.ts'
import { TargetError } from './targets/target.ts'
import type { Writing } from './writing.ts'

/** Small files wait for the disk or the store more than for us. */
const WRITES_AT_ONCE = 4
/** Files that are recorded by one statement. */
const RECORDED_AT_ONCE = 50
/** Longest that a run sends files: a store that is slower would keep the runs of others waiting. */
export const UPLOAD_MS = 1_800_000
const CHECK_MS = 1_000

export type Fence = (isLast?: boolean) => Promise<void>

/** Throws once another try has the run, or the destination may no longer get what this one read. */
export function createFence(
  { service, profile, run, attemptId, signal }: Writing,
  includesIdentifiers: boolean,
): Fence {
  const params = { profileId: profile.id, id: run.id, attemptId, includesIdentifiers }
  const endsAt = performance.now() + UPLOAD_MS
  let checkedAt = Number.NEGATIVE_INFINITY
  return async (isLast = false) => {
    signal.throwIfAborted()
    if (performance.now() > endsAt)
      throw new TargetError('The store is too slow: the run took too long.', true)
    if (!isLast && performance.now() - checkedAt < CHECK_MS) return
    const now = await findProfileRef(service.db, { profileId: profile.id })
    const isOpen = now !== undefined && !(includesIdentifiers && isHealthcare(now))
    if (!isOpen || !(await queries.mayGoOn(service.db, params)))
      throw new TargetError('The destination was switched off meanwhile.', false)
    checkedAt = performance.now()
  }
}

/** Files are recorded before they are sent, so that a crash in between leaves none that is not known. */
export async function sendFiles(
  { service, target }: Writing,
  spool: Spool,
  files: readonly queries.FileRow[],
  fence: Fence,
): Promise<void> {
  const writes = fewAtOnce(WRITES_AT_ONCE)
  try {
    for (let start = 0; start < files.length; start += RECORDED_AT_ONCE) {
      const batch = files.slice(start, start + RECORDED_AT_ONCE)
      await fence()
      await queries.insertFiles(service.db, batch)
      for (const { path } of batch)
        await writes.start(async () => {
          await fence()
          await target.put(path, await spool.read(path))
        })
    }
  } finally {
    await writes.end()
  }
}
