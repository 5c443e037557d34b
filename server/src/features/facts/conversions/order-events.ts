/** The events of an order, and since when servers report payments. The caller holds the profile's lock. */
import { sql } from 'kysely'
import { instants, texts, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fromAnchor, ownId } from '../../../platform/db/shard-anchor.ts'
import type { OrderClaim } from './sale-rules.ts'

export type StoredClaim = OrderClaim & { duplicateOf: string | null }

/** Takes back what these events claimed; returns the orders. */
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
  if (claims.length === 0) return
  await sql`
    insert into order_events (profile_id, order_ref, revenue_type, event_id, occurred_at, source, source_rank, duplicate_of)
    select ${ownId(tx, profileId)}, unnest(${uuids(claims, (claim) => claim.orderRef)}::uuid[]),
      unnest(${texts(claims, (claim) => claim.revenueType)}::text[]),
      unnest(${uuids(claims, (claim) => claim.eventId)}::uuid[]),
      unnest(${instants(claims, (claim) => claim.occurredAt)}::timestamptz[]),
      unnest(${texts(claims, (claim) => claim.source)}::text[]),
      unnest(${claims.map((claim) => claim.rank)}::smallint[]),
      unnest(${uuids(claims, (claim) => claim.duplicateOf)}::uuid[])
    ${fromAnchor(tx, profileId)}
    on conflict (profile_id, order_ref, revenue_type, event_id) do update set occurred_at = excluded.occurred_at,
      source = excluded.source, source_rank = excluded.source_rank, duplicate_of = excluded.duplicate_of`.execute(
    tx,
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
    from order_events where profile_id = ${profileId} and order_ref = any(${uuidList(orderRefs)}::uuid[])`.execute(
    tx,
  )
  return rows
}

/** The time of the first payment that a server or a provider reported and that arrived. */
export async function serverPaymentsSince(tx: Tx, profileId: string): Promise<Date | null> {
  const { rows } = await sql<{ occurred_at: Date }>`
    select occurred_at from payments
    where profile_id = ${profileId} and provider <> 'web' and status in ('succeeded', 'disputed', 'duplicate')
    order by occurred_at limit 1`.execute(tx)
  return rows[0]?.occurred_at ?? null
}
