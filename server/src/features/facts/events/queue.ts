/**
 * Queue of committed events that wait to be processed. A write is one or a few rows (groups of events), which are deleted
 * in the transaction that processes them.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { instants, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import type { Cause } from '../restatements/causes.ts'
import type { Handover } from './handover.ts'
import type { NewEvent, StoredEvent } from './stored.ts'

/** Small enough that PostgreSQL does not move the arrays of a row to TOAST storage. */
const MAX_IN_GROUP = 50

export type Group = { id: string; events: readonly NewEvent[] }

export function toGroups(events: readonly NewEvent[]): Group[] {
  const groups: Group[] = []
  for (let at = 0; at < events.length; at += MAX_IN_GROUP) {
    const group = events.slice(at, at + MAX_IN_GROUP)
    groups.push({ id: queueId(Math.min(...group.map((event) => event.receivedAt.getTime()))), events: group })
  }
  return groups
}

/**
 * The queue is processed in the order of these ids. The time of a group of new events is not later than the receipt of
 * any of them, and that of an update is later than the first receipt. So an event is never processed after its update,
 * even if the clocks of processes differ.
 */
function queueId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Queues later versions of stored events for processing; `now` is the time they arrived. */
export async function enqueueUpdates(
  tx: Tx,
  profileId: string,
  updates: readonly { event: StoredEvent; now: Date }[],
): Promise<void> {
  if (updates.length === 0) return
  const queueIds: string[] = []
  for (let at = 0; at < updates.length; at += MAX_IN_GROUP) {
    const group = updates.slice(at, at + MAX_IN_GROUP)
    const id = queueId(
      Math.max(...group.map(({ event, now }) => Math.max(now.getTime(), event.receivedAt.getTime() + 1))),
    )
    for (const _ of group) queueIds.push(id)
  }
  await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update)
    select ${anchoredProfileId(tx, profileId)}, queue_id, array_agg(event_id), array_agg(occurred_at), true from (
      select unnest(${uuidList(queueIds)}::uuid[]) as queue_id,
        unnest(${uuids(updates, ({ event }) => event.id)}::uuid[]) as event_id,
        unnest(${instants(updates, ({ event }) => event.occurredAt)}::timestamptz[]) as occurred_at) as updated
    ${joinAnchor(tx, profileId)}
    group by 1, queue_id`.execute(tx)
}

/** Queues all stored events with these names for reprocessing, except settled ones. Random ids: the order does not matter. */
export async function enqueueEventsNamed(
  tx: Tx,
  params: { profileId: string; names: readonly string[]; cause: Cause },
): Promise<void> {
  await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update, cause)
    select ${params.profileId}::uuid, gen_random_uuid(), array[id], array[occurred_at], true, ${params.cause}::text from events
    where profile_id = ${params.profileId} and name = any(${params.names}::text[]) and not body ? 'settled'`.execute(
    tx,
  )
}

/** Queues stored events for reprocessing. Random ids: the order does not matter. */
export async function enqueueEvents(
  tx: Tx,
  params: { profileId: string; eventIds: readonly string[]; cause: Cause },
): Promise<void> {
  await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update, cause)
    select ${params.profileId}::uuid, gen_random_uuid(), array[event_id], array[occurred_at], true, ${params.cause}::text from event_keys
    where profile_id = ${params.profileId} and event_id = any(${uuidList(params.eventIds)}::uuid[])`.execute(
    tx,
  )
}

/** Queues browser payments of a time range (open-ended if `to` is null) for reprocessing. Returns whether there are any. */
export async function enqueueBrowserPayments(
  tx: Tx,
  params: { profileId: string; from: Date | null; to: Date | null; cause: Cause },
): Promise<boolean> {
  const { profileId, from, to } = params
  const { rows } = await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update, cause)
    select ${profileId}::uuid, gen_random_uuid(), array[id], array[occurred_at], true, ${params.cause}::text from payments
    where profile_id = ${profileId} and provider = 'web'
      and occurred_at >= ${from ?? new Date(-8_640_000_000_000)}::timestamptz
      and (${to}::timestamptz is null or occurred_at < ${to}::timestamptz)
    returning id`.execute(tx)
  return rows.length > 0
}

/** Makes queued groups that contain these deleted or changed events be read from the table instead of the handover. */
export async function markForReread(tx: Tx, params: { profileId: string; eventIds: readonly string[] }) {
  await sql`
    update event_queue set is_update = true
    where profile_id = ${params.profileId} and event_ids && ${uuidList(params.eventIds)}::uuid[]`.execute(tx)
}

