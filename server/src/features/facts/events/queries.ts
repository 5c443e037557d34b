/** Writes events: new ones are inserted directly, existing ones are updated under a row lock. */
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { IngestStatus } from '../../../platform/ports.ts'
import { conversionsOf } from './derived-rows.ts'
import type { Handover } from './handover.ts'
import { insertFresh } from './insert-fresh.ts'
import { type Group, toGroups } from './queue.ts'
import { updateStored } from './replace.ts'
import type { NewEvent } from './stored.ts'

/** Pass `handover` only outside of a transaction: it may only contain committed events. */
export async function writeEvents(
  db: Db | Tx,
  params: { profileId: string; events: readonly NewEvent[]; handover?: Handover },
): Promise<IngestStatus[]> {
  const groups = toGroups(params.events)
  const storedIds = await insertFresh(db, params.profileId, groups)
  const isStored = (event: NewEvent) => storedIds.has(event.id)
  if (params.handover !== undefined) handOver(params.handover, groups, isStored)
  if (storedIds.size === 0) return params.events.map(() => 'accepted')
  const stored = params.events.filter(isStored)
  const updated = await inTransaction(db, (tx) =>
    updateStored(tx, { profileId: params.profileId, events: stored }),
  )
  return params.events.map((event) => updated.get(event.id) ?? 'accepted')
}

function handOver(
  handover: Handover,
  groups: readonly Group[],
  isStored: (event: NewEvent) => boolean,
): void {
  for (const { id, events } of groups) {
    const fresh = events.some(isStored) ? events.filter((event) => !isStored(event)) : events
    if (fresh.length > 0) handover.keep(id, fresh)
  }
}

export async function deleteEvent(tx: Tx, params: { profileId: string; eventId: string; occurredAt: Date }) {
  await rowsWhere(tx, 'events', {
    profile_id: params.profileId,
    occurred_at: params.occurredAt,
    id: params.eventId,
  }).delete()
}

export async function lockEventKey(tx: Tx, params: { profileId: string; eventId: string }) {
  return rowsWhere(tx, 'event_keys', { profile_id: params.profileId, event_id: params.eventId }).lock([
    'occurred_at',
    'retracted_at',
  ])
}

export async function markRetracted(tx: Tx, params: { profileId: string; eventId: string; now: Date }) {
  await rowsWhere(tx, 'event_keys', { profile_id: params.profileId, event_id: params.eventId }).update({
    retracted_at: params.now,
  })
}

export async function countDerived(tx: Tx, params: { profileId: string; eventId: string }) {
  const { rows } = await sql<{ conversions: number; credits: number }>`
    select count(*)::int as conversions, count(r.conversion_id) filter (where c.attribution_eligible)::int as credits
    from ${conversionsOf(params.profileId, [params.eventId])} as c
    left join credits r on r.profile_id = ${params.profileId} and r.conversion_id = c.id`.execute(tx)
  return rows[0]!
}

/** Why an event cannot be retracted: a conversion of it was exported, or it is the lead of a conversation. */
export async function findExports(
  tx: Tx,
  params: { profileId: string; eventId: string },
): Promise<'exported' | 'conversation' | undefined> {
  const exported = await sql`
    select 1 from conversion_exports where profile_id = ${params.profileId} and event_id = ${params.eventId} limit 1`.execute(
    tx,
  )
  if (exported.rows.length > 0) return 'exported'
  const conversation = await sql`
    select 1 from conversations where profile_id = ${params.profileId} and lead_event_id = ${params.eventId} limit 1`.execute(
    tx,
  )
  return conversation.rows.length > 0 ? 'conversation' : undefined
}
