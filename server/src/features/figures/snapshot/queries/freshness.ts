import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'

/** Time and id of the oldest queued event, and whether a recompute is queued or running. */
export type Queued = { oldest_queued: [occurredAt: string, id: string] | null; recomputing: boolean }

/**
 * Does not join the event itself: planning the read of every monthly partition would cost more than the rest of the
 * query, and usually no event waits.
 */
export const queued = (profileId: string): RawBuilder<unknown> => sql`
  (select array[q.event_times[1]::text, q.event_ids[1]::text] from event_queue q
    where q.profile_id = ${profileId} order by q.id limit 1) as oldest_queued,
  exists (
    select 1 from recomputes r where r.profile_id = ${profileId} and r.state in ('queued', 'running')) as recomputing`

export async function toWaiting(
  db: Db | Tx,
  profileId: string,
  { oldest_queued, recomputing }: Queued,
): Promise<Waiting> {
  if (oldest_queued === null) return { waiting_since: null, recomputing }
  const [occurredAt, id] = oldest_queued
  const { rows } = await sql<{ waiting_since: Date }>`
    select coalesce((
      select received_at from events
      where profile_id = ${profileId} and occurred_at = ${occurredAt}::timestamptz and id = ${id}
    ), ${occurredAt}::timestamptz) as waiting_since`.execute(db)
  return { waiting_since: rows[0]!.waiting_since, recomputing }
}

export async function loadWaiting(db: Db | Tx, profileId: string): Promise<Waiting> {
  const { rows } = await sql<Queued>`select ${queued(profileId)}`.execute(db)
  return toWaiting(db, profileId, rows[0]!)
}
