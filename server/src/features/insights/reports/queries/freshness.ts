import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'

/** The time and id of the event that waits longest, and whether all credit is being recomputed. */
export type Queued = { oldest_queued: [occurredAt: string, id: string] | null; recomputing: boolean }

/** Without the event itself: preparing to read each month's partition would cost more than all of this, and mostly none waits. */
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

export async function whatWaits(db: Db | Tx, profileId: string): Promise<Waiting> {
  const { rows } = await sql<Queued>`select ${queued(profileId)}`.execute(db)
  return toWaiting(db, profileId, rows[0]!)
}
