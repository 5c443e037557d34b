import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'

export type SubscriptionRow = Selectable<DB['webhook_subscriptions']>
export type DeliveryRow = Selectable<DB['webhook_deliveries']>
export type Owner = { profileId: string; appId: string | null }

function ofOwner(db: Db | Tx, owner: Owner) {
  const query = db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('profile_id', '=', owner.profileId)
    .where('deleted_at', 'is', null)
  return owner.appId === null ? query.where('app_id', 'is', null) : query.where('app_id', '=', owner.appId)
}

export function listSubscriptions(db: Db | Tx, owner: Owner): Promise<SubscriptionRow[]> {
  return ofOwner(db, owner).orderBy('id').execute()
}

export function findSubscription(
  db: Db | Tx,
  params: Owner & { id: string },
): Promise<SubscriptionRow | undefined> {
  return ofOwner(db, params).where('id', '=', params.id).executeTakeFirst()
}

export function lockSubscription(
  tx: Tx,
  params: Owner & { id: string },
): Promise<SubscriptionRow | undefined> {
  return ofOwner(tx, params).where('id', '=', params.id).forUpdate().executeTakeFirst()
}

/** The number of the profile's latest event; 0 before the first. */
export async function lastNumber(db: Db | Tx, params: { profileId: string }): Promise<number> {
  const row = await db
    .selectFrom('outbox_counters')
    .select('last_number')
    .where('profile_id', '=', params.profileId)
    .executeTakeFirst()
  return row?.last_number ?? 0
}

/** Newest first; `before` is the id of the last one seen. */
export async function listDeliveries(
  db: Db | Tx,
  params: Owner & {
    subscriptionId: string | null
    status: string | null
    before: string | null
    limit: number
  },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select d.* from webhook_deliveries d
    join webhook_subscriptions s on s.profile_id = ${params.profileId} and s.id = d.subscription_id
    where d.profile_id = ${params.profileId} and s.deleted_at is null
      and s.app_id is not distinct from ${params.appId}::uuid
      and (${params.subscriptionId}::uuid is null or d.subscription_id = ${params.subscriptionId}::uuid)
      and (${params.status}::text is null or d.status = ${params.status}::text)
      and (${params.before}::uuid is null or d.id < ${params.before}::uuid)
    order by d.id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function findDelivery(
  db: Db | Tx,
  params: Owner & { id: string },
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select d.* from webhook_deliveries d
    join webhook_subscriptions s on s.profile_id = ${params.profileId} and s.id = d.subscription_id
    where d.profile_id = ${params.profileId} and d.id = ${params.id} and s.deleted_at is null
      and s.app_id is not distinct from ${params.appId}::uuid`.execute(db)
  return rows[0]
}
