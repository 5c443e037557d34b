/**
 * Retention of raw events. Old events without derived rows are deleted. Events with a touch, link or trait are reduced to
 * the part that processing reads. Events with an outcome are kept in full. All keys are kept, so later versions,
 * retractions and erasures still work, and an event that is sent again counts once (docs/decisions/0270).
 */

import { sql } from 'kysely'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { lookUpByKeys } from '../../../../platform/db/profile-lock.ts'
import { unprocessedMembers } from '../processed-part.ts'

/** Events checked per transaction. */
const BATCH_SIZE = 5000
/** The walk restarts after this time, to check events that arrived late with a date before the cursor. */
const RESTART_AFTER_MS = 90 * DAY_MS

type Walk = { started_at: Date; place_at: string | null; place_id: string | null }
type Scope = { profileId: string; before: Date }
/** Times are in the database's text format, to keep their precision. */
type Span = { profileId: string; first: string; last: string }

/** Processes the next batch of a profile. `isDone`: all events before the time were checked. */
export function dropOldEvents(
  db: Db | Tx,
  params: Scope & { now: Date; most?: number | undefined },
): Promise<{ dropped: number; isDone: boolean }> {
  const { profileId, now, most = BATCH_SIZE } = params
  return inTransaction(db, async (tx) => {
    await lookUpByKeys(tx)
    const walk = await lockWalk(tx, profileId)
    const batch = await readNext(tx, params, walk, most)
    const dropped = await dropBatch(tx, { profileId, now }, batch)
    const isDone = batch.length < most
    if (isDone && walk !== undefined && now.getTime() - walk.started_at.getTime() >= RESTART_AFTER_MS)
      await restartWalk(tx, profileId, now)
    return { dropped, isDone }
  })
}

/** The row lock allows one process per profile. */
async function lockWalk(tx: Tx, profileId: string): Promise<Walk | undefined> {
  const { rows } = await sql<Walk>`
    select started_at, place_at::text as place_at, place_id from raw_event_walks
    where profile_id = ${profileId} for update`.execute(tx)
  return rows[0]
}

/** Events with money, an order or a conversation are never dropped or reduced. */
const isDroppable = sql`not (body ?| array['settled', 'money', 'order_ref'])
      and not coalesce(body->'properties' ? 'conversation_id', false)`

type Candidate = { id: string; time: string; is_open: boolean }

/** The next events in order of time. */
async function readNext(tx: Tx, { profileId, before }: Scope, walk: Walk | undefined, most: number) {
  const beyond =
    walk?.place_at == null
      ? sql``
      : sql`and occurred_at >= ${walk.place_at}::timestamptz
          and (occurred_at, id) > (${walk.place_at}::timestamptz, ${walk.place_id}::uuid)`
  const { rows } = await sql<Candidate>`
    select id, occurred_at::text as time, ${isDroppable} as is_open from events
    where profile_id = ${profileId} and occurred_at < ${before}::timestamptz ${beyond}
    order by occurred_at, id limit ${most}`.execute(tx)
  return rows
}

async function dropBatch(
  tx: Tx,
  { profileId, now }: { profileId: string; now: Date },
  batch: readonly Candidate[],
): Promise<number> {
  const [first, last] = [batch.at(0), batch.at(-1)]
  if (first === undefined || last === undefined) return 0
  const span = { profileId, first: first.time, last: last.time }
  const droppable = batch.flatMap((event) => (event.is_open ? event.id : []))
  const dropped = await dropLocked(tx, span, await lockEvents(tx, span, droppable))
  await saveWalk(tx, { profileId, now, cursor: last, dropped })
  return dropped
}

async function dropLocked(tx: Tx, span: Span, locked: readonly LockedEvent[]): Promise<number> {
  if (locked.length === 0) return 0
  const { deletable, reducible } = await classify(tx, span.profileId, locked)
  if (reducible.length > 0)
    await sql`
      update events set body = (body - ${[...unprocessedMembers]}::text[]) || '{"settled": true}'::jsonb
      where ${inSpan(span, reducible)}`.execute(tx)
  if (deletable.length > 0) await sql`delete from events where ${inSpan(span, deletable)}`.execute(tx)
  return deletable.length
}

