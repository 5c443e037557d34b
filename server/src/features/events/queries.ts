/** Writes events: one statement for what is new; what was known before is looked at under its lock. */
import { sql } from 'kysely'
import { booleans, byteas, instants, jsonbs, texts, uuidList, uuids } from '../../db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { conversionsOf } from './derived-rows.ts'
import type { Handover } from './handover.ts'
import type { IngestStatus } from './ingest.ts'
import { type Group, toGroups } from './queue.ts'
import { updateKnown } from './replace.ts'
import { timeOf } from './rules.ts'
import type { NewEvent } from './stored.ts'

/** Only who writes outside of a transaction may hand over: what is remembered must be committed. */
export async function writeEvents(
  db: Db | Tx,
  params: { profileId: string; events: readonly NewEvent[]; handover?: Handover },
): Promise<IngestStatus[]> {
  const groups = toGroups(params.events)
  const knownIds = await insertFresh(db, params.profileId, groups)
  const isKnown = (event: NewEvent) => knownIds.has(event.id)
  if (params.handover !== undefined) handOver(params.handover, groups, isKnown)
  if (knownIds.size === 0) return params.events.map(() => 'accepted')
  const known = params.events.filter(isKnown)
  const updated = await inTransaction(db, (tx) =>
    updateKnown(tx, { profileId: params.profileId, events: known }),
  )
  return params.events.map((event) => updated.get(event.id) ?? 'accepted')
}

function handOver(handover: Handover, groups: readonly Group[], isKnown: (event: NewEvent) => boolean): void {
  for (const { id, events } of groups) {
    const fresh = events.some(isKnown) ? events.filter((event) => !isKnown(event)) : events
    if (fresh.length > 0) handover.keep(id, fresh)
  }
}

/** Key, event and queue entry in one statement, which is its own transaction. Returns the events that were known before. */
async function insertFresh(
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

/** Part of the statement that stores the events: what is not fresh keeps the browser it had. */
function insertAgents(profileId: string, events: readonly NewEvent[]) {
  return sql`
    insert into event_agents (profile_id, event_id, user_agent, kept_at)
    select ${profileId}::uuid, event_id, user_agent, kept_at
    from (
      select unnest(${uuids(events, (event) => event.id)}::uuid[]) as event_id,
        unnest(${texts(events, (event) => event.userAgent!)}::text[]) as user_agent,
        unnest(${instants(events, (event) => event.receivedAt)}::timestamptz[]) as kept_at) as agent
    join fresh using (event_id)
    on conflict (profile_id, event_id) do nothing`
}

export async function deleteEvent(
  tx: Tx,
  params: { profileId: string; eventId: string; occurredAt: Date },
): Promise<void> {
  await tx
    .deleteFrom('events')
    .where('profile_id', '=', params.profileId)
    .where('occurred_at', '=', params.occurredAt)
    .where('id', '=', params.eventId)
    .execute()
}

export async function lockEventKey(tx: Tx, params: { profileId: string; eventId: string }) {
  return tx
    .selectFrom('event_keys')
    .select(['occurred_at', 'retracted_at'])
    .where('profile_id', '=', params.profileId)
    .where('event_id', '=', params.eventId)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRetracted(
  tx: Tx,
  params: { profileId: string; eventId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('event_keys')
    .set({ retracted_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('event_id', '=', params.eventId)
    .execute()
}

export async function countDerived(
  tx: Tx,
  params: { profileId: string; eventId: string },
): Promise<{ conversions: number; credits: number }> {
  const { rows } = await sql<{ conversions: number; credits: number }>`
    select count(*)::int as conversions, count(r.conversion_id) filter (where c.attribution_eligible)::int as credits
    from ${conversionsOf(params.profileId, [params.eventId])} as c
    left join credits r on r.profile_id = ${params.profileId} and r.conversion_id = c.id`.execute(tx)
  return rows[0]!
}

/** What keeps an event from being taken back: an export of one of its conversions, or a conversation that took it as its lead. */
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
