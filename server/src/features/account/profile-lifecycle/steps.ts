/**
 * Hooks of other features that run when a profile is created or archived, in the same transaction. They are listed
 * explicitly, like the routes in app.ts.
 */
import type { Tx } from '../../../platform/db/database.ts'
import { deleteProfileJobs } from '../../../platform/jobs/dead.ts'
import { deleteSnapshots } from '../../advice/top-performers/archived.ts'
import { createDefaultGoals } from '../../corrections/goals/operations.ts'
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

/** Counts included in the archive's response. */
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
