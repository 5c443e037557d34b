/**
 * Events that are committed and wait to be processed, in groups: what one write took in is a row or a few, deleted in
 * the transaction that processes it.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { instants, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { joinOwn, ownId } from '../../../platform/db/shard-anchor.ts'
import type { Cause } from '../restatements/causes.ts'
import type { Handover } from './handover.ts'
import type { NewEvent, StoredEvent } from './stored.ts'

/** A row of this many stays within what PostgreSQL stores in one piece. */
const MAX_IN_GROUP = 50

export type Group = { id: string; events: readonly NewEvent[] }

export function toGroups(events: readonly NewEvent[]): Group[] {
  const groups: Group[] = []
  for (let at = 0; at < events.length; at += MAX_IN_GROUP) {
    const own = events.slice(at, at + MAX_IN_GROUP)
    groups.push({ id: queueId(Math.min(...own.map((event) => event.receivedAt.getTime()))), events: own })
  }
  return groups
}

/**
 * The queue is taken in the order of these ids. A group's time is not behind the receipt of any of its events, and a
 * later version's is behind the receipt of the first: so whatever the clocks of the processes say, an event is never
 * taken after its update.
 */
function queueId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The stored events are to be read again: later versions, that came at `now`. */
export async function enqueueUpdates(
  tx: Tx,
  profileId: string,
  updates: readonly { event: StoredEvent; now: Date }[],
): Promise<void> {
  if (updates.length === 0) return
  const queueIds: string[] = []
  for (let at = 0; at < updates.length; at += MAX_IN_GROUP) {
    const own = updates.slice(at, at + MAX_IN_GROUP)
    const id = queueId(
      Math.max(...own.map(({ event, now }) => Math.max(now.getTime(), event.receivedAt.getTime() + 1))),
    )
    for (const _ of own) queueIds.push(id)
  }
  await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update)
    select ${ownId(tx, profileId)}, queue_id, array_agg(event_id), array_agg(occurred_at), true from (
      select unnest(${uuidList(queueIds)}::uuid[]) as queue_id,
        unnest(${uuids(updates, ({ event }) => event.id)}::uuid[]) as event_id,
        unnest(${instants(updates, ({ event }) => event.occurredAt)}::timestamptz[]) as occurred_at) as updated
    ${joinOwn(tx, profileId)}
    group by 1, queue_id`.execute(tx)
}

/** Every stored event with one of these names that can become an outcome is read again; the ids only order the queue. */
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

/** These stored events are read again; the ids only order the queue. */
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

/** Payments that browsers reported, from a time up to another or for good, are read again. Returns whether there are any. */
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

/** An event that is gone or was changed may still wait: its group is then read from the table, whatever the process remembers of it. */
export async function rereadWaiting(tx: Tx, params: { profileId: string; eventIds: readonly string[] }) {
  await sql`
    update event_queue set is_update = true
    where profile_id = ${params.profileId} and event_ids && ${uuidList(params.eventIds)}::uuid[]`.execute(tx)
}

/** Whether something waits that was received up to then. */
export async function hasWaiting(tx: Tx, params: { profileId: string; until: Date }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from event_queue where profile_id = ${params.profileId} and id < ${queueId(params.until.getTime() + 1)}
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Whether an event that names this identifier is committed and waits: its customer is there as soon as it is processed. */
export async function isNamedByWaiting(db: Db | Tx, params: { profileId: string; identifierId: string }) {
  const { rows } = await sql`
    select 1 from event_queue q
    cross join lateral unnest(q.event_ids, q.event_times) as waiting (id, occurred_at)
    join events e on e.profile_id = q.profile_id and e.occurred_at = waiting.occurred_at and e.id = waiting.id
    where q.profile_id = ${params.profileId} and not e.is_bot
      and e.body @> jsonb_build_object('identifiers', jsonb_build_array(jsonb_build_object('id', ${params.identifierId}::text)))
    limit 1`.execute(db)
  return rows.length > 0
}

/** `cause`: why a stored event is read again, where it was not sent again. */
export type QueuedEvent = {
  eventId: string
  isUpdate: boolean
  event: StoredEvent | null
  cause?: Cause | null
}

/** The time is as the database writes it, which is all that finding the event needs. */
type WaitingEvent = QueuedEvent & { time: string }

/** Takes the oldest groups, until they hold `limit` events. Null where the event itself is gone (retracted meanwhile). */
export async function takeQueued(
  tx: Tx,
  params: { profileId: string; limit: number; handover: Handover },
): Promise<QueuedEvent[]> {
  const waiting = await takeGroups(tx, params)
  const unknown = waiting.filter((entry) => entry.event === null)
  const read = await readEvents(tx, params.profileId, unknown)
  for (const entry of unknown) entry.event = read.get(entry.eventId) ?? null
  return waiting
}

type TakenGroup = {
  id: string
  event_ids: string
  event_times: string
  is_update: boolean
  cause: Cause | null
}

/** They are deleted up to the last of them: a list of ids would be compared with every waiting one. */
async function takeGroups(
  tx: Tx,
  { profileId, limit, handover }: { profileId: string; limit: number; handover: Handover },
): Promise<WaitingEvent[]> {
  const { rows } = await sql<TakenGroup>`
    with oldest as (
      select id, cardinality(event_ids) as events from event_queue
      where profile_id = ${profileId} order by id limit ${limit}),
    counted as (select id, sum(events) over (order by id) - events as before from oldest),
    taken as (
      delete from event_queue where profile_id = ${profileId} and id <= (
        select id from counted where before < ${limit} order by id desc limit 1)
      returning id, event_ids, event_times, is_update, cause)
    select id, event_ids::text as event_ids, event_times::text as event_times, is_update, cause from taken order by id`.execute(
    tx,
  )
  return rows.flatMap((row) => {
    const known = handover.take(row.id)
    const times = partsOf(row.event_times)
    return partsOf(row.event_ids).map((eventId, index) => ({
      eventId,
      time: times[index]!,
      isUpdate: row.is_update,
      cause: row.cause,
      event: row.is_update ? null : (known?.get(eventId) ?? null),
    }))
  })
}

const partsOf = (arrayText: string): string[] => arrayText.slice(1, -1).split(',')

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
  wanted: readonly { eventId: string; time: string }[],
): Promise<Map<string, StoredEvent>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<EventRow>`
    select e.id, e.occurred_at, e.received_at, e.source, e.provider, e.external_id, e.name, e.anonymous_id, e.session_id,
      e.is_bot, e.body
    from unnest(${uuids(wanted, (entry) => entry.eventId)}::uuid[], ${`{${wanted.map((entry) => entry.time).join(',')}}`}::timestamptz[])
      as asked(id, occurred_at)
    cross join lateral (
      select * from events where profile_id = ${profileId} and occurred_at = asked.occurred_at and id = asked.id offset 0) as e`.execute(
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
