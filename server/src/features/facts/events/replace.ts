/** Replaces stored events by later versions, in a few statements regardless of their number. */
import { sql } from 'kysely'
import { instants, uuids } from '../../../platform/db/bulk/columns.ts'
import { bulkInsert } from '../../../platform/db/bulk/insert.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ensureAnchor } from '../../../platform/db/shard-anchor.ts'
import type { IngestStatus } from '../../../platform/ports.ts'
import { anonymousHash, withoutPerson } from './erasure-rules.ts'
import { eventColumns } from './insert-fresh.ts'
import { hasEqualProcessedPart } from './processed-part.ts'
import { liftQuarantine } from './quarantine.ts'
import { enqueueUpdates, readEvents } from './queue.ts'
import type { NewEvent, StoredEvent } from './stored.ts'

type Key = {
  event_id: string
  occurred_at: Date
  content_hash: Buffer
  retracted_at: Date | null
  erased_as: string | null
}

/** `previousAt`: event time of the stored version, from its key; the event itself may have expired. */
type Version = {
  event: StoredEvent & { contentHash: Buffer }
  sentAt: Date
  previousAt: Date
  previous: StoredEvent | undefined
}

/** Expects events that all have a stored key. */
export async function updateStored(
  tx: Tx,
  { profileId, events }: { profileId: string; events: readonly NewEvent[] },
): Promise<Map<string, IngestStatus>> {
  const keys = await lockKeys(tx, profileId, events)
  const statuses = new Map<string, IngestStatus>()
  const differing: { sent: NewEvent; key: Key }[] = []
  for (const sent of events) {
    const key = keys.get(sent.id)!
    if (key.retracted_at !== null) statuses.set(sent.id, 'retracted')
    else if (key.erased_as === null && isEqual(key, sent.contentHash)) statuses.set(sent.id, 'unchanged')
    else differing.push({ sent, key })
  }
  const stored = await readEvents(
    tx,
    profileId,
    differing.map(({ key }) => ({ eventId: key.event_id, time: key.occurred_at.toISOString() })),
  )
  const versions = differing.flatMap(({ sent, key }) => {
    const version = toVersion(sent, key, stored.get(sent.id))
    const isUnchanged = isEqual(key, version.event.contentHash)
    statuses.set(sent.id, isUnchanged ? 'unchanged' : 'updated')
    return isUnchanged ? [] : [version]
  })
  await replaceEvents(tx, profileId, versions)
  return statuses
}

const isEqual = (key: Key, contentHash: Buffer) => key.content_hash.equals(contentHash)

async function lockKeys(tx: Tx, profileId: string, events: readonly NewEvent[]): Promise<Map<string, Key>> {
  const { rows } = await sql<Key>`
    select event_id, occurred_at, content_hash, retracted_at, erased_as from event_keys
    where profile_id = ${profileId} and event_id = any(${uuids(events, (event) => event.id)}::uuid[])
    order by event_id for update`.execute(tx)
  return new Map(rows.map((row) => [row.event_id, row]))
}

function toVersion(sent: NewEvent, key: Key, previous: StoredEvent | undefined): Version {
  const event = {
    ...(key.erased_as === null ? sent : asAnonymous(sent, key.erased_as, previous)),
    occurredAt: sent.occurredAt ?? key.occurred_at,
    // Keep the first receipt time, so that a later version does not change the order of events.
    receivedAt: previous?.receivedAt ?? sent.receivedAt,
  }
  const contentHash = key.erased_as === null ? sent.contentHash : anonymousHash(event)
  return { event: { ...event, contentHash }, sentAt: sent.receivedAt, previousAt: key.occurred_at, previous }
}

/** A later version of an event whose person was erased: money and time may change, personal data is removed. */
function asAnonymous(sent: NewEvent, erasedAs: string, previous: StoredEvent | undefined): NewEvent {
  const { touch, subject_ref, order_ref } = previous?.body ?? {}
  return withoutPerson(sent, {
    erasedAs,
    ...(touch === undefined ? {} : { touch }),
    ...(subject_ref === undefined ? {} : { subject_ref }),
    ...(order_ref === undefined ? {} : { order_ref }),
  })
}

/** Stores the versions and queues those whose processed part changed or that were set aside. */
async function replaceEvents(tx: Tx, profileId: string, versions: readonly Version[]): Promise<void> {
  if (versions.length === 0) return
  await ensureAnchor(tx, profileId)
  await deleteMoved(tx, profileId, versions)
  await storeVersions(
    tx,
    profileId,
    versions.map(({ event }) => event),
  )
  const lifted = await liftQuarantine(tx, {
    profileId,
    eventIds: versions.map(({ event }) => event.id),
  })
  const toProcess = versions.filter(
    ({ event, previous }) =>
      previous === undefined || lifted.has(event.id) || !hasEqualProcessedPart(previous, event),
  )
  await enqueueUpdates(
    tx,
    profileId,
    toProcess.map(({ event, sentAt }) => ({ event, now: sentAt })),
  )
}

/** Deletes stored versions with another event time, which is part of the key. */
async function deleteMoved(tx: Tx, profileId: string, versions: readonly Version[]): Promise<void> {
  const moved = versions.filter(
    ({ event, previousAt }) => event.occurredAt.getTime() !== previousAt.getTime(),
  )
  if (moved.length === 0) return
  await sql`
    delete from events e using (
      select stored.occurred_at, stored.id
      from unnest(${uuids(moved, ({ event }) => event.id)}::uuid[], ${instants(moved, (version) => version.previousAt)}::timestamptz[])
        as input(id, occurred_at)
      cross join lateral (
        select id, occurred_at from events
        where profile_id = ${profileId} and occurred_at = input.occurred_at and id = input.id offset 0) as stored) as removed
    where e.profile_id = ${profileId} and e.occurred_at = removed.occurred_at and e.id = removed.id`.execute(
    tx,
  )
}

/** Upserts look up each row by key; an update with a join might scan all events of a profile without statistics. */
async function storeVersions(tx: Tx, profileId: string, events: readonly Version['event'][]): Promise<void> {
  await bulkInsert(tx, { into: 'events', profileId, rows: events }, eventColumns, {
    conflict: { on: ['profile_id', 'occurred_at', 'id'], keep: ['received_at'] },
  })
  await bulkInsert(
    tx,
    { into: 'event_keys', profileId, rows: events },
    { event_id: 'id', occurred_at: 'occurredAt', content_hash: 'contentHash' },
    { conflict: { on: ['profile_id', 'event_id'] } },
  )
}
