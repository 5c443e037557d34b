/**
 * Writes new events: key, event and queue entry. On a single database this is one statement. Citus cannot route an INSERT
 * in a CTE to a single shard: it queries every node and uses a two-phase commit (4.0 ms of the coordinator's CPU per event
 * against 0.3). So on Citus it is three single-shard statements in one transaction, which on a single database would
 * cost a third more of the service's CPU for the write (docs/decisions/0260).
 */
import { sql } from 'kysely'
import {
  booleans,
  byteas,
  instants,
  jsonbs,
  texts,
  uuidList,
  uuids,
} from '../../../platform/db/bulk/columns.ts'
import { bulkInsert, type Columns } from '../../../platform/db/bulk/insert.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { isDistributed } from '../../../platform/db/nodes.ts'
import { addLock } from '../../../platform/db/profile-lock.ts'
import type { Group } from './queue.ts'
import { timeOf } from './rules.ts'
import type { NewEvent } from './stored.ts'

/** Columns of new events and of later versions. */
export const eventColumns: Columns<
  'events',
  Omit<NewEvent, 'contentHash' | 'cookies' | 'ip' | 'userAgent'>
> = {
  id: (event) => event.id,
  occurred_at: timeOf,
  received_at: (event) => event.receivedAt,
  source: (event) => event.source,
  provider: (event) => event.provider,
  external_id: (event) => event.externalId,
  name: (event) => event.name,
  anonymous_id: (event) => event.anonymousId,
  session_id: (event) => event.sessionId,
  is_bot: (event) => event.isBot,
  body: (event) => event.body,
}

/** Returns the ids of events that were stored before. */
export function insertFresh(
  db: Db | Tx,
  profileId: string,
  groups: readonly Group[],
): Promise<ReadonlySet<string>> {
  return isDistributed(db)
    ? inTransaction(db, (tx) => insertByShard(tx, profileId, groups))
    : insertInOne(db, profileId, groups)
}

async function insertInOne(
  db: Db | Tx,
  profileId: string,
  groups: readonly Group[],
): Promise<ReadonlySet<string>> {
  const events = groups.flatMap((group) => group.events)
  const queueIds = groups.flatMap((group) => group.events.map(() => group.id))
  const agents = events.filter((event) => event.userAgent !== undefined)
  const { rows } = await sql<{ event_id: string }>`
    with input as (
      select unnest(${uuids(events, (event) => event.id)}::uuid[]) as event_id,
        unnest(${instants(events, (event) => timeOf(event))}::timestamptz[]) as occurred_at,
        unnest(${instants(events, (event) => event.receivedAt)}::timestamptz[]) as received_at,
        unnest(${byteas(events, (event) => event.contentHash)}::bytea[]) as content_hash,
        unnest(${texts(events, (event) => event.source)}::text[]) as source,
        unnest(${texts(events, (event) => event.provider)}::text[]) as provider,
        unnest(${texts(events, (event) => event.externalId)}::text[]) as external_id,
        unnest(${texts(events, (event) => event.name)}::text[]) as name,
        unnest(${texts(events, (event) => event.anonymousId)}::text[]) as anonymous_id,
        unnest(${texts(events, (event) => event.sessionId)}::text[]) as session_id,
        unnest(${booleans(events, (event) => event.isBot)}::boolean[]) as is_bot,
        unnest(${jsonbs(events, (event) => event.body)}::jsonb[]) as body,
        unnest(${uuidList(queueIds)}::uuid[]) as queue_id
    ), fresh as (
      insert into event_keys (profile_id, event_id, occurred_at, content_hash)
      select ${profileId}::uuid, event_id, occurred_at, content_hash from input
      on conflict (profile_id, event_id) do nothing
      returning event_id
    ), stored as (
      insert into events (profile_id, id, occurred_at, received_at, source, provider, external_id, name, anonymous_id, session_id, is_bot, body)
      select ${profileId}::uuid, event_id, occurred_at, received_at, source, provider, external_id, name, anonymous_id, session_id, is_bot, body
      from input join fresh using (event_id)
    ), queued as (
      insert into event_queue (profile_id, id, event_ids, event_times, is_update)
      select ${profileId}::uuid, queue_id, array_agg(event_id), array_agg(occurred_at), false
      from input join fresh using (event_id) group by queue_id
    )${agents.length === 0 ? sql`` : sql`, agents as (${insertAgents(profileId, agents)})`}
    select event_id from input where event_id not in (select event_id from fresh)`.execute(db)
  return new Set(rows.map((row) => row.event_id))
}

