import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Waiting } from '../../../facts/events/freshness-rules.ts'

/** Columns: the oldest event that no report holds yet, and whether all credit is being recomputed. */
export const waiting = (profileId: string): RawBuilder<unknown> => sql`
  (select coalesce(e.received_at, q.event_times[1]) from event_queue q
    left join events e on e.profile_id = ${profileId} and e.occurred_at = q.event_times[1] and e.id = q.event_ids[1]
    where q.profile_id = ${profileId} order by q.id limit 1) as waiting_since,
  exists (
    select 1 from recomputes r where r.profile_id = ${profileId} and r.state in ('queued', 'running')) as recomputing`

export async function whatWaits(db: Db | Tx, profileId: string): Promise<Waiting> {
  const { rows } = await sql<Waiting>`select ${waiting(profileId)}`.execute(db)
  return rows[0]!
}