/**
 * Scans the span once and checks each event against the ids with a hashed subquery. A cached plan of `= any` would compare
 * each event with every id, and a join might use a nested loop.
 */
const inSpan = ({ profileId, first, last }: Span, ids: readonly string[]) => sql`
  profile_id = ${profileId} and occurred_at >= ${first}::timestamptz and occurred_at <= ${last}::timestamptz
    and (id in (select unnest(${uuidList(ids)}::uuid[]))) is true`

type LockedEvent = { id: string; received_at: string }

/** Skips events whose later version is being written: its derived rows are not known yet. */
async function lockEvents(tx: Tx, span: Span, ids: readonly string[]): Promise<LockedEvent[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LockedEvent>`
    select id, received_at::text as received_at from events
    where ${inSpan(span, ids)} and ${isDroppable} for update skip locked`.execute(tx)
  return rows
}

/**
 * Decides by the derived rows which events can be deleted or reduced. One statement is one snapshot: it sees an event
 * either in the queue or with its derived rows, so processing need not be locked out.
 */
async function classify(
  tx: Tx,
  profileId: string,
  locked: readonly LockedEvent[],
): Promise<{ deletable: string[]; reducible: string[] }> {
  const inProfile = sql`profile_id = ${profileId}`
  const { rows } = await sql<{ id: string; is_needed: boolean; is_traced: boolean }>`
    select input.id,
      input.id in (select unnest(event_ids) from event_queue where ${inProfile})
        or exists (select 1 from conversions where ${inProfile} and recorded_at = input.received_at and event_id = input.id offset 0)
        or exists (select 1 from payments where ${inProfile} and id = input.id offset 0)
        or exists (select 1 from order_events where ${inProfile} and event_id = input.id offset 0)
        or exists (select 1 from conversations where ${inProfile} and lead_event_id = input.id offset 0)
        or exists (select 1 from conversations where ${inProfile} and started_event_id = input.id offset 0)
        or exists (select 1 from event_quarantine where ${inProfile} and event_id = input.id offset 0) as is_needed,
      exists (select 1 from touches where ${inProfile} and recorded_at = input.received_at and id = input.id offset 0)
        or exists (select 1 from identity_links where ${inProfile} and event_id = input.id offset 0)
        or exists (select 1 from identity_traits where ${inProfile} and event_id = input.id offset 0) as is_traced
    from unnest(${uuidList(locked.map((event) => event.id))}::uuid[],
      ${locked.map((event) => event.received_at)}::timestamptz[]) as input(id, received_at)`.execute(tx)
  const droppable = rows.filter((row) => !row.is_needed)
  return {
    deletable: droppable.flatMap((row) => (row.is_traced ? [] : row.id)),
    reducible: droppable.flatMap((row) => (row.is_traced ? row.id : [])),
  }
}

async function saveWalk(
  tx: Tx,
  params: { profileId: string; now: Date; cursor: { time: string; id: string }; dropped: number },
): Promise<void> {
  await sql`
    insert into raw_event_walks as w (profile_id, started_at, place_at, place_id, dropped)
    values (${params.profileId}, ${params.now}, ${params.cursor.time}, ${params.cursor.id}, ${params.dropped})
    on conflict (profile_id) do update set place_at = excluded.place_at, place_id = excluded.place_id,
      dropped = w.dropped + excluded.dropped`.execute(tx)
}

async function restartWalk(tx: Tx, profileId: string, now: Date): Promise<void> {
  await sql`
    update raw_event_walks set started_at = ${now}, place_at = null, place_id = null
    where profile_id = ${profileId}`.execute(tx)
}

export async function listProfiles(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('profiles').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** Number of dropped events of all profiles, for the operator. */
export async function countDropped(db: Db): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select coalesce(sum(dropped), 0)::bigint as dropped from raw_event_walks`.execute(db)
  return rows[0]!.dropped
}
