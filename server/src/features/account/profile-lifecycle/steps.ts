/**
 * What other features do when a profile begins or ends, in the same transaction. A feature appends
 * its own step here, written out like the routes in app.ts.
 */
import type { Tx } from '../../../platform/db/database.ts'
import { deleteProfileJobs } from '../../../platform/jobs/dead.ts'
import { createDefaultGoals } from '../../facts/conversions/operations.ts'
import { deleteSnapshots } from '../../insights/top-performers/archived.ts'
import { pauseSubscriptions } from '../../outgoing/webhooks/archive.ts'

export type NewProfile = {
  id: string
  workspaceId: string
  name: string
  timezone: string
  currency: string
  createdAt: Date
}

export type OnProfileCreated = (tx: Tx, profile: NewProfile) => Promise<void>
export const onProfileCreated: readonly OnProfileCreated[] = [createDefaultGoals]

/** Counts that the archive's answer holds. */
export type ArchiveStepCounts = { webhook_subscriptions_paused?: number }
/** Runs before the purge. */
export type OnProfileArchived = (
  tx: Tx,
  params: { profileId: string; now: Date },
) => Promise<ArchiveStepCounts>
export const onProfileArchived: readonly OnProfileArchived[] = [
  pauseSubscriptions,
  dropWaitingJobs,
  deleteSnapshots,
]

async function dropWaitingJobs(tx: Tx, { profileId }: { profileId: string }): Promise<ArchiveStepCounts> {
  await deleteProfileJobs(tx, profileId)
  return {}
}
