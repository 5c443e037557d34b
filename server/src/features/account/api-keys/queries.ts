import { sql } from 'kysely'
import { copyKeys } from '../../../platform/access/key-copies.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

export type ApiKeyRow = {
  id: string
  hint: string
  name: string | null
  profile_id: string
  scopes: string[]
  app_id: string | null
  authorization_id: string | null
  grant_name: string | null
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

const columns = sql`c.id, c.hint, c.name, c.profile_id, c.scopes, c.app_id, c.authorization_id, c.grant_name,
  c.created_at, c.expires_at, c.revoked_at`

/** Valid keys of the workspace's profiles, without archived profiles. */
export async function listApiKeys(
  db: Db | Tx,
  params: { workspaceId: string; profileId: string | null; now: Date },
): Promise<(ApiKeyRow & { last_used_on: string | null })[]> {
  const { rows } = await sql<ApiKeyRow & { last_used_on: string | null }>`
    select ${columns}, (select max(u.day) from api_usage u where u.credential_id = c.id) as last_used_on
    from credentials c join profiles p on p.id = c.profile_id
    where c.kind = 'api_key' and p.workspace_id = ${params.workspaceId} and p.archived_at is null
      and (${params.profileId}::uuid is null or c.profile_id = ${params.profileId}::uuid)
      and (c.revoked_at is null or c.revoked_at > ${params.now})
    order by c.created_at, c.id`.execute(db)
  return rows
}

/** Live keys without those of apps. */
export async function countApiKeys(tx: Tx, params: { profileId: string }): Promise<number> {
  return rowsWhere(tx, 'credentials', {
    kind: 'api_key',
    profile_id: params.profileId,
    app_id: null,
    revoked_at: null,
  }).count()
}

/** Locks a key of the workspace, including revoked ones, until the transaction ends. */
export async function lockApiKey(tx: Tx, params: { workspaceId: string; id: string }) {
  const { rows } = await sql<ApiKeyRow>`
    select ${columns} from credentials c join profiles p on p.id = c.profile_id
    where c.id = ${params.id} and c.kind = 'api_key' and p.workspace_id = ${params.workspaceId}
      and p.archived_at is null
    for update of c`.execute(tx)
  return rows[0]
}

/** Revokes the key at the given time, now or in the future. */
export async function setKeyRevocation(tx: Tx, params: { profileId: string; id: string; revokedAt: Date }) {
  await rowsWhere(tx, 'credentials', { id: params.id, profile_id: params.profileId }).update({
    revoked_at: params.revokedAt,
  })
  await copyKeys(tx, [params.id])
}

export async function profileExists(db: Db | Tx, params: { workspaceId: string; profileId: string }) {
  return rowsWhere(db, 'profiles', {
    id: params.profileId,
    workspace_id: params.workspaceId,
    archived_at: null,
  }).exists()
}

export type UsageRow = {
  api_key_id: string
  hint: string
  name: string | null
  profile_id: string
  days: { date: string; requests: number; errors: number }[]
}

export async function listUsage(
  db: Db | Tx,
  params: { workspaceId: string; profileId: string | null; from: string; to: string },
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    with daily as (
      select u.credential_id, u.day, sum(u.requests)::bigint as requests, sum(u.errors)::bigint as errors
      from api_usage u where u.day between ${params.from}::date and ${params.to}::date
      group by u.credential_id, u.day
    )
    select c.id as api_key_id, c.hint, c.name, c.profile_id,
      coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'requests', d.requests, 'errors', d.errors)
        order by d.day) filter (where d.day is not null), '[]') as days
    from credentials c
    join profiles p on p.id = c.profile_id
    left join daily d on d.credential_id = c.id
    where c.kind = 'api_key' and p.workspace_id = ${params.workspaceId} and p.archived_at is null
      and (${params.profileId}::uuid is null or c.profile_id = ${params.profileId}::uuid)
    group by c.id, c.hint, c.name, c.profile_id, c.created_at
    order by c.created_at, c.id`.execute(db)
  return rows
}

const tokenKinds = ['user_token', 'oauth_refresh'] as const

export async function listTokensOfUser(db: Db | Tx, params: { userId: string; now: Date }) {
  return db
    .selectFrom('credentials')
    .select(['id', 'hint', 'name', 'scopes', 'created_at', 'expires_at'])
    .where('kind', 'in', tokenKinds)
    .where('user_id', '=', params.userId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', params.now)]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertUserToken(
  db: Db | Tx,
  params: {
    userId: string
    lookupHash: Buffer
    row: {
      id: string
      hint: string
      name: string
      scopes: string[]
      created_at: Date
      expires_at: null
    }
  },
): Promise<void> {
  await insertRow(db, 'credentials', {
    ...params.row,
    kind: 'user_token',
    lookup_hash: params.lookupHash,
    user_id: params.userId,
  })
}

/** Live tokens that the person created, without clients. */
export async function countUserTokens(tx: Tx, params: { userId: string }): Promise<number> {
  return rowsWhere(tx, 'credentials', {
    kind: 'user_token',
    user_id: params.userId,
    revoked_at: null,
  }).count()
}

/** Undefined if the person has no such token or it is already revoked. */
export async function revokeTokenOfUser(
  tx: Tx,
  params: { userId: string; id: string; now: Date },
): Promise<{ authorization_id: string | null; name: string | null } | undefined> {
  return tx
    .updateTable('credentials')
    .set({ revoked_at: params.now })
    .where('id', '=', params.id)
    .where('kind', 'in', tokenKinds)
    .where('user_id', '=', params.userId)
    .where('revoked_at', 'is', null)
    .returning(['authorization_id', 'name'])
    .executeTakeFirst()
}

export type NewApiKey = {
  profileId: string
  name: string
  scopes: readonly string[]
  now: Date
  /** The person who saw the key. */
  madeBy?: string
  app?: { appId: string; authorizationId: string; grant: string } | undefined
}

export async function insertApiKey(
  db: Db | Tx,
  key: NewApiKey & { id: string; lookupHash: Buffer; hint: string },
): Promise<void> {
  await insertRow(db, 'credentials', {
    id: key.id,
    kind: 'api_key',
    lookup_hash: key.lookupHash,
    hint: key.hint,
    name: key.name,
    profile_id: key.profileId,
    app_id: key.app?.appId ?? null,
    authorization_id: key.app?.authorizationId ?? null,
    grant_name: key.app?.grant ?? null,
    scopes: [...key.scopes],
    made_by_user_id: key.madeBy ?? null,
    created_at: key.now,
  })
}
