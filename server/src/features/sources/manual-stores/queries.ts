import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

export type StoreRow = { id: string; shop: string; signing_id: Buffer | null; created_at: Date }
type Key = { profileId: string; id: string }

const columns = ['id', 'shop', 'signing_id', 'created_at'] as const

export async function listStores(db: Db | Tx, params: { profileId: string }): Promise<StoreRow[]> {
  return rowsWhere(db, 'manual_stores', { profile_id: params.profileId }).list({
    columns,
    orderBy: ['created_at', 'id'],
  })
}

export async function countStores(tx: Tx, params: { profileId: string }): Promise<number> {
  return rowsWhere(tx, 'manual_stores', { profile_id: params.profileId }).count()
}

export async function isStoreConnected(tx: Tx, params: { profileId: string; shop: string }) {
  const connection = await tx
    .selectFrom('connections')
    .select('id')
    .where('profile_id', '=', params.profileId)
    .where('provider', '=', 'storefront')
    .where('external_id', '=', params.shop)
    .where('status', '<>', 'revoked')
    .executeTakeFirst()
  return connection !== undefined
}

export async function insertStore(tx: Tx, params: { profileId: string; row: StoreRow }): Promise<void> {
  const { profileId, row } = params
  await insertRow(tx, 'manual_stores', { ...row, profile_id: profileId, updated_at: row.created_at })
}

export async function saveSigningId(
  tx: Tx,
  params: Key & { sealed: Buffer; now: Date },
): Promise<StoreRow | undefined> {
  return tx
    .updateTable('manual_stores')
    .set({ signing_id: params.sealed, updated_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returning(columns)
    .executeTakeFirst()
}

export async function detachFromApp(tx: Tx, params: Key): Promise<void> {
  await rowsWhere(tx, 'connections', { profile_id: params.profileId, id: params.id }).update({
    authorization_id: null,
  })
}

/** False if it was already connected. */
export async function markConnected(tx: Tx, params: Key & { now: Date }): Promise<boolean> {
  const updated = await rowsWhere(tx, 'connections', {
    profile_id: params.profileId,
    id: params.id,
    status: 'needs_action',
  }).update({ status: 'connected', authorized_at: params.now, updated_at: params.now })
  return updated > 0
}

export async function deleteStore(tx: Tx, params: Key): Promise<boolean> {
  return (await rowsWhere(tx, 'manual_stores', { profile_id: params.profileId, id: params.id }).delete()) > 0
}

/** Encrypted; null until the owner has entered it. */
export async function findSigningId(db: Db, params: Key): Promise<Buffer | null | undefined> {
  const row = await rowsWhere(db, 'manual_stores', { profile_id: params.profileId, id: params.id }).find([
    'signing_id',
  ])
  return row?.signing_id
}
