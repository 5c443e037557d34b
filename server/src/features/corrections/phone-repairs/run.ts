import type { JobContext } from '../../../context.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { loadIdentityScope } from '../../facts/identity/scope.ts'
import { findRepair, moveRepair } from './queries.ts'
import { applyRepair, undoRepair } from './reprocess.ts'

/** Runs or resumes the repair or its undo, depending on the status. */
export async function runRepair(
  { db, service, signal }: Pick<JobContext, 'db' | 'service' | 'signal'>,
  { profileId, repairId: id }: { profileId: string; repairId: string },
): Promise<void> {
  const repair = await findRepair(db, { profileId, id })
  if (repair?.status !== 'applying' && repair?.status !== 'undoing') return
  const now = () => service.clock.now()
  const scope = await loadIdentityScope(db, service, profileId)
  const run = { db, now, signal }
  await (repair.status === 'applying' ? applyRepair(run, scope, repair) : undoRepair(run, scope, repair))
  const to = repair.status === 'applying' ? 'applied' : 'undone'
  await inTransaction(db, (tx) =>
    moveRepair(tx, { profileId, id, from: repair.status, to, finishedAt: now() }),
  )
  service.processor.wake(profileId)
}
