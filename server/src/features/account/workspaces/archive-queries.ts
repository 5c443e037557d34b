import { copyKeys } from '../../../platform/access/key-copies.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export async function deleteMembers(
  tx: Tx,
  params: { workspaceId: string },
): Promise<{ user_id: string; role: string }[]> {
  return tx
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', params.workspaceId)
    .returning(['user_id', 'role'])
    .execute()
}

export async function markArchived(tx: Tx, params: { workspaceId: string; ownerIds: string[]; now: Date }) {
  await rowsWhere(tx, 'workspaces', { id: params.workspaceId }).update({
    archived_at: params.now,
    archived_owner_ids: params.ownerIds,
  })
}

/** Returns the number of revoked invitations. */
export async function revokePendingInvitations(tx: Tx, params: { workspaceId: string; now: Date }) {
  return rowsWhere(tx, 'invitations', {
    workspace_id: params.workspaceId,
    accepted_at: null,
    revoked_at: null,
  }).update({ revoked_at: params.now })
}

export async function listLiveProfileIds(tx: Tx, params: { workspaceId: string }): Promise<string[]> {
  const rows = await rowsWhere(tx, 'profiles', { workspace_id: params.workspaceId, archived_at: null }).list({
    columns: ['id'],
    orderBy: ['id'],
  })
  return rows.map((row) => row.id)
}

/** Revokes the secrets of the workspace's partner apps and all their authorizations. */
export async function revokeApps(tx: Tx, params: { workspaceId: string; now: Date }): Promise<void> {
  const apps = await rowsWhere(tx, 'apps', { workspace_id: params.workspaceId }).list({ columns: ['id'] })
  if (apps.length === 0) return
  const ids = apps.map((app) => app.id)
  await rowsWhere(tx, 'app_authorizations', { app_id: ids, revoked_at: null }).update({
    revoked_at: params.now,
  })
  const revoked = await tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('app_id', 'in', ids)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', params.now)]))
    .returning('id')
    .execute()
  await copyKeys(
    tx,
    revoked.map(({ id }) => id),
  )
}
