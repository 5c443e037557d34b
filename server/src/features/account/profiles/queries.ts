import { sql } from 'kysely'
import { countsAsMember } from '../../../platform/access/queries.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import type { AppRelation } from './rules.ts'

export type ProfileRow = {
  id: string
  workspace_id: string
  name: string
  timezone: string
  currency: string
  /** As stored; null: derived from time zone and currency. */
  country: string | null
  privacy_mode: 'standard' | 'platform_safe' | 'hipaa'
  provisioned_by_app_id: string | null
  is_demo: boolean
  created_at: Date
  archived_at: Date | null
}

const columns = sql`p.id, p.workspace_id, p.name, p.timezone, p.currency, p.country, p.privacy_mode,
  p.provisioned_by_app_id, p.is_demo, p.created_at, p.archived_at`

/** Profiles that a person can open as a member of the workspace or of the profile; without archived ones. */
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

/** True if the profile has data that depends on its time zone or currency. */
export async function hasData(tx: Tx, params: { profileId: string }): Promise<boolean> {
  const { profileId } = params
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from events where profile_id = ${profileId})
      or exists (select 1 from ad_delivery where profile_id = ${profileId})
      or exists (select 1 from connections where profile_id = ${profileId}) as found`.execute(tx)
  return rows[0]!.found
}

export async function updateProfileRow(
  tx: Tx,
  params: { profileId: string; fields: Pick<ProfileRow, 'name' | 'timezone' | 'currency' | 'country'> },
): Promise<void> {
  await rowsWhere(tx, 'profiles', { id: params.profileId }).update(params.fields)
}

/** Profiles for which an app has a valid authorization, including those it governs; without archived ones. */
export async function listProfilesOfApp(db: Db | Tx, params: { appId: string; workspaceId: string | null }) {
  const { rows } = await sql<ProfileRow>`
    select ${columns} from profiles p join workspaces w on w.id = p.workspace_id
    where p.archived_at is null and w.archived_at is null
      and (${params.workspaceId}::uuid is null or p.workspace_id = ${params.workspaceId}::uuid)
      and exists (
        select 1 from app_authorizations a
        where a.profile_id = p.id and a.app_id = ${params.appId} and a.revoked_at is null)
    order by p.created_at, p.id`.execute(db)
  return rows
}

/** Relation of an app to a profile, including archived profiles. */
export async function findAppRelation(db: Db | Tx, params: { profileId: string; appId: string }) {
  const { profileId, appId } = params
  const { rows } = await sql<AppRelation>`
    select p.workspace_id as "workspaceId", p.archived_at as "archivedAt",
      p.provisioned_by_app_id is not distinct from ${appId} as provisioned,
      case when g.id is null then null else jsonb_build_object('own', g.app_id = ${appId},
        'live', g.revoked_at is null, 'byConsent', g.allows_adoption) end as governing,
      bool_or(a.id is not null and a.revoked_at is null) as authorized,
      (array_agg(a.id order by a.id) filter (where a.revoked_at is null and a.allows_adoption))[1] as "consentId",
      bool_or(a.withdrawn_by_user_id is not null) as withdrawn
    from profiles p
    left join app_authorizations g on g.id = p.governing_authorization_id
    left join app_authorizations a on a.profile_id = p.id and a.app_id = ${appId}
    where p.id = ${profileId}
    group by p.id, g.id`.execute(db)
  return rows[0]
}

export async function insertProfileRow(tx: Tx, row: ProfileRow): Promise<void> {
  // Null: restatements are recorded from the start. The column's default is for processes of the previous release.
  await insertRow(tx, 'profiles', { ...row, restatements_since: null })
}

/** Membership for an address that an app provided; effective once the person verifies the address. */
export async function insertProfileEditor(
  tx: Tx,
  params: { profileId: string; id: string; userId: string; now: Date },
): Promise<void> {
  await insertRow(tx, 'profile_members', {
    id: params.id,
    profile_id: params.profileId,
    user_id: params.userId,
    role: 'editor',
    by_email: true,
    created_at: params.now,
  })
}

export async function saveGoverning(tx: Tx, params: { profileId: string; authorizationId: string }) {
  await rowsWhere(tx, 'profiles', { id: params.profileId }).update({
    governing_authorization_id: params.authorizationId,
  })
}

export async function saveEntitlement(
  tx: Tx,
  params: { profileId: string; feature: string; enabled: boolean; now: Date },
): Promise<void> {
  const fields = { enabled: params.enabled, updated_at: params.now }
  await tx
    .insertInto('profile_entitlements')
    .values({ profile_id: params.profileId, feature: params.feature, ...fields })
    .onConflict((conflict) => conflict.columns(['profile_id', 'feature']).doUpdateSet(fields))
    .execute()
}
