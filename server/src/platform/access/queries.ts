import { type InferResult, sql } from 'kysely'
import type { ProfileRef } from '../../context.ts'
import type { ProfileRole, WorkspaceRole } from '../contract/access.ts'
import { phoneCountryOf } from '../contract/countries.ts'
import type { Db, Tx } from '../db/database.ts'
import { rowsWhere } from '../db/rows.ts'
import { lacksDpa } from './dpa.ts'
import { copyKeys } from './key-copies.ts'

export type CredentialRow = {
  id: string
  kind: string
  lookup_hash: Buffer
  profile_id: string | null
  workspace_id: string | null
  user_id: string | null
  app_id: string | null
  client_id: string | null
  authorization_id: string | null
  grant_name: string | null
  scopes: string[]
  lacks_dpa: boolean
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  /** Of sessions: how they were opened; null if an older process opened them. */
  second_factor: boolean | null
  is_proved: boolean | null
  sso_workspace_id: string | null
  /** True for a session of a person who has a second factor. */
  needs_second_factor: boolean
}

/**
 * Finds a valid credential: not revoked or expired, its profile and workspace not archived, its authorization not
 * withdrawn. With a `profileId` it is looked up in the copies on the profile's shard.
 */
export async function findCredential(
  db: Db | Tx,
  params: { hashes: Buffer[]; now: Date; isSession: boolean; profileId?: string },
): Promise<CredentialRow | undefined> {
  const { profileId } = params
  const credentials = profileId === undefined ? sql`credentials c` : sql`key_copies c`
  const isOwn = profileId === undefined ? sql`` : sql`c.profile_id = ${profileId} and`
  // `session_activity`, `session_details` and `user_factors` are only on the coordinator, whereas keys are also looked up on other nodes.
  const activity = params.isSession
    ? {
        columns: sql`s.last_used_at, d.second_factor, d.proved_at is not null as is_proved, d.sso_workspace_id,
          exists (select 1 from user_factors f where f.user_id = c.user_id and f.confirmed_at is not null)
            as needs_second_factor`,
        join: sql`left join session_activity s on s.credential_id = c.id
          left join session_details d on d.credential_id = c.id`,
      }
    : {
        columns: sql`null::timestamptz as last_used_at, null::boolean as second_factor, null::boolean as is_proved,
          null::uuid as sso_workspace_id, false as needs_second_factor`,
        join: sql``,
      }
  const { rows } = await sql<CredentialRow>`
    select c.id, c.kind, c.lookup_hash, c.profile_id, c.workspace_id, c.user_id, c.app_id, a.client_id,
           c.authorization_id, c.grant_name, c.scopes, c.created_at, c.expires_at, ${lacksDpa} as lacks_dpa,
           ${activity.columns}
    from ${credentials}
    left join apps a on a.id = c.app_id
    left join profiles p on p.id = c.profile_id
    left join workspaces w on w.id = p.workspace_id
    left join app_authorizations au on au.id = c.authorization_id
    ${activity.join}
    where ${isOwn} c.lookup_hash = any(${params.hashes}::bytea[])
      and (c.revoked_at is null or c.revoked_at > ${params.now})
      and (c.expires_at is null or c.expires_at > ${params.now})
      and p.archived_at is null and w.archived_at is null and au.revoked_at is null`.execute(db)
  return rows[0]
}

export async function rehashCredential(db: Db, params: { id: string; from: Buffer; to: Buffer }) {
  await db.transaction().execute(async (tx) => {
    await rowsWhere(tx, 'credentials', { id: params.id, lookup_hash: params.from }).update({
      lookup_hash: params.to,
    })
    await copyKeys(tx, [params.id])
  })
}

export async function touchSession(db: Db | Tx, params: { credentialId: string; now: Date }): Promise<void> {
  await db
    .insertInto('session_activity')
    .values({ credential_id: params.credentialId, last_used_at: params.now })
    .onConflict((conflict) =>
      conflict.column('credential_id').doUpdateSet({ last_used_at: (eb) => eb.ref('excluded.last_used_at') }),
    )
    .execute()
}

