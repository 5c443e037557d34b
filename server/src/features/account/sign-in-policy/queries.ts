import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

type MemberRow = { user_id: string; email: string; name: string; has_second_factor: boolean }

export async function readSignInPolicy(db: Db | Tx, params: { workspaceId: string }) {
  const { workspaceId } = params
  const { second_factor_from: from } = await rowsWhere(db, 'workspaces', { id: workspaceId }).get([
    'second_factor_from',
  ])
  const { rows: members } = await sql<MemberRow>`
    select u.id as user_id, u.email, u.name, exists (
      select 1 from user_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_second_factor
    from users u where u.id in (
      select user_id from workspace_members where workspace_id = ${workspaceId}
      union select m.user_id from profile_members m join profiles p on p.id = m.profile_id
        where p.workspace_id = ${workspaceId})
    order by u.email, u.id`.execute(db)
  return { second_factor_required_from: from, members }
}

export async function requireSecondFactorFrom(tx: Tx, params: { workspaceId: string; from: Date | null }) {
  await rowsWhere(tx, 'workspaces', { id: params.workspaceId }).update({ second_factor_from: params.from })
}
