/**
 * Transactional outbox of events for partners. Numbers come from a counter row per profile that stays locked until the
 * commit, so rows become visible in the order of their numbers and a reader's cursor never skips one that commits later.
 * Call this as the last write of the transaction, because it serializes with other writers.
 */
import { sql } from 'kysely'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, ensureAnchor, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import { clearData } from '../../../platform/outbound/gate.ts'

export type OutboxEvent = {
  profileId: string
  type: string
  /** Stable for outcomes; lifecycle events get a UUIDv7 here. */
  id?: string
  /** `platform` for lifecycle events. */
  provider: string
  connectionId?: string | null
  appId?: string | null
  customerId?: string | null
  occurredAt: Date
  /** Contains no personal data. */
  data: Record<string, unknown>
}

/** Skips events whose type and id were recorded before. */
export async function recordEvents(tx: Tx, events: readonly OutboxEvent[], now: Date): Promise<void> {
  for (const [profileId, profileEvents] of Map.groupBy(events, (event) => event.profileId)) {
    // Before the counter, in the same lock order as holders of the profile's lock, to avoid deadlocks.
    await ensureAnchor(tx, profileId)
    // Locks the counter before the check, so that two transactions with the same outcome cannot both insert it.
    const last = await takeNumbers(tx, profileId, profileEvents.length)
    const fresh = await withoutKnown(tx, profileId, profileEvents)
    if (fresh.length === 0) continue
    const rows = fresh.map((event, index) => ({
      number: last - profileEvents.length + 1 + index,
      id: event.id ?? uuidv7(now),
      type: event.type,
      provider: event.provider,
      connection_id: event.connectionId ?? null,
      app_id: event.appId ?? null,
      customer_id: event.customerId ?? null,
      occurred_at: event.occurredAt,
      data: clearData(event.data),
    }))
    await sql`
      insert into outbox_events (profile_id, number, id, type, provider, connection_id, app_id, customer_id, occurred_at, recorded_at, data)
      select ${anchoredProfileId(tx, profileId)}, r.number, r.id, r.type, r.provider, r.connection_id, r.app_id, r.customer_id, r.occurred_at, ${now}::timestamptz, r.data
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(number bigint, id text, type text, provider text,
        connection_id uuid, app_id uuid, customer_id uuid, occurred_at timestamptz, data jsonb)
      ${joinAnchor(tx, profileId)}`.execute(tx)
  }
}

export function recordEvent(tx: Tx, event: OutboxEvent, now: Date): Promise<void> {
  return recordEvents(tx, [event], now)
}

async function withoutKnown(
  tx: Tx,
  profileId: string,
  events: readonly OutboxEvent[],
): Promise<OutboxEvent[]> {
  const ids = events.flatMap((event) => (event.id === undefined ? [] : [event.id]))
  if (ids.length === 0) return [...events]
  const { rows } = await sql<{ type: string; id: string }>`
    select type, id from outbox_events
    where profile_id = ${profileId} and id = any(${ids}::text[])`.execute(tx)
  const existingKeys = new Set(rows.map((row) => `${row.type} ${row.id}`))
  const seenKeys = new Set<string>()
  return events.filter((event) => {
    if (event.id === undefined) return true
    const key = `${event.type} ${event.id}`
    if (existingKeys.has(key) || seenKeys.has(key)) return false
    seenKeys.add(key)
    return true
  })
}

/** The counter row stays locked until the commit, so numbers become visible in order. */
async function takeNumbers(tx: Tx, profileId: string, count: number): Promise<number> {
  const { rows } = await sql<{ last_number: number }>`
    insert into outbox_counters as counter (profile_id, last_number) values (${profileId}, ${count})
    on conflict (profile_id) do update set last_number = counter.last_number + excluded.last_number
    returning last_number`.execute(tx)
  return rows[0]!.last_number
}
