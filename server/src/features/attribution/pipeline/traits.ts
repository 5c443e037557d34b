/** What events said about a person, kept per identifier so that a person's traits follow the identifier. */
import { sql } from 'kysely'
import { instants, texts, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { fromAnchor, ownId } from '../../../platform/db/shard-anchor.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'

export type TraitRow = {
  eventId: string
  identifierId: string
  trait: string
  value: string
  observedAt: Date
}

export function traitsOf({ event, identifierId }: { event: StoredEvent; identifierId: string }): TraitRow[] {
  return Object.entries(event.body.traits ?? {}).map(([trait, value]) => ({
    eventId: event.id,
    identifierId,
    trait,
    value,
    observedAt: event.occurredAt,
  }))
}

export async function saveTraits(tx: Tx, profileId: string, rows: readonly TraitRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
    select ${ownId(tx, profileId)}, unnest(${uuids(rows, (row) => row.identifierId)}::uuid[]),
      unnest(${texts(rows, (row) => row.trait)}::text[]), unnest(${uuids(rows, (row) => row.eventId)}::uuid[]),
      unnest(${texts(rows, (row) => row.value)}::text[]),
      unnest(${instants(rows, (row) => row.observedAt)}::timestamptz[])
    ${fromAnchor(tx, profileId)}
    on conflict do nothing`.execute(tx)
}

export async function loadTraitsOf(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<TraitRow[]> {
  const { rows } = await sql<TraitRow>`
    select event_id as "eventId", identifier_id as "identifierId", trait, value, observed_at as "observedAt" from identity_traits
    where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
  return rows
}

export async function removeTraits(tx: Tx, profileId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await sql`
    delete from identity_traits where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(
    tx,
  )
}
