import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { OutboxRow } from './delivery/fanout.ts'

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

export function listWebhookSubscriptions(db: Db | Tx, owner: Owner): Promise<SubscriptionRow[]> {
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

export async function insertSubscription(
  tx: Tx,
  row: Insertable<DB['webhook_subscriptions']>,
): Promise<SubscriptionRow> {
  return tx.insertInto('webhook_subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateSubscription(
  tx: Tx,
  params: { profileId: string; id: string; fields: Updateable<DB['webhook_subscriptions']> },
): Promise<SubscriptionRow> {
  return tx
    .updateTable('webhook_subscriptions')
    .set(params.fields)
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Starts the fan-out at the profile's first subscription; does nothing if it is already running. */
export async function startFanout(
  tx: Tx,
  params: { profileId: string; throughNumber: number },
): Promise<void> {
  await tx
    .insertInto('webhook_fanouts')
    .values({ profile_id: params.profileId, through_number: params.throughNumber })
    .onConflict((conflict) => conflict.column('profile_id').doNothing())
    .execute()
}

/** Blocks the fan-out until the transaction ends. Returns the number of the last event that was fanned out. */
export async function lockFanout(tx: Tx, params: { profileId: string }): Promise<number> {
  const row = await tx
    .selectFrom('webhook_fanouts')
    .select('through_number')
    .where('profile_id', '=', params.profileId)
    .forUpdate()
    .executeTakeFirst()
  return row?.through_number ?? 0
}

/** Events that match the subscription and are neither delivered nor pending. */
export async function listMissedEvents(
  tx: Tx,
  params: {
    profileId: string
    subscription: SubscriptionRow
    after: number
    through: number
    since: Date
    limit: number
  },
): Promise<OutboxRow[]> {
  const { profileId, subscription, after, through, since } = params
  const { rows } = await sql<OutboxRow>`
    select number, id, type, provider, connection_id, app_id, occurred_at, recorded_at, data from outbox_events e
    where e.profile_id = ${profileId} and e.number > ${after} and e.number <= ${through} and e.recorded_at >= ${since}
      and e.type = any(${subscription.events}::text[]) and (e.provider = any(${subscription.providers}::text[])
        or e.type = 'channel.health.updated' and 'platform' = any(${subscription.providers}::text[]))
      and not exists (
        select 1 from webhook_deliveries d
        where d.profile_id = ${profileId} and d.subscription_id = ${subscription.id}
          and d.number = e.number and d.status in ('pending', 'delivered'))
    order by e.number limit ${params.limit}`.execute(tx)
  return rows
}

/** Makes deliveries due that failed before and wait for a later attempt. Returns their number. */
export async function retryNow(
  tx: Tx,
  params: { profileId: string; subscriptionId: string; since: Date; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('subscription_id', '=', params.subscriptionId)
    .where('status', '=', 'pending')
    .where('attempt_count', '>', 0)
    .where('next_attempt_at', '>', params.now)
    .where('recorded_at', '>=', params.since)
    .executeTakeFirst()
  return Number(numUpdatedRows)
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

export type DeliverySummary = Omit<DeliveryRow, 'payload' | 'attempts'>

/**
 * Newest first; `before` is the last id of the previous page. The lateral join reads each subscription's newest rows from
 * its index, so a subscription with a long queue does not slow the query down, whatever the planner statistics. The
 * status is a literal, so that the partial indexes can be used.
 */
export async function listWebhookDeliveries(
  db: Db | Tx,
  params: Owner & {
    subscriptionId: string | null
    status: 'pending' | 'delivered' | 'failed' | 'cancelled' | null
    before: string | null
    limit: number
  },
): Promise<DeliverySummary[]> {
  const { profileId, subscriptionId, status, before, limit } = params
  const ofOne = subscriptionId === null ? sql`` : sql`and s.id = ${subscriptionId}`
  const ofStatus = status === null ? sql`` : sql`and d.status = ${sql.lit(status)}`
  const ofPage = before === null ? sql`` : sql`and d.id < ${before}`
  const { rows } = await sql<DeliverySummary>`
    select newest.* from webhook_subscriptions s
    cross join lateral (
      select d.profile_id, d.id, d.subscription_id, d.number, d.event_id, d.event_type, d.status, d.status_reason,
        d.attempt_count, d.next_attempt_at, d.recorded_at, d.created_at, d.settled_at
      from webhook_deliveries d
      where d.profile_id = ${profileId} and d.subscription_id = s.id ${ofStatus} ${ofPage}
      order by d.id desc limit ${limit}) as newest
    where s.profile_id = ${profileId} and s.deleted_at is null and s.app_id is not distinct from ${params.appId}::uuid ${ofOne}
    order by newest.id desc limit ${limit}`.execute(db)
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

/** Profiles that have ever recorded an event. */
export async function listProfilesWithEvents(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('outbox_counters').select('profile_id').execute()
  return rows.map((row) => row.profile_id)
}

/** Outcomes are kept, so that a later sync does not announce them again. They contain no personal data. */
export async function deleteOldEvents(db: Db, params: { profileId: string; before: Date }): Promise<void> {
  const { profileId, before } = params
  await sql`delete from webhook_deliveries
    where profile_id = ${profileId} and status <> 'pending' and settled_at < ${before}`.execute(db)
  await sql`delete from outbox_events
    where profile_id = ${profileId} and type <> 'outcome.recorded' and type <> 'leadgen.received'
      and recorded_at < ${before}`.execute(db)
}
