/**
 * Raw events of before a time are dropped where nothing came of them, and lose what no processing reads where a touch,
 * an identity or a trait came of them. Those that brought an outcome stay whole, and every key stays: so a later version,
 * a retraction and an erasure find what they need, and what is sent again counts once (docs/decisions/0270).
 */

import { sql } from 'kysely'
import { DAY_MS } from '../../../../platform/contract/dates.ts'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../../../platform/db/database.ts'
import { lookUpByKeys } from '../../../../platform/db/profile-lock.ts'
import { unprocessedMembers } from '../processed-part.ts'

/** Events that are looked at in one transaction. */
const AT_ONCE = 5000
/** What came with an old date behind the place that was reached is looked at when the walk begins again, after so long. */
const ANEW_AFTER_MS = 90 * DAY_MS

type Walk = { started_at: Date; place_at: string | null; place_id: string | null }
type Scope = { profileId: string; before: Date }
/** Times are as the database writes them, whatever their precision. */
type Span = { profileId: string; first: string; last: string }

/** The next events of a profile. `isDone`: all that happened before the time were looked at. */
export function dropOldEvents(
  db: Db | Tx,
  params: Scope & { now: Date; most?: number | undefined },
): Promise<{ dropped: number; isDone: boolean }> {
  const { profileId, now, most = AT_ONCE } = params
  return inTransaction(db, async (tx) => {
    await lookUpByKeys(tx)
    const walk = await lockWalk(tx, profileId)
    const looked = await lookOn(tx, params, walk, most)
    const dropped = await dropOf(tx, { profileId, now }, looked)
    const isDone = looked.length < most
    if (isDone && walk !== undefined && now.getTime() - walk.started_at.getTime() >= ANEW_AFTER_MS)
      await restartWalk(tx, profileId, now)
    return { dropped, isDone }
  })
}

/** One process at a time walks through a profile. */
async function lockWalk(tx: Tx, profileId: string): Promise<Walk | undefined> {
  const { rows } = await sql<Walk>`
    select started_at, place_at::text as place_at, place_id from raw_event_walks
    where profile_id = ${profileId} for update`.execute(tx)
  return rows[0]
}

/** What money, an order or a conversation hangs on is never made less. */
const isOpen = sql`not (body ?| array['settled', 'money', 'order_ref'])
      and not coalesce(body->'properties' ? 'conversation_id', false)`

type Looked = { id: string; time: string; is_open: boolean }

/** In order of time. */
async function lookOn(tx: Tx, { profileId, before }: Scope, walk: Walk | undefined, most: number) {
  const beyond =
    walk?.place_at == null
      ? sql``
      : sql`and occurred_at >= ${walk.place_at}::timestamptz
          and (occurred_at, id) > (${walk.place_at}::timestamptz, ${walk.place_id}::uuid)`
  const { rows } = await sql<Looked>`
    select id, occurred_at::text as time, ${isOpen} as is_open from events
    where profile_id = ${profileId} and occurred_at < ${before}::timestamptz ${beyond}
    order by occurred_at, id limit ${most}`.execute(tx)
  return rows
}

async function dropOf(
  tx: Tx,
  { profileId, now }: { profileId: string; now: Date },
  looked: readonly Looked[],
): Promise<number> {
  const [first, last] = [looked.at(0), looked.at(-1)]
  if (first === undefined || last === undefined) return 0
  const span = { profileId, first: first.time, last: last.time }
  const open = looked.flatMap((event) => (event.is_open ? event.id : []))
  const dropped = await dropIn(tx, span, await lockEvents(tx, span, open))
  await saveWalk(tx, { profileId, now, place: last, dropped })
  return dropped
}

async function dropIn(tx: Tx, span: Span, held: readonly Held[]): Promise<number> {
  if (held.length === 0) return 0
  const { gone, lessened } = await judge(tx, span.profileId, held)
  if (lessened.length > 0)
    await sql`
      update events set body = (body - ${[...unprocessedMembers]}::text[]) || '{"settled": true}'::jsonb
      where ${within(span, lessened)}`.execute(tx)
  if (gone.length > 0) await sql`delete from events where ${within(span, gone)}`.execute(tx)
  return gone.length
}

/**
 * The span is read once, and whether an event is among the ids is looked up: `= any` is compared with each of them once
 * the plan is kept, and as a join the ids might be gone through for each event.
 */
const within = ({ profileId, first, last }: Span, ids: readonly string[]) => sql`
  profile_id = ${profileId} and occurred_at >= ${first}::timestamptz and occurred_at <= ${last}::timestamptz
    and (id in (select unnest(${uuidList(ids)}::uuid[]))) is true`

type Held = { id: string; received_at: string }

/** A later version that is just being written is left alone: what it will make is not known yet. */
async function lockEvents(tx: Tx, span: Span, ids: readonly string[]): Promise<Held[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Held>`
    select id, received_at::text as received_at from events
    where ${within(span, ids)} and ${isOpen} for update skip locked`.execute(tx)
  return rows
}

/**
 * What came of the events, in one statement: what waits or is being processed is seen to wait until what it made is
 * seen, so that no one has to be kept from processing.
 */
async function judge(
  tx: Tx,
  profileId: string,
  held: readonly Held[],
): Promise<{ gone: string[]; lessened: string[] }> {
  const own = sql`profile_id = ${profileId}`
  const { rows } = await sql<{ id: string; is_needed: boolean; is_traced: boolean }>`
    select asked.id,
      asked.id in (select unnest(event_ids) from event_queue where ${own})
        or exists (select 1 from conversions where ${own} and recorded_at = asked.received_at and event_id = asked.id offset 0)
        or exists (select 1 from payments where ${own} and id = asked.id offset 0)
        or exists (select 1 from order_events where ${own} and event_id = asked.id offset 0)
        or exists (select 1 from conversations where ${own} and lead_event_id = asked.id offset 0)
        or exists (select 1 from conversations where ${own} and started_event_id = asked.id offset 0)
        or exists (select 1 from event_quarantine where ${own} and event_id = asked.id offset 0) as is_needed,
      exists (select 1 from touches where ${own} and recorded_at = asked.received_at and id = asked.id offset 0)
        or exists (select 1 from identity_links where ${own} and event_id = asked.id offset 0)
        or exists (select 1 from identity_traits where ${own} and event_id = asked.id offset 0) as is_traced
    from unnest(${uuidList(held.map((event) => event.id))}::uuid[],
      ${held.map((event) => event.received_at)}::timestamptz[]) as asked(id, received_at)`.execute(tx)
  const free = rows.filter((row) => !row.is_needed)
  return {
    gone: free.flatMap((row) => (row.is_traced ? [] : row.id)),
    lessened: free.flatMap((row) => (row.is_traced ? row.id : [])),
  }
}

async function saveWalk(
  tx: Tx,
  params: { profileId: string; now: Date; place: { time: string; id: string }; dropped: number },
): Promise<void> {
  await sql`
    insert into raw_event_walks as w (profile_id, started_at, place_at, place_id, dropped)
    values (${params.profileId}, ${params.now}, ${params.place.time}, ${params.place.id}, ${params.dropped})
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

/** Of all profiles, for the operator. */
export async function countDropped(db: Db): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select coalesce(sum(dropped), 0)::bigint as dropped from raw_event_walks`.execute(db)
  return rows[0]!.dropped
}
