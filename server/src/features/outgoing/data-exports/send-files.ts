/** Sends the files of a run while its attempt still owns the run. */
import { isHealthcare } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import * as queries from './queries.ts'
import type { RunContext } from './run-context.ts'
import type { Spool } from './spool.ts'
import { TargetError } from './targets/target.ts'

/** For small files the latency of the disk or store dominates. */
const CONCURRENT_WRITES = 4
/** File rows per insert statement. */
const INSERT_BATCH = 50
/** Time limit for sending files, because a run blocks other runs of the process. */
export const UPLOAD_MS = 1_800_000
const CHECK_MS = 1_000

export type Fence = (isLast?: boolean) => Promise<void>

/** The fence throws if another attempt owns the run, or the destination no longer allows what the run includes. */
export function createFence(
  { service, profile, run, attemptId, signal }: RunContext,
  includesIdentifiers: boolean,
): Fence {
  const params = { profileId: profile.id, id: run.id, attemptId, includesIdentifiers }
  const endsAt = performance.now() + UPLOAD_MS
  let checkedAt = Number.NEGATIVE_INFINITY
  return async (isLast = false) => {
    signal.throwIfAborted()
    if (performance.now() > endsAt)
      throw new TargetError('Sending the files took more than 30 minutes: the store is too slow.', true)
    if (!isLast && performance.now() - checkedAt < CHECK_MS) return
    const now = await findProfileRef(service.db, { profileId: profile.id })
    const isAllowed = now !== undefined && !(includesIdentifiers && isHealthcare(now))
    if (!isAllowed || !(await queries.canContinue(service.db, params)))
      throw new TargetError('The destination was disabled during the run.', false)
    checkedAt = performance.now()
  }
}

/** File rows are inserted before the files are sent, so that leftovers of a crash can be removed. */
export async function sendFiles(
  { service, target }: RunContext,
  spool: Spool,
  files: readonly queries.FileRow[],
  fence: Fence,
): Promise<void> {
  const writes = limitConcurrency(CONCURRENT_WRITES)
  try {
    for (let start = 0; start < files.length; start += INSERT_BATCH) {
      const batch = files.slice(start, start + INSERT_BATCH)
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
