/**
 * Subqueries for rows derived from events. Touches and conversions store the time when their event was first received,
 * which later versions do not change. They are indexed by it, so each row is looked up by key, independent of planner
 * statistics.
 */
import { type RawBuilder, sql } from 'kysely'
import { instants, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** `id` and `received_at` of the stored events. */
function received(profileId: string, eventIds: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select input.id, stored.received_at from unnest(${uuidList(eventIds)}::uuid[]) as input(id)
    cross join lateral (
      select occurred_at from event_keys where profile_id = ${profileId} and event_id = input.id offset 0) as key
    cross join lateral (
      select received_at from events
      where profile_id = ${profileId} and occurred_at = key.occurred_at and id = input.id offset 0) as stored)`
}

/** Rows of `conversions`. */
export function conversionsOf(profileId: string, eventIds: readonly string[]): RawBuilder<unknown> {
  return conversionsReceived(profileId, received(profileId, eventIds))
}

/** Rows of `touches`. */
export function touchesOf(profileId: string, eventIds: readonly string[]): RawBuilder<unknown> {
  return touchesReceived(profileId, received(profileId, eventIds))
}

/** An event id with the time of its first receipt. */
export type Receipt = { id: string; receivedAt: Date }

/** Receipts as rows, to look up the rows derived from their events. */
export function receiptRows(receipts: readonly Receipt[]): RawBuilder<unknown> {
  return sql`(
    select unnest(${uuids(receipts, (event) => event.id)}::uuid[]) as id,
      unnest(${instants(receipts, (event) => event.receivedAt)}::timestamptz[]) as received_at)`
}

export async function loadReceipts(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<Receipt[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<Receipt>`
    select id, received_at as "receivedAt" from ${received(profileId, eventIds)} as event`.execute(tx)
  return rows
}

export function conversionsReceived(profileId: string, receipts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select conversion.* from ${receipts} as event
    cross join lateral (
      select * from conversions
      where profile_id = ${profileId} and recorded_at = event.received_at and event_id = event.id offset 0) as conversion)`
}

export function touchesReceived(profileId: string, receipts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select touch.* from ${receipts} as event
    cross join lateral (
      select * from touches
      where profile_id = ${profileId} and recorded_at = event.received_at and id = event.id offset 0) as touch)`
}
