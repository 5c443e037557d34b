import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { countsAsMember } from '../access/queries.ts'

export type ProfileRow = {
  id: string
  workspace_id: string
  name: string
  timezone: string
  currency: string
  privacy_mode: 'standard' | 'platform_safe' | 'hipaa'
  provisioned_by_app_id: string | null
  is_demo: boolean
  created_at: Date
  archived_at: Date | null
}

const columns = sql`p.id, p.workspace_id, p.name, p.timezone, p.currency, p.privacy_mode,
  p.provisioned_by_app_id, p.is_demo, p.created_at, p.archived_at`

/** Live profiles a person opens as a member of the workspace or of the profile itself. */
export async function listProfilesOfUser(
  db: Db | Tx,
  params: { userId: string; workspaceId: string | null },
): Promise<ProfileRow[]> {
  const { rows } = await sql<ProfileRow>`
    select ${columns} from profiles p join workspaces w on w.id = p.workspace_id
    where p.archived_at is null and w.archived_at is null
      and (${params.workspaceId}::uuid is null or p.workspace_id = ${params.workspaceId}::uuid)
      and (exists (select 1 from workspace_members m
                   where m.workspace_id = p.workspace_id and m.user_id = ${params.userId} and ${countsAsMember})
        or exists (select 1 from profile_members m
                   where m.profile_id = p.id and m.user_id = ${params.userId} and ${countsAsMember}))
    order by p.created_at, p.id`.execute(db)
  return rows
}

/** Live profiles an app provisioned or holds an authorization for. */
export async function listProfilesOfApp(
  db: Db | Tx,
  params: { appId: string; workspaceId: string | null },
): Promise<ProfileRow[]> {
  const { rows } = await sql<ProfileRow>`
    select ${columns} from profiles p join workspaces w on w.id = p.workspace_id
    where p.archived_at is null and w.archived_at is null
      and (${params.workspaceId}::uuid is null or p.workspace_id = ${params.workspaceId}::uuid)
      and (p.provisioned_by_app_id = ${params.appId} or exists (
        select 1 from app_authorizations a
        where a.profile_id = p.id and a.app_id = ${params.appId} and a.revoked_at is null))
    order by p.created_at, p.id`.execute(db)
  return rows
}

export type ReachableProfile = {
  id: string
  workspace_id: string
  provisioned_by_app_id: string | null
  archived_at: Date | null
  workspace_provisioned: boolean
  authorized: boolean
}

/** What an app is to a profile, archived ones included. */
export async function findProfileForApp(
  db: Db | Tx,
  params: { profileId: string; appId: string },
): Promise<ReachableProfile | undefined> {
  const { rows } = await sql<ReachableProfile>`
    select p.id, p.workspace_id, p.provisioned_by_app_id, p.archived_at,
      coalesce(w.provisioned_by_app_id = ${params.appId}, false) as workspace_provisioned,
      exists (select 1 from app_authorizations a where a.profile_id = p.id
        and a.app_id = ${params.appId} and a.revoked_at is null) as authorized
    from profiles p join workspaces w on w.id = p.workspace_id
    where p.id = ${params.profileId}`.execute(db)
  return rows[0]
}
