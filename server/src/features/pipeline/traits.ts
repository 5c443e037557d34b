/** What events said about a person, kept per identifier so that a person's traits follow the identifier. */
import { sql } from 'kysely'
import { instants, texts, uuidList, uuids } from '../../db/bulk/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { StoredEvent } from '../events/stored.ts'

export async function saveTraits(
  tx: Tx,
  profileId: string,
  reads: readonly { event: StoredEvent; identifierId: string }[],
): Promise<void> {
  const rows = reads.flatMap(({ event, identifierId }) =>
    Object.entries(event.body.traits ?? {}).map(([trait, value]) => ({ event, identifierId, trait, value })),
  )
  if (rows.length === 0) return
  await sql`
    insert into identity_traits (profile_id, identifier_id, trait, event_id, value, observed_at)
    select ${profileId}::uuid, unnest(${uuids(rows, (row) => row.identifierId)}::uuid[]),
      unnest(${texts(rows, (row) => row.trait)}::text[]), unnest(${uuids(rows, (row) => row.event.id)}::uuid[]),
      unnest(${texts(rows, (row) => row.value)}::text[]),
      unnest(${instants(rows, (row) => row.event.occurredAt)}::timestamptz[])
    on conflict do nothing`.execute(tx)
}

/** Returns whose traits they were. */
export async function removeTraits(
  tx: Tx,
  profileId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ identifier_id: string }>`
    delete from identity_traits where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])
    returning identifier_id`.execute(tx)
  return [...new Set(rows.map((row) => row.identifier_id))]
}
