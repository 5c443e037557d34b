import { sql } from 'kysely'
import type { ProfileRole, WorkspaceRole } from '../../../platform/contract/access.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type MemberRow = {
  user_id: string
  email: string
  name: string
  email_verified: boolean
  role: WorkspaceRole | null
  created_at: Date | null
  profiles: { membership_id: string; profile_id: string; role: ProfileRole; permissions: string[] }[]
}

export async function listMembers(db: Db | Tx, params: { workspaceId: string; userId?: string }) {
  const only = params.userId ?? null
  const { rows } = await sql<MemberRow>`
    select u.id as user_id, u.email, u.name, u.email_verified_at is not null as email_verified, m.role, m.created_at, coalesce(of_profiles.list, '[]') as profiles
    from users u
    left join workspace_members m on m.user_id = u.id and m.workspace_id = ${params.workspaceId}
    left join (
      select pm.user_id, jsonb_agg(jsonb_build_object('membership_id', pm.id, 'profile_id', pm.profile_id,
        'role', pm.role, 'permissions', pm.permissions) order by pm.created_at, pm.id) as list
      from profile_members pm join profiles p on p.id = pm.profile_id
      where p.workspace_id = ${params.workspaceId} and p.archived_at is null
      group by pm.user_id
    ) of_profiles on of_profiles.user_id = u.id
    where (m.user_id is not null or of_profiles.user_id is not null)
      and (${only}::uuid is null or u.id = ${only}::uuid)
    order by m.created_at nulls last, u.id`.execute(db)
  return rows
}

export async function countOwners(tx: Tx, params: { workspaceId: string }): Promise<number> {
  const row = await tx
    .selectFrom('workspace_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', params.workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Upserts a member; for an existing member only the role changes. */
export async function saveMember(
  tx: Tx,
  params: {
    workspaceId: string
    userId: string
    role: WorkspaceRole
    /** True if the membership was given to an address that its person has not confirmed. */
    byEmail: boolean
    now: Date
  },
): Promise<void> {
  const { role } = params
  await tx
    .insertInto('workspace_members')
    .values({
      workspace_id: params.workspaceId,
      user_id: params.userId,
      role,
      by_email: params.byEmail,
      created_at: params.now,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

export async function deleteMember(tx: Tx, params: { workspaceId: string; userId: string }): Promise<void> {
  await rowsWhere(tx, 'workspace_members', {
    workspace_id: params.workspaceId,
    user_id: params.userId,
  }).delete()
}

/** Deletes profile memberships of one person. */
export async function deleteMemberships(tx: Tx, params: { userId: string; ids: readonly string[] }) {
  if (params.ids.length === 0) return
  await rowsWhere(tx, 'profile_members', { id: params.ids, user_id: params.userId }).delete()
}

type MembershipKey = { profileId: string; membershipId: string }

export async function lockProfileMember(tx: Tx, params: MembershipKey) {
  return rowsWhere(tx, 'profile_members', { id: params.membershipId, profile_id: params.profileId }).lock([
    'user_id',
    'role',
    'permissions',
  ])
}

export async function updateProfileMemberRow(
  tx: Tx,
  params: MembershipKey & { fields: { role: string; permissions: string[] } },
): Promise<void> {
  await rowsWhere(tx, 'profile_members', { id: params.membershipId, profile_id: params.profileId }).update(
    params.fields,
  )
}

export async function deleteProfileMember(tx: Tx, params: MembershipKey): Promise<void> {
  await rowsWhere(tx, 'profile_members', { id: params.membershipId, profile_id: params.profileId }).delete()
}
