import { copyKeys } from '../../../platform/access/key-copies.ts'
import type { Tx } from '../../../platform/db/database.ts'

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

export async function markArchived(
  tx: Tx,
  params: { workspaceId: string; ownerIds: string[]; now: Date },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ archived_at: params.now, archived_owner_ids: params.ownerIds })
    .where('id', '=', params.workspaceId)
    .execute()
}

/** How many there were. */
export async function revokePendingInvitations(
  tx: Tx,
  params: { workspaceId: string; now: Date },
): Promise<number> {
  const rows = await tx
    .updateTable('invitations')
    .set({ revoked_at: params.now })
    .where('workspace_id', '=', params.workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length
}

export async function listLiveProfileIds(tx: Tx, params: { workspaceId: string }): Promise<string[]> {
  const rows = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', params.workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The workspace's own partner apps lose their secrets, and with them every grant they hold. */
export async function revokeApps(tx: Tx, params: { workspaceId: string; now: Date }): Promise<void> {
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