/** Whether events received up to this time wait. */
export async function hasWaiting(tx: Tx, params: { profileId: string; until: Date }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from event_queue where profile_id = ${params.profileId} and id < ${queueId(params.until.getTime() + 1)}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Whether a waiting event contains this identifier: its customer will exist once it is processed. */
export async function isIdentifierQueued(db: Db | Tx, params: { profileId: string; identifierId: string }) {
  const { rows } = await sql`
    select 1 from event_queue q
    cross join lateral unnest(q.event_ids, q.event_times) as waiting (id, occurred_at)
    join events e on e.profile_id = q.profile_id and e.occurred_at = waiting.occurred_at and e.id = waiting.id
    where q.profile_id = ${params.profileId} and not e.is_bot
      and e.body @> jsonb_build_object('identifiers', jsonb_build_array(jsonb_build_object('id', ${params.identifierId}::text)))
    limit 1`.execute(db)
  return rows.length > 0
}

/** `cause`: why a stored event is reprocessed, if not because it was sent again. */
export type QueuedEvent = {
  eventId: string
  isUpdate: boolean
  event: StoredEvent | null
  cause?: Cause | null
}

/** `time` is in the database's text format; it is only used to look up the event. */
type WaitingEvent = QueuedEvent & { time: string }

/** Dequeues the oldest groups with up to about `limit` events. `event` is null if it was deleted (retracted) meanwhile. */
export async function dequeueEvents(
  tx: Tx,
  params: { profileId: string; limit: number; handover: Handover },
): Promise<QueuedEvent[]> {
  const waiting = await dequeueGroups(tx, params)
  const missing = waiting.filter((entry) => entry.event === null)
  const stored = await readEvents(tx, params.profileId, missing)
  for (const entry of missing) entry.event = stored.get(entry.eventId) ?? null
  return waiting
}

type QueueRow = {
  id: string
  event_ids: string
  event_times: string
  is_update: boolean
  cause: Cause | null
}

/** Deletes by the range up to the last id: a list of ids would be compared with every waiting row. */
async function dequeueGroups(
  tx: Tx,
  { profileId, limit, handover }: { profileId: string; limit: number; handover: Handover },
): Promise<WaitingEvent[]> {
  const { rows } = await sql<QueueRow>`
    with oldest as (
      select id, cardinality(event_ids) as events from event_queue
      where profile_id = ${profileId} order by id limit ${limit}),
    counted as (select id, sum(events) over (order by id) - events as before from oldest),
    dequeued as (
      delete from event_queue where profile_id = ${profileId} and id <= (
        select id from counted where before < ${limit} order by id desc limit 1)
      returning id, event_ids, event_times, is_update, cause)
    select id, event_ids::text as event_ids, event_times::text as event_times, is_update, cause from dequeued order by id`.execute(
    tx,
  )
  return rows.flatMap((row) => {
    const handedOver = handover.take(row.id)
    const times = splitArray(row.event_times)
    return splitArray(row.event_ids).map((eventId, index) => ({
      eventId,
      time: times[index]!,
      isUpdate: row.is_update,
      cause: row.cause,
      event: row.is_update ? null : (handedOver?.get(eventId) ?? null),
    }))
  })
}

const splitArray = (arrayText: string): string[] => arrayText.slice(1, -1).split(',')

type EventRow = {
  id: string
  occurred_at: Date
  received_at: Date
  source: StoredEvent['source']
  provider: string | null
  external_id: string | null
  name: string
  anonymous_id: string | null
  session_id: string | null
  is_bot: boolean
  body: StoredEvent['body']
}

export async function readEvents(
  tx: Tx,
  profileId: string,
  entries: readonly { eventId: string; time: string }[],
): Promise<Map<string, StoredEvent>> {
  if (entries.length === 0) return new Map()
  const { rows } = await sql<EventRow>`
    select e.id, e.occurred_at, e.received_at, e.source, e.provider, e.external_id, e.name, e.anonymous_id, e.session_id,
      e.is_bot, e.body
    from unnest(${uuids(entries, (entry) => entry.eventId)}::uuid[], ${`{${entries.map((entry) => entry.time).join(',')}}`}::timestamptz[])
      as input(id, occurred_at)
    cross join lateral (
      select * from events where profile_id = ${profileId} and occurred_at = input.occurred_at and id = input.id offset 0) as e`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.id, toStored(row)]))
}

function toStored(row: EventRow): StoredEvent {
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    source: row.source,
    provider: row.provider,
    externalId: row.external_id,
    name: row.name,
    anonymousId: row.anonymous_id,
    sessionId: row.session_id,
    isBot: row.is_bot,
    body: row.body,
  }
}
