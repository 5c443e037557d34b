/** The end of a workspace: one transaction revokes, pauses and purges everything that hangs on it. */
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { type Actor, recordChange } from '../audit/record.ts'
import { archiveProfiles } from '../profile-lifecycle/archive.ts'

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
  archivedAt: Date
  counts: ArchiveCounts
  profilesPurged: number
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
  return { archived: false, archivedAt, counts: noCounts, profilesPurged: 0 }
}

/** The caller holds the workspace's lock. Reference tables are written before the tenants' own. */
export async function archiveLocked(
  tx: Tx,
  actor: Actor & Pick<RequestContext, 'service'>,
  workspaceId: string,
): Promise<ArchiveResult> {
  const { now } = actor
  const members = await tx
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .returning(['user_id', 'role'])
    .execute()
  const owners = members.filter((member) => member.role === 'owner').map((member) => member.user_id)
  await tx
    .updateTable('workspaces')
    .set({ archived_at: now, archived_owner_ids: owners })
    .where('id', '=', workspaceId)
    .execute()
  const invitations = await tx
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  await revokeApps(tx, { workspaceId, now: actor.service.clock.machineNow() })
  await recordChange(tx, actor, { workspaceId, action: 'workspace.archived', subject: workspaceId })
  const profiles = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  const ofProfiles = await archiveProfiles(
    tx,
    profiles.map((profile) => profile.id),
    actor,
  )
  const counts = {
    profiles_archived: profiles.length,
    memberships_removed: members.length + ofProfiles.memberships_removed,
    invitations_revoked: invitations.length,
    api_keys_revoked: ofProfiles.api_keys_revoked,
    webhook_subscriptions_paused: ofProfiles.webhook_subscriptions_paused,
    retained_conversion_exports: ofProfiles.retained_conversion_exports,
    retained_signal_audit_rows: ofProfiles.retained_signal_audit_rows,
  }
  return { archived: true, archivedAt: now, counts, profilesPurged: profiles.length }
}

/** The workspace's own partner apps lose their secrets, and with them every grant they hold. */
async function revokeApps(tx: Tx, params: { workspaceId: string; now: Date }): Promise<void> {
  const apps = await tx
    .selectFrom('apps')
    .select('id')
    .where('workspace_id', '=', params.workspaceId)
    .execute()
  if (apps.length === 0) return
  const ids = apps.map((app) => app.id)
  await tx
    .updateTable('app_authorizations')
    .set({ revoked_at: params.now })
    .where('app_id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute()
  await tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('app_id', 'in', ids)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', params.now)]))
    .execute()
}
