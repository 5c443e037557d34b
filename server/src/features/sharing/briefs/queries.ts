import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'

export type ReceiverRow = Selectable<DB['brief_receivers']>
export type DeliveryRow = Selectable<DB['brief_deliveries']>

export async function listReceivers(
  db: Db | Tx,
  params: { profileIds: readonly string[] },
): Promise<ReceiverRow[]> {
  if (params.profileIds.length === 0) return []
  return rowsWhere(db, 'brief_receivers', { profile_id: params.profileIds }).list({
    orderBy: ['created_at', 'id'],
  })
}

export async function findReceiver(db: Db | Tx, params: { profileId: string; id: string }) {
  return rowsWhere(db, 'brief_receivers', { profile_id: params.profileId, id: params.id }).find()
}

export async function lockReceiver(tx: Tx, params: { profileId: string; id: string }) {
  return rowsWhere(tx, 'brief_receivers', { profile_id: params.profileId, id: params.id }).lock()
}

/** Upserts the member's row; an existing one keeps its id. */
export async function saveSubscription(tx: Tx, row: Insertable<DB['brief_receivers']>): Promise<ReceiverRow> {
  const { cadence, weekday, time, language, next_run_at, alerts } = row
  return tx
    .insertInto('brief_receivers')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', 'user_id'])
        .where('user_id', 'is not', null)
        .doUpdateSet({ cadence, weekday, time, language, next_run_at, alerts }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertReceiver(tx: Tx, row: Insertable<DB['brief_receivers']>): Promise<ReceiverRow> {
  return tx.insertInto('brief_receivers').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function deleteReceiver(db: Db | Tx, params: { profileId: string; id: string }) {
  const { numDeletedRows } = await db
    .deleteFrom('brief_receivers')
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function updateReceiver(
  tx: Tx,
  params: { profileId: string; id: string; fields: Partial<Insertable<DB['brief_receivers']>> },
): Promise<void> {
  await rowsWhere(tx, 'brief_receivers', { profile_id: params.profileId, id: params.id }).update(
    params.fields,
  )
}

export async function listDueReceivers(db: Db, params: { now: Date; limit: number }) {
  const { rows } = await sql<{ profile_id: string; id: string }>`
    select profile_id, id from brief_receivers where next_run_at <= ${params.now}
    order by next_run_at limit ${params.limit}`.execute(db)
  return rows
}

/** Returns the ids of the inserted rows; a receiver has one delivery per occasion. */
export async function insertDeliveries(
  tx: Tx,
  rows: readonly Insertable<DB['brief_deliveries']>[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const inserted = await tx
    .insertInto('brief_deliveries')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

const deliveryColumns = sql.raw(
  'profile_id, id, receiver_id, occasion, date_from::text, date_to::text, status, reason, created_at, sent_at',
)

export async function findDelivery(db: Db | Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<DeliveryRow>`
    select ${deliveryColumns} from brief_deliveries
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
  return rows[0]
}

export async function saveDeliveryResult(
  tx: Tx,
  params: { profileId: string; id: string; status: string; reason: string | null; sentAt: Date | null },
): Promise<void> {
  await rowsWhere(tx, 'brief_deliveries', { profile_id: params.profileId, id: params.id }).update({
    status: params.status,
    reason: params.reason,
    sent_at: params.sentAt,
  })
}

export async function deleteDeliveriesBefore(tx: Tx, params: { profileId: string; before: Date }) {
  await tx
    .deleteFrom('brief_deliveries')
    .where('profile_id', '=', params.profileId)
    .where('created_at', '<', params.before)
    .execute()
}
