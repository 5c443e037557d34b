import { sql } from 'kysely'
import { lockCopiedRow } from '../../../platform/db/copied-row-lock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

/** The fields of an app that its partner sets and may change. */
export type Registration = {
  name: string
  logo_url: string | null
  redirect_uris: string[]
  allowed_return_origins: string[]
  allowed_scopes: string[]
}

export type OAuthAppRow = Registration & {
  id: string
  client_id: string
  created_at: Date
  updated_at: Date
  dpa_version: string | null
  dpa_accepted_at: Date | null
  dpa_withdrawn_at: Date | null
}

/** Apps registered by the workspace, each with the workspace's own acceptance of the agreement. */
export async function listApps(db: Db | Tx, params: { workspaceId: string; appId?: string }) {
  const only = params.appId ?? null
  const { rows } = await sql<OAuthAppRow>`
    select a.id, a.client_id, a.name, a.logo_url, a.redirect_uris, a.allowed_return_origins, a.allowed_scopes,
      a.created_at, a.updated_at, d.version as dpa_version, d.accepted_at as dpa_accepted_at,
      d.withdrawn_at as dpa_withdrawn_at
    from apps a
    left join app_dpa_acceptances d on d.app_id = a.id and d.workspace_id = ${params.workspaceId}
    where a.workspace_id = ${params.workspaceId} and (${only}::uuid is null or a.id = ${only}::uuid)
    order by a.created_at, a.id`.execute(db)
  return rows
}

/** False if the workspace has no such app. */
export async function lockApp(tx: Tx, params: { workspaceId: string; appId: string }): Promise<boolean> {
  await lockCopiedRow(tx, 'apps', params.appId)
  return rowsWhere(tx, 'apps', { id: params.appId, workspace_id: params.workspaceId }).exists()
}

export async function countApps(tx: Tx, params: { workspaceId: string }): Promise<number> {
  return rowsWhere(tx, 'apps', { workspace_id: params.workspaceId }).count()
}

export async function insertApp(
  tx: Tx,
  params: { workspaceId: string; id: string; clientId: string; registration: Registration; now: Date },
): Promise<void> {
  await insertRow(tx, 'apps', {
    ...params.registration,
    id: params.id,
    workspace_id: params.workspaceId,
    client_id: params.clientId,
    created_at: params.now,
    updated_at: params.now,
  })
}

export async function updateApp(
  tx: Tx,
  params: { workspaceId: string; appId: string; patch: Partial<Registration>; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'apps', { id: params.appId, workspace_id: params.workspaceId }).update({
    ...params.patch,
    updated_at: params.now,
  })
}

export type SecretRow = {
  id: string
  app_id: string
  hint: string
  created_at: Date
  expires_at: Date | null
}

/** Valid secrets, newest first. */
export async function listLiveSecrets(
  db: Db | Tx,
  params: { appIds: readonly string[]; now: Date },
): Promise<SecretRow[]> {
  if (params.appIds.length === 0) return []
  const rows = await db
    .selectFrom('credentials')
    .select(['id', 'app_id', 'hint', 'created_at', 'expires_at'])
    .where('kind', '=', 'app_secret')
    .where('app_id', 'in', params.appIds)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', params.now)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows as SecretRow[]
}

export async function insertSecret(
  tx: Tx,
  params: { appId: string; id: string; lookupHash: Buffer; hint: string; madeBy: string; now: Date },
): Promise<void> {
  await insertRow(tx, 'credentials', {
    id: params.id,
    kind: 'app_secret',
    lookup_hash: params.lookupHash,
    hint: params.hint,
    app_id: params.appId,
    made_by_user_id: params.madeBy,
    created_at: params.now,
  })
}

export async function setSecretExpiry(tx: Tx, params: { appId: string; id: string; expiresAt: Date | null }) {
  await rowsWhere(tx, 'credentials', { id: params.id, app_id: params.appId }).update({
    expires_at: params.expiresAt,
  })
}

export async function revokeSecrets(tx: Tx, params: { appId: string; ids: readonly string[]; now: Date }) {
  if (params.ids.length === 0) return
  await rowsWhere(tx, 'credentials', { id: params.ids, app_id: params.appId }).update({
    revoked_at: params.now,
  })
}

/** Accepting again replaces the previous acceptance and clears a withdrawal. */
export async function saveDpaAcceptance(
  tx: Tx,
  params: { workspaceId: string; appId: string; userId: string; version: string; now: Date },
): Promise<void> {
  const acceptance = {
    version: params.version,
    accepted_by_user_id: params.userId,
    accepted_at: params.now,
    withdrawn_at: null,
  }
  await tx
    .insertInto('app_dpa_acceptances')
    .values({ app_id: params.appId, workspace_id: params.workspaceId, ...acceptance })
    .onConflict((conflict) => conflict.columns(['app_id', 'workspace_id']).doUpdateSet(acceptance))
    .execute()
  await setDpaAccepted(tx, params, true)
}

/** Denormalised flag that every node reads when it checks a key of the app. */
async function setDpaAccepted(tx: Tx, params: { workspaceId: string; appId: string }, accepted: boolean) {
  await rowsWhere(tx, 'apps', { id: params.appId, workspace_id: params.workspaceId }).update({
    dpa_accepted: accepted,
  })
}

export async function withdrawDpaAcceptance(
  tx: Tx,
  params: { workspaceId: string; appId: string; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'app_dpa_acceptances', {
    app_id: params.appId,
    workspace_id: params.workspaceId,
  }).update({ withdrawn_at: params.now })
  await setDpaAccepted(tx, params, false)
}

export type ConnectedAppRow = {
  id: string
  app_id: string
  client_id: string
  app_name: string
  logo_url: string | null
  profile_id: string
  profile_name: string
  grant_name: string
  scopes: string[]
  user_id: string | null
  governs: boolean
  created_at: Date
}

export async function listConnectedApps(db: Db | Tx, params: { workspaceId: string }) {
  const { rows } = await sql<ConnectedAppRow>`
    select au.id, a.id as app_id, a.client_id, a.name as app_name, a.logo_url, p.id as profile_id,
      p.name as profile_name, au.grant_name, au.scopes, au.user_id, au.created_at,
      exists (select 1 from app_authorizations g where g.id = p.governing_authorization_id
        and g.app_id = a.id and g.revoked_at is null) as governs
    from app_authorizations au
    join apps a on a.id = au.app_id
    join profiles p on p.id = au.profile_id
    where p.workspace_id = ${params.workspaceId} and p.archived_at is null and au.revoked_at is null
    order by au.created_at, au.id`.execute(db)
  return rows
}

export type AppRow = {
  id: string
  workspace_id: string
  client_id: string
  name: string
  allowed_scopes: string[]
}

export async function getApp(tx: Tx, appId: string): Promise<AppRow> {
  return rowsWhere(tx, 'apps', { id: appId }).get([
    'id',
    'workspace_id',
    'client_id',
    'name',
    'allowed_scopes',
  ])
}

export async function insertAuthorization(
  tx: Tx,
  params: {
    id: string
    appId: string
    profileId: string
    userId: string | null
    grant: string
    scopes: string[]
    allowsAdoption: boolean
    now: Date
  },
): Promise<void> {
  await insertRow(tx, 'app_authorizations', {
    id: params.id,
    app_id: params.appId,
    profile_id: params.profileId,
    user_id: params.userId,
    grant_name: params.grant,
    scopes: params.scopes,
    allows_adoption: params.allowsAdoption,
    created_at: params.now,
  })
}
