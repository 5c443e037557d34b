/** Archives a workspace: revokes, pauses and purges everything that belongs to it in one transaction. */
import type { RequestContext } from '../../../context.ts'
import { type Actor, recordChange } from '../../../platform/audit/record.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { warnOfStorePayment } from '../billing/notices.ts'
import { endPayment } from '../billing/payment-end.ts'
import { findPayer } from '../billing/queries.ts'
import { archiveProfiles } from '../profile-lifecycle/archive.ts'
import {
  deleteMembers,
  listLiveProfileIds,
  markArchived,
  revokeApps,
  revokePendingInvitations,
} from './archive-queries.ts'

export type ArchiveCounts = {
  profiles_archived: number
  memberships_removed: number
  invitations_revoked: number
  api_keys_revoked: number
  webhook_subscriptions_paused: number
  retained_conversion_exports: number
  retained_signal_audit_rows: number
}
export type ArchiveResult = {
  archived: boolean
  archived_at: Date
  counts: ArchiveCounts
  profiles_purged: number
}

const noCounts: ArchiveCounts = {
  profiles_archived: 0,
  memberships_removed: 0,
  invitations_revoked: 0,
  api_keys_revoked: 0,
  webhook_subscriptions_paused: 0,
  retained_conversion_exports: 0,
  retained_signal_audit_rows: 0,
}

export function nothingArchived(archivedAt: Date): ArchiveResult {
  return { archived: false, archived_at: archivedAt, counts: noCounts, profiles_purged: 0 }
}

/** The caller holds the workspace's lock. Reference tables are written before distributed tables. */
export async function archiveLocked(
  tx: Tx,
  actor: Actor & Pick<RequestContext, 'service'>,
  workspaceId: string,
): Promise<ArchiveResult> {
  const { now } = actor
  await warnOfStorePayment(tx, workspaceId)
  const members = await deleteMembers(tx, { workspaceId })
  const ownerIds = members.filter((member) => member.role === 'owner').map((member) => member.user_id)
  await markArchived(tx, { workspaceId, ownerIds, now })
  const invitations = await revokePendingInvitations(tx, { workspaceId, now })
  await revokeApps(tx, { workspaceId, now: actor.service.clock.machineNow() })
  await recordChange(tx, actor, { workspaceId, action: 'workspace.archived', subject: workspaceId })
  const payer = await findPayer(tx, { workspaceId })
  if (payer !== undefined) await endPayment(tx, payer)
  const profileIds = await listLiveProfileIds(tx, { workspaceId })
  const profileCounts = await archiveProfiles(tx, profileIds, actor)
  const counts = {
    profiles_archived: profileIds.length,
    memberships_removed: members.length + profileCounts.memberships_removed,
    invitations_revoked: invitations,
    api_keys_revoked: profileCounts.api_keys_revoked,
    webhook_subscriptions_paused: profileCounts.webhook_subscriptions_paused,
    retained_conversion_exports: profileCounts.retained_conversion_exports,
    retained_signal_audit_rows: profileCounts.retained_signal_audit_rows,
  }
  return { archived: true, archived_at: now, counts, profiles_purged: profileIds.length }
}
