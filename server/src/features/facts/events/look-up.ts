/** Looks up events by id, idempotency key or order, and refused events also by request id. */
import { sql } from 'kysely'
import type { ProfileContext } from '../../../context.ts'
import type { Db } from '../../../platform/db/database.ts'
import { orderOf } from '../identity/identifiers.ts'
import type { EventState } from './contract.ts'
import { listRefused } from './refusals.ts'
import { eventIdOf } from './rules.ts'

const MAX_RESULTS = 50

type Query = {
  event_id?: string | undefined
  idempotency_key?: string | undefined
  order_id?: string | undefined
  request_id?: string | undefined
}

type EventRow = {
  event_id: string
  event_name: string | null
  source: string | null
  occurred_at: Date
  received_at: Date | null
  retracted_at: Date | null
  quarantine_reason: string | null
  is_waiting: boolean
}

export async function lookUpEvents(context: ProfileContext, query: Query) {
  const { profile, service } = context
  const db = context.db as Db
  const eventId =
    query.event_id ??
    (query.idempotency_key === undefined ? null : eventIdOf(profile.id, query.idempotency_key))
  const orderRef = orderOf(query.order_id, profile.id, service.identityPepper).order_ref ?? null
  const eventIds = eventId === null ? await listOrderEvents(db, profile.id, orderRef) : [eventId]
  const events = await readStates(db, profile.id, eventIds)
  const filters = { profileId: profile.id, eventId, orderRef, requestId: query.request_id ?? null }
  // Refusals are written in the background; one of a moment ago must be found.
  await service.refusals.flush()
  const refusals = await listRefused(db, { ...filters, limit: MAX_RESULTS })
  return {
    events: events.map((row) => ({
      event_id: row.event_id,
      state: stateOf(row),
      reason: row.quarantine_reason,
      event_name: row.event_name,
      source: row.source,
      occurred_at: row.occurred_at,
      received_at: row.received_at,
    })),
    refused: refusals,
  }
}

/** Pure. */
export function stateOf(
  row: Pick<EventRow, 'retracted_at' | 'quarantine_reason' | 'is_waiting'>,
): EventState {
  if (row.retracted_at !== null) return 'retracted'
  if (row.is_waiting) return 'waiting'
  return row.quarantine_reason === null ? 'processed' : 'quarantined'
}

async function listOrderEvents(db: Db, profileId: string, orderRef: string | null): Promise<string[]> {
  if (orderRef === null) return []
  const { rows } = await sql<{ event_id: string }>`
    select distinct event_id from order_events
    where profile_id = ${profileId}::uuid and order_ref = ${orderRef}::uuid limit ${MAX_RESULTS}`.execute(db)
  return rows.map((row) => row.event_id)
}

/** Reads the keys, which remain after the raw event expired. */
async function readStates(db: Db, profileId: string, eventIds: readonly string[]): Promise<EventRow[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<EventRow>`
    select k.event_id, e.name as event_name, e.source, k.occurred_at, e.received_at, k.retracted_at,
      q.reason as quarantine_reason,
      exists (select 1 from event_queue w
        where w.profile_id = ${profileId}::uuid and w.event_ids @> array[k.event_id]) as is_waiting
    from event_keys k
    left join events e on e.profile_id = k.profile_id and e.occurred_at = k.occurred_at and e.id = k.event_id
    left join event_quarantine q on q.profile_id = k.profile_id and q.event_id = k.event_id
    where k.profile_id = ${profileId}::uuid and k.event_id = any(${[...eventIds]}::uuid[])
    order by k.occurred_at, k.event_id`.execute(db)
  return rows
}