const liveProfiles = (db: Db | Tx) =>
  db
    .selectFrom('profiles as p')
    .innerJoin('workspaces as w', 'w.id', 'p.workspace_id')
    .leftJoin('app_authorizations as g', (join) =>
      join.onRef('g.id', '=', 'p.governing_authorization_id').on('g.revoked_at', 'is', null),
    )
    .select([
      'p.id',
      'p.workspace_id',
      'p.name',
      'p.timezone',
      'p.currency',
      'p.country',
      'p.privacy_mode',
      'p.provisioned_by_app_id',
      'g.app_id as governing_app_id',
      'g.allows_adoption',
      'p.is_demo',
      'w.healthcare',
    ])
    .where('p.archived_at', 'is', null)
    .where('w.archived_at', 'is', null)

type LiveProfileRow = InferResult<ReturnType<typeof liveProfiles>>[number]

const toProfileRef = (row: LiveProfileRow): ProfileRef => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  timezone: row.timezone,
  currency: row.currency,
  country: phoneCountryOf(row),
  privacyMode: row.privacy_mode as ProfileRef['privacyMode'],
  healthcareWorkspace: row.healthcare,
  provisionedByAppId: isProvisioner(row) ? row.governing_app_id : null,
  governingAppId: row.governing_app_id,
  isDemo: row.is_demo,
})

