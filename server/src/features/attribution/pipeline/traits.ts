/** Traits of people from events, stored per identifier, so that they follow the identifier to another customer. */
import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
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
  await bulkInsert(
    tx,
    { into: 'identity_traits', profileId, rows },
    ['identifier_id', 'trait', 'event_id', 'value', 'observed_at'],
    { conflict: 'ignore' },
  )
}

export async function loadTraitsOf(tx: Tx, profileId: string, eventIds: readonly string[]) {
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