/** Part of the insert statement; events that were stored before keep their browser data. */
function insertAgents(profileId: string, events: readonly NewEvent[]) {
  return sql`
    insert into event_agents (profile_id, event_id, user_agent, ip, cookies, kept_at)
    select ${profileId}::uuid, event_id, user_agent, ip, cookies, kept_at
    from (
      select unnest(${uuids(events, (event) => event.id)}::uuid[]) as event_id,
        unnest(${texts(events, (event) => event.userAgent!)}::text[]) as user_agent,
        unnest(${texts(events, (event) => event.ip ?? null)}::text[]) as ip,
        unnest(${jsonbs(events, (event) => event.cookies ?? null)}::jsonb[]) as cookies,
        unnest(${instants(events, (event) => event.receivedAt)}::timestamptz[]) as kept_at) as agent
    join fresh using (event_id)
    on conflict (profile_id, event_id) do nothing`
}

async function insertByShard(
  tx: Tx,
  profileId: string,
  groups: readonly Group[],
): Promise<ReadonlySet<string>> {
  const events = groups.flatMap((group) => group.events)
  const fresh = await insertKeys(tx, profileId, events)
  const isFresh = (event: NewEvent) => fresh.has(event.id)
  const freshGroups = groups
    .map((group) => ({ id: group.id, events: group.events.filter(isFresh) }))
    .filter((group) => group.events.length > 0)
  if (freshGroups.length > 0) {
    await insertEvents(
      tx,
      profileId,
      freshGroups.flatMap((group) => group.events),
    )
    for (const group of freshGroups) await insertGroup(tx, profileId, group)
    await insertAgentsByShard(
      tx,
      profileId,
      freshGroups.flatMap((group) => group.events.filter((event) => event.userAgent !== undefined)),
    )
  }
  return new Set(events.flatMap((event) => (isFresh(event) ? [] : event.id)))
}

/** Returns the ids that were inserted. A single row uses `values`, whose plan is cached. */
async function insertKeys(
  tx: Tx,
  profileId: string,
  events: readonly NewEvent[],
): Promise<ReadonlySet<string>> {
  const [single] = events
  const insert = async () =>
    events.length === 1 && single !== undefined
      ? (
          await sql<{ event_id: string }>`
            insert into event_keys (profile_id, event_id, occurred_at, content_hash)
            values (${profileId}, ${single.id}, ${timeOf(single)}, ${single.contentHash})
            on conflict (profile_id, event_id) do nothing
            returning event_id`.execute(tx)
        ).rows
      : bulkInsert(
          tx,
          { into: 'event_keys', profileId, rows: events },
          { event_id: 'id', occurred_at: timeOf, content_hash: 'contentHash' },
          { conflict: 'ignore', returning: ['event_id'] },
        )
  let rows = await insert()
  // No row means that all exist, or that the profile has no lock row yet, which the bulk insert joins.
  if (rows.length === 0 && events.length > 1) {
    await addLock(tx, profileId)
    rows = await insert()
  }
  return new Set(rows.map((row) => row.event_id))
}

async function insertEvents(tx: Tx, profileId: string, events: readonly NewEvent[]): Promise<void> {
  const [event] = events
  if (events.length === 1 && event !== undefined)
    await sql`
      insert into events (profile_id, id, occurred_at, received_at, source, provider, external_id, name, anonymous_id, session_id, is_bot, body)
      values (${profileId}, ${event.id}, ${timeOf(event)}, ${event.receivedAt}, ${event.source}, ${event.provider}, ${event.externalId},
        ${event.name}, ${event.anonymousId}, ${event.sessionId}, ${event.isBot}, ${JSON.stringify(event.body)})`.execute(
      tx,
    )
  else await bulkInsert(tx, { into: 'events', profileId, rows: events }, eventColumns)
}

async function insertGroup(tx: Tx, profileId: string, { id, events }: Group): Promise<void> {
  await sql`
    insert into event_queue (profile_id, id, event_ids, event_times, is_update)
    values (${profileId}, ${id}, ${uuids(events, (event) => event.id)}::uuid[],
      ${instants(events, (event) => timeOf(event))}::timestamptz[], false)`.execute(tx)
}

async function insertAgentsByShard(tx: Tx, profileId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  // The profile's lock row exists by now if there are several events; a single event does not need it.
  const [single] = events
  if (events.length === 1 && single !== undefined)
    await sql`
      insert into event_agents (profile_id, event_id, user_agent, ip, cookies, kept_at)
      values (${profileId}, ${single.id}, ${single.userAgent!}, ${single.ip ?? null},
        ${single.cookies === undefined ? null : JSON.stringify(single.cookies)}, ${single.receivedAt})
      on conflict (profile_id, event_id) do nothing`.execute(tx)
  else
    await bulkInsert(
      tx,
      { into: 'event_agents', profileId, rows: events },
      {
        event_id: 'id',
        user_agent: (event) => event.userAgent!,
        ip: 'ip',
        cookies: 'cookies',
        kept_at: 'receivedAt',
      },
      { conflict: 'ignore' },
    )
}
