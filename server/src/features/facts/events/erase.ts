/** Finds the events of a person and anonymises them. */
import { sql } from 'kysely'
import { byteas, instants, jsonbs, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { anonymousHash } from './erasure-rules.ts'
import { markForReread, readEvents } from './queue.ts'
import type { StoredEvent } from './stored.ts'

/** The identifier that an event belongs to; an event without identifiers belongs to its own id. */
export function ownerOf(event: StoredEvent): string {
  return event.body.erased_as ?? event.body.identifiers[0]?.id ?? event.id
}

export async function loadStoredEvents(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<StoredEvent[]> {
  if (eventIds.length === 0) return []
  const { rows } = await sql<{ eventId: string; time: string }>`
    select event_id as "eventId", occurred_at::text as time from event_keys
    where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
  const times = rows.map((row) => ({ ...row, time: `"${row.time}"` }))
  return [...(await readEvents(tx, profileId, times)).values()]
}

/** Events with derived rows of one of these identifiers. The caller reads the owner from the events. */
export async function listEventsOfIdentifiers(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<string[]> {
  const ids = uuidList(identifierIds)
  const { rows } = await sql<{ id: string }>`
    select id from touches where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[])
    union select event_id from conversions where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[])
    union select event_id from payments
      where profile_id = ${profileId} and coalesce(payer_identifier_id, identifier_id) = any(${ids}::uuid[])
        and payer_identifier_id is null
    union select event_id from payments
      where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[]) and payer_identifier_id is not null
    union select event_id from identity_traits where profile_id = ${profileId} and identifier_id = any(${ids}::uuid[])
    union select event_id from identity_links where profile_id = ${profileId} and strong_id = any(${ids}::uuid[])`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

/** Replaces the stored events by their anonymous versions. */
export async function saveAnonymous(tx: Tx, profileId: string, events: readonly StoredEvent[]) {
  if (events.length === 0) return
  await sql`
    update events e set external_id = null, anonymous_id = null, session_id = null, body = a.body
    from unnest(${uuids(events, (event) => event.id)}::uuid[], ${instants(events, (event) => event.occurredAt)}::timestamptz[],
      ${jsonbs(events, (event) => event.body)}::jsonb[]) as a(id, occurred_at, body)
    where e.profile_id = ${profileId} and e.occurred_at = a.occurred_at and e.id = a.id`.execute(tx)
  await sql`
    update event_keys k set erased_as = a.erased_as, content_hash = a.content_hash
    from unnest(${uuids(events, (event) => event.id)}::uuid[], ${uuids(events, ownerOf)}::uuid[],
      ${byteas(events, anonymousHash)}::bytea[]) as a(id, erased_as, content_hash)
    where k.profile_id = ${profileId} and k.event_id = a.id`.execute(tx)
  await markForReread(tx, { profileId, eventIds: events.map((event) => event.id) })
  // The external id of a chat may contain the person's number.
  await sql`
    update conversations set external_id = 'erased:' || id, identifier_id = null
    where profile_id = ${profileId} and (lead_event_id = any(${uuids(events, (event) => event.id)}::uuid[])
      or started_event_id = any(${uuids(events, (event) => event.id)}::uuid[]))`.execute(tx)
}

/** A cursor in a profile's events. */
export type EventCursor = { at: Date; id: string }

/**
 * Scans the next `most` events after a cursor and returns those that belong to one of the identifiers. `last` is null at
 * the end. A scan is needed because events without derived rows are not indexed by identifier.
 */
export async function scanEvents(
  db: Db | Tx,
  params: { profileId: string; after: EventCursor | null; identifierIds: readonly string[]; most: number },
): Promise<{ eventIds: string[]; last: EventCursor | null }> {
  const { profileId, after, most } = params
  const beyond =
    after === null ? sql`` : sql`and (occurred_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<{ id: string; occurred_at: Date; is_last: boolean; is_theirs: boolean }>`
    with looked_at as materialized (
      select id, occurred_at, body->'identifiers'->0->>'id' as owner_id from events
      where profile_id = ${profileId} ${beyond} order by occurred_at, id limit ${most}),
    numbered as (
      select *, row_number() over (order by occurred_at, id) = ${most} as is_last,
        coalesce(owner_id = any(${[...params.identifierIds]}::text[]), false) as is_theirs
      from looked_at)
    select id, occurred_at, is_last, is_theirs from numbered where is_last or is_theirs`.execute(db)
  const last = rows.find((row) => row.is_last)
  return {
    eventIds: rows.flatMap((row) => (row.is_theirs ? row.id : [])),
    last: last === undefined ? null : { at: last.occurred_at, id: last.id },
  }
}