export async function findProfileRef(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ProfileRef | undefined> {
  const row = await liveProfiles(db).where('p.id', '=', params.profileId).executeTakeFirst()
  return row === undefined ? undefined : toProfileRef(row)
}

/** Live profiles of a workspace with their settings, oldest first. */
export async function listProfileRefs(db: Db | Tx, params: { workspaceId: string }): Promise<ProfileRef[]> {
  const rows = await liveProfiles(db)
    .where('p.workspace_id', '=', params.workspaceId)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()
  return rows.map(toProfileRef)
}

/** Live profiles of a workspace, oldest first. */
export async function listProfileIds(db: Db | Tx, params: { workspaceId: string }): Promise<string[]> {
  const rows = await rowsWhere(db, 'profiles', { workspace_id: params.workspaceId, archived_at: null }).list({
    columns: ['id'],
    orderBy: ['created_at', 'id'],
  })
  return rows.map((row) => row.id)
}

/**
 * Whether a membership `m` is effective. One that an app granted to an address takes effect only once the address is
 * verified, because another person may have signed up with it.
 */
export const countsAsMember = sql<boolean>`(not m.by_email or exists (
  select 1 from users u where u.id = m.user_id and u.email_verified_at is not null))`

/**
 * An app that adopted a profile with a person's consent is not its provisioner, even if it originally created the
 * profile.
 */
function isProvisioner(row: {
  provisioned_by_app_id: string | null
  governing_app_id: string | null
  allows_adoption: boolean | null
}): boolean {
  return row.governing_app_id === row.provisioned_by_app_id && row.allows_adoption !== true
}

/** The person's role in a live workspace; undefined for non-members. */
export async function findWorkspaceRole(
  db: Db | Tx,
  params: { workspaceId: string; userId: string },
): Promise<WorkspaceRole | undefined> {
  const member = await findMember(db, params)
  return member?.counts === true ? member.role : undefined
}

/** A membership of a live workspace, including one that is not effective until the address is verified. */
export async function findMember(
  db: Db | Tx,
  params: { workspaceId: string; userId: string },
): Promise<{ role: WorkspaceRole; counts: boolean } | undefined> {
  const row = await db
    .selectFrom('workspace_members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['m.role', countsAsMember.as('counts')])
    .where('m.workspace_id', '=', params.workspaceId)
    .where('m.user_id', '=', params.userId)
    .where('w.archived_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : { role: row.role as WorkspaceRole, counts: row.counts }
}

/**
 * A person's role in a profile: editors and above of the workspace have that role in all its profiles; for others a
 * membership of the profile takes precedence over the workspace's viewer role.
 */
export async function findMembership(
  db: Db | Tx,
  params: { profile: Pick<ProfileRef, 'id' | 'workspaceId'>; userId: string },
): Promise<{ role: WorkspaceRole | ProfileRole; permissions: string[] } | undefined> {
  const { profile, userId } = params
  const role = await findWorkspaceRole(db, { workspaceId: profile.workspaceId, userId })
  if (role !== undefined && role !== 'viewer') return { role, permissions: [] }
  const membership = await findProfileMembership(db, { profileId: profile.id, userId })
  return membership ?? (role === undefined ? undefined : { role, permissions: [] })
}

export async function findProfileMembership(
  db: Db | Tx,
  params: { profileId: string; userId: string },
): Promise<{ role: ProfileRole; permissions: string[] } | undefined> {
  const row = await db
    .selectFrom('profile_members as m')
    .select(['m.role', 'm.permissions'])
    .where('m.profile_id', '=', params.profileId)
    .where('m.user_id', '=', params.userId)
    .where(countsAsMember)
    .executeTakeFirst()
  return row === undefined ? undefined : { role: row.role as ProfileRole, permissions: row.permissions }
}

/** A person's memberships of individual profiles of a workspace. */
export async function listProfileMemberships(
  db: Db | Tx,
  params: { workspaceId: string; userId: string },
): Promise<Map<string, { role: ProfileRole; permissions: string[] }>> {
  const rows = await db
    .selectFrom('profile_members as m')
    .innerJoin('profiles as p', 'p.id', 'm.profile_id')
    .select(['m.profile_id', 'm.role', 'm.permissions'])
    .where('p.workspace_id', '=', params.workspaceId)
    .where('m.user_id', '=', params.userId)
    .where(countsAsMember)
    .execute()
  return new Map(
    rows.map(({ profile_id, role, permissions }) => [profile_id, { role: role as ProfileRole, permissions }]),
  )
}

/** An app governs a workspace that it created until its people have withdrawn all authorizations there. */
export async function canAppManageWorkspace(
  db: Db | Tx,
  params: { workspaceId: string; appId: string },
): Promise<boolean> {
  const { rows } = await sql<{ governs: boolean }>`
    select bool_or(a.id is not null and a.revoked_at is null)
        or not bool_or(a.withdrawn_by_user_id is not null) as governs
    from workspaces w
    left join profiles p on p.workspace_id = w.id
    left join app_authorizations a on a.profile_id = p.id and a.app_id = w.provisioned_by_app_id
    where w.id = ${params.workspaceId} and w.provisioned_by_app_id = ${params.appId} and w.archived_at is null
    group by w.id`.execute(db)
  return rows[0]?.governs ?? false
}

/**
 * An app provisions, adopts and decides in workspaces that it created and governs, and in the one that registered
 * it.
 */
export async function ownsWorkspace(
  db: Db | Tx,
  params: { workspaceId: string; appId: string },
): Promise<boolean> {
  const app = await rowsWhere(db, 'apps', { id: params.appId }).find(['workspace_id'])
  return app?.workspace_id === params.workspaceId || canAppManageWorkspace(db, params)
}

export async function findAppName(db: Db | Tx, params: { appId: string }): Promise<string | undefined> {
  return (await rowsWhere(db, 'apps', { id: params.appId }).find(['name']))?.name
}

export async function findEntitlement(
  db: Db | Tx,
  params: { profileId: string; feature: string },
): Promise<boolean> {
  const row = await rowsWhere(db, 'profile_entitlements', {
    profile_id: params.profileId,
    feature: params.feature,
  }).find(['enabled'])
  return row?.enabled ?? false
}

/** Marks the address as verified; an earlier verification time is kept. */
export async function markVerified(tx: Tx, params: { userId: string; now: Date }): Promise<void> {
  await rowsWhere(tx, 'users', { id: params.userId, email_verified_at: null }).update({
    email_verified_at: params.now,
  })
}
