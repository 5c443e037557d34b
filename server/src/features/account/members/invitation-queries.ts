import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

export type InvitationRow = {
  id: string
  workspace_id: string
  profile_id: string | null
  email: string
  email_lower: string
  role: WorkspaceRole
  permissions: string[]
  invited_by_user_id: string | null
  created_at: Date
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
}

const invitationColumns = [
  'id',
  'workspace_id',
  'profile_id',
  'email',
  'email_lower',
  'role',
  'permissions',
  'invited_by_user_id',
  'created_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
] as const

/** Pending invitations to the workspace (`profileId` null) or to one profile. */
export async function listPendingInvitations(
  db: Db | Tx,
  params: { workspaceId: string; profileId: string | null; now: Date },
): Promise<InvitationRow[]> {
  const rows = await db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('workspace_id', '=', params.workspaceId)
    .where('profile_id', params.profileId === null ? 'is' : '=', params.profileId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', params.now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows as InvitationRow[]
}

export async function lockInvitation(
  tx: Tx,
  params: { workspaceId: string; profileId: string | null; id: string },
): Promise<InvitationRow | undefined> {
  const row = await tx
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('id', '=', params.id)
    .where('workspace_id', '=', params.workspaceId)
    .where('profile_id', params.profileId === null ? 'is' : '=', params.profileId)
    .forUpdate()
    .executeTakeFirst()
  return row as InvitationRow | undefined
}

export async function findInvitationByToken(
  tx: Tx,
  params: { hashes: Buffer[] },
): Promise<(InvitationRow & { was_mailed: boolean }) | undefined> {
  const row = await tx
    .selectFrom('invitations')
    .select(invitationColumns)
    .select((eb) => eb('token_hash', 'in', params.hashes).as('was_mailed'))
    .where((eb) => eb.or([eb('token_hash', 'in', params.hashes), eb('link_hash', 'in', params.hashes)]))
    .executeTakeFirst()
  return row as (InvitationRow & { was_mailed: boolean }) | undefined
}

export async function insertInvitation(
  tx: Tx,
  params: { invitation: InvitationRow; tokenHash: Buffer; linkHash: Buffer | null },
): Promise<void> {
  await insertRow(tx, 'invitations', {
    ...params.invitation,
    token_hash: params.tokenHash,
    link_hash: params.linkHash,
  })
}

export async function markRevoked(tx: Tx, params: { id: string; now: Date }): Promise<void> {
  await rowsWhere(tx, 'invitations', { id: params.id }).update({ revoked_at: params.now })
}

export async function markAccepted(tx: Tx, params: { id: string; now: Date }): Promise<void> {
  await rowsWhere(tx, 'invitations', { id: params.id }).update({ accepted_at: params.now })
}

export async function findInvitingWorkspace(tx: Tx, params: { workspaceId: string }) {
  return rowsWhere(tx, 'workspaces', { id: params.workspaceId }).get(['name'])
}

/** Upserts the profile membership and returns its id. */
export async function joinProfile(
  tx: Tx,
  params: {
    id: string
    profileId: string
    userId: string
    role: WorkspaceRole
    permissions: string[]
    now: Date
  },
): Promise<string> {
  const { role, permissions } = params
  const row = await tx
    .insertInto('profile_members')
    .values({
      id: params.id,
      profile_id: params.profileId,
      user_id: params.userId,
      role,
      permissions,
      created_at: params.now,
    })
    .onConflict((conflict) => conflict.columns(['profile_id', 'user_id']).doUpdateSet({ role, permissions }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
