import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'

export type ConnectionRow = Selectable<DB['connections']>
export type SyncRow = Selectable<DB['connection_syncs']>

/** With an app id: only connections that the app has an active grant for. Without: all of the profile. */
export type Viewer = { profileId: string; appId: string | null }

export async function listConnectionRows(
  db: Db | Tx,
  params: Viewer & { id?: string; provider?: string | undefined },
): Promise<ConnectionRow[]> {
  let query = db
    .selectFrom('connections as c')
    .selectAll('c')
    .where('c.profile_id', '=', params.profileId)
    .orderBy('c.created_at')
    .orderBy('c.id')
  if (params.id !== undefined) query = query.where('c.id', '=', params.id)
  if (params.provider !== undefined) query = query.where('c.provider', '=', params.provider)
  if (params.appId !== null)
    query = query
      .innerJoin('connection_grants as g', (join) =>
        join.onRef('g.profile_id', '=', 'c.profile_id').onRef('g.connection_id', '=', 'c.id'),
      )
      .where('g.profile_id', '=', params.profileId)
      .where('g.app_id', '=', params.appId)
      .where('g.revoked_at', 'is', null)
  return query.execute()
}

export async function findConnection(db: Db | Tx, params: { profileId: string; id: string }) {
  return rowsWhere(db, 'connections', { profile_id: params.profileId, id: params.id }).find()
}

export async function listSyncRows(
  db: Db | Tx,
  params: { profileId: string; connectionIds: readonly string[] },
): Promise<Map<string, SyncRow>> {
  if (params.connectionIds.length === 0) return new Map()
  const rows = await rowsWhere(db, 'connection_syncs', {
    profile_id: params.profileId,
    connection_id: params.connectionIds,
  }).list()
  return new Map(rows.map((row) => [row.connection_id, row]))
}

/** Hides the connection from the app; the connection itself remains. */
export async function revokeGrant(
  tx: Tx,
  params: { profileId: string; connectionId: string; appId: string; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'connection_grants', {
    profile_id: params.profileId,
    connection_id: params.connectionId,
    app_id: params.appId,
  }).update({ revoked_at: params.now })
}

/** Covers all profiles of the shard, like the other `listDue…` queries. */
export async function listDueSyncs(db: Db, params: { now: Date; limit: number }) {
  const { rows } = await sql<{ profile_id: string; connection_id: string }>`
    select profile_id, connection_id from connection_syncs
    where next_run_at <= ${params.now} and state in ('idle', 'failed')
    order by next_run_at limit ${params.limit}`.execute(db)
  return rows
}

/** False if another worker claimed it first. */
export async function claimDueSync(tx: Tx, params: { profileId: string; connectionId: string; now: Date }) {
  const { rows } = await sql`
    update connection_syncs set next_run_at = null
    where profile_id = ${params.profileId} and connection_id = ${params.connectionId} and next_run_at <= ${params.now}
    returning connection_id`.execute(tx)
  return rows.length > 0
}

export async function listDueRefreshes(
  db: Db,
  params: { providers: readonly string[]; issuedBy: Date; now: Date; limit: number },
): Promise<{ profile_id: string; id: string }[]> {
  const { rows } = await sql<{ profile_id: string; id: string }>`
    select profile_id, id from connections
    where token_refresh_at <= ${params.now} and token_issued_at <= ${params.issuedBy}
      and token is not null and status not in ('revoked', 'reconnect_required')
      and provider = any(${params.providers}::text[])
    order by token_refresh_at limit ${params.limit}`.execute(db)
  return rows
}

export async function findWebhook(db: Db, params: { id: string }) {
  return rowsWhere(db, 'provider_webhooks', { id: params.id }).find()
}

/**
 * Empties the stored message: its personal data is in the feature tables now, where erasures reach it. A message that
 * was received again meanwhile has another `received_at` and remains unprocessed.
 */
export async function markWebhookProcessed(db: Db, params: { id: string; receivedAt: Date; now: Date }) {
  await rowsWhere(db, 'provider_webhooks', { id: params.id, received_at: params.receivedAt }).update({
    processed_at: params.now,
    body: Buffer.alloc(0),
    headers: '{}',
    query: '{}',
  })
}

export async function deleteWebhooksBefore(db: Db, params: { before: Date }): Promise<void> {
  await db.deleteFrom('provider_webhooks').where('received_at', '<', params.before).execute()
}

/** Connections to the provider's account, of any profile. */
export async function listAccountHolders(
  db: Db,
  params: { providers: readonly string[]; externalId: string },
): Promise<{ profile_id: string; connection_id: string }[]> {
  return rowsWhere(db, 'connection_accounts', {
    provider: params.providers,
    external_id: params.externalId,
  }).list({ columns: ['profile_id', 'connection_id'] })
}

/** All connections of a provider, of any profile. */
export async function listProviderHolders(db: Db, params: { provider: string }) {
  return rowsWhere(db, 'connection_accounts', { provider: params.provider }).list({
    columns: ['profile_id', 'connection_id'],
  })
}

/** True if a live connection uses one of the accounts; with `accountIds: null`, any account of the workspace. */
export async function isGrantInUse(
  db: Db,
  params: { provider: string; workspaceId: string; accountIds: readonly string[] | null },
): Promise<boolean> {
  const { accountIds } = params
  if (accountIds?.length === 0) return false
  const claims = db
    .selectFrom('connection_accounts')
    .select('claim_key')
    .where('provider', '=', params.provider)
    .limit(1)
  const row = await (accountIds === null
    ? claims.where('workspace_id', '=', params.workspaceId)
    : claims.where('external_id', 'in', accountIds)
  ).executeTakeFirst()
  return row !== undefined
}

/** Pages of a connection whose leads are tracked. */
export async function listTrackedPageIds(
  db: Db | Tx,
  params: { profileId: string; connectionId: string },
): Promise<string[]> {
  const rows = await rowsWhere(db, 'connection_pages', {
    profile_id: params.profileId,
    connection_id: params.connectionId,
  }).list({ columns: ['page_id'], orderBy: ['page_id'] })
  return rows.map((row) => row.page_id)
}
