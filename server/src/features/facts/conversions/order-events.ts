/** Events per order, and the time of the first server payment. The caller holds the profile's lock. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { OrderClaim } from './sale-rules.ts'

export type StoredClaim = OrderClaim & { duplicateOf: string | null }

/** Removes the claims of these events and returns their orders. */
export async function removeClaims(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<{ order_ref: string }>`
    delete from order_events where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])
    returning order_ref`.execute(tx)
  return rows.map((row) => row.order_ref)
}

export async function saveClaims(tx: Tx, profileId: string, claims: readonly StoredClaim[]): Promise<void> {
  await bulkInsert(
    tx,
    { into: 'order_events', profileId, rows: claims },
    {
      order_ref: 'orderRef',
      revenue_type: 'revenueType',
      event_id: 'eventId',
      occurred_at: 'occurredAt',
      source: 'source',
      source_rank: 'rank',
      duplicate_of: 'duplicateOf',
    },
    { conflict: { on: ['profile_id', 'order_ref', 'revenue_type', 'event_id'] } },
  )
}

export async function loadClaims(
  tx: Tx,
  profileId: string,
  orderRefs: readonly string[],
): Promise<StoredClaim[]> {
  if (orderRefs.length === 0) return []
  const { rows } = await sql<StoredClaim>`
    select order_ref as "orderRef", revenue_type as "revenueType", event_id as "eventId", occurred_at as "occurredAt",
      source, source_rank as rank, duplicate_of as "duplicateOf"
    from order_events
    where profile_id = ${profileId} and order_ref = any(${uuidList(orderRefs)}::uuid[])`.execute(tx)
  return rows
}

/** Time of the first received payment that a server or a provider reported. */
export async function firstServerPaymentAt(tx: Tx, profileId: string): Promise<Date | null> {
  const { rows } = await sql<{ occurred_at: Date }>`
    select occurred_at from payments
    where profile_id = ${profileId} and provider <> 'web' and status in ('succeeded', 'disputed', 'duplicate')
    order by occurred_at limit 1`.execute(tx)
  return rows[0]?.occurred_at ?? null
}
