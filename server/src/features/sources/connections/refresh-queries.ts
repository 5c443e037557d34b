import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { leaseIn } from '../../../platform/db/lease.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { ConnectionRow } from './queries.ts'

export const refreshLease = leaseIn('refresh_lease_id', 'refresh_lease_until')

/** Optimistic lock: updates the row only if its token was not replaced since it was read. */
const updateIfUnchanged = (db: Db | Tx, row: ConnectionRow) =>
  db
    .updateTable('connections')
    .where('profile_id', '=', row.profile_id)
    .where('id', '=', row.id)
    .where('token_version', '=', row.token_version)

/** The id of the lease; undefined if another process holds it or the token was replaced. */
export async function takeRefreshLease(
  db: Db,
  params: { row: ConnectionRow; leaseMs: number; now: Date },
): Promise<string | undefined> {
  const lease = await updateIfUnchanged(db, params.row)
    .set(refreshLease.take(uuidv7(), params.now, params.leaseMs))
    .where(refreshLease.isFree(params.now))
    .returning('refresh_lease_id')
    .executeTakeFirst()
  return lease?.refresh_lease_id ?? undefined
}

/** Undefined if the lease was lost or the token was replaced. */
export async function saveRefreshedToken(
  db: Db,
  params: {
    row: ConnectionRow
    leaseId: string
    token: Buffer
    expiresAt: Date | null
    refreshAt: Date | null
    now: Date
  },
): Promise<ConnectionRow | undefined> {
  return updateIfUnchanged(db, params.row)
    .set({
      token: params.token,
      token_expires_at: params.expiresAt,
      token_issued_at: params.now,
      token_refresh_at: params.refreshAt,
      token_version: params.row.token_version + 1,
      ...refreshLease.none,
      updated_at: params.now,
    })
    .where('refresh_lease_id', '=', params.leaseId)
    .returningAll()
    .executeTakeFirst()
}

export async function releaseRefreshLease(
  db: Db,
  params: { row: ConnectionRow; leaseId: string; retryAt: Date | null },
): Promise<void> {
  const { row, retryAt } = params
  await rowsWhere(db, 'connections', {
    profile_id: row.profile_id,
    id: row.id,
    refresh_lease_id: params.leaseId,
  }).update({ ...refreshLease.none, ...(retryAt === null ? {} : { token_refresh_at: retryAt }) })
}

/** False if it already had this status, or was authorized again meanwhile. */
export async function markReconnectRequired(
  tx: Tx,
  params: { row: ConnectionRow; reason: string; now: Date },
): Promise<boolean> {
  const changed = await updateIfUnchanged(tx, params.row)
    .set({
      status: 'reconnect_required',
      status_reason: params.reason,
      ...refreshLease.none,
      updated_at: params.now,
    })
    .where('status', 'not in', ['reconnect_required', 'revoked'])
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Records the error if no sync has recorded one yet: an export or a live call may be the first to fail. */
export async function saveFirstError(tx: Tx, params: { row: ConnectionRow; error: string }): Promise<void> {
  await rowsWhere(tx, 'connection_syncs', {
    profile_id: params.row.profile_id,
    connection_id: params.row.id,
    last_error: null,
  }).update({ last_error: params.error })
}
