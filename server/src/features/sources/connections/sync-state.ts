/** Queues syncs. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { syncConnection } from './sync-job.ts'

type Request = {
  profileId: string
  connectionId: string
  /** First day to read again; null continues from the last success. */
  sinceDay: string | null
  now: Date
}

/** A running sync serves the request, unless the request sets a first day: then the sync restarts. */
export async function queueSync(tx: Tx, request: Request): Promise<void> {
  const { profileId, connectionId, sinceDay, now } = request
  await sql`
    insert into connection_syncs as s (profile_id, connection_id, state, since_day, pages, updated_at)
    values (${profileId}, ${connectionId}, 'queued', ${sinceDay}::date, 0, ${now})
    on conflict (profile_id, connection_id) do update set
      state = case when s.state = 'running' and excluded.since_day is null then s.state else excluded.state end,
      since_day = coalesce(excluded.since_day, s.since_day),
      cursor = case when excluded.since_day is null then s.cursor end,
      last_error = null, updated_at = excluded.updated_at`.execute(tx)
  await enqueue(
    tx,
    syncConnection,
    { profile_id: profileId, connection_id: connectionId },
    { profileId, dedupeKey: connectionId, priority: 'bulk' },
  )
}

/** Called in the transaction that stores a new or renewed consent. */
export async function startFirstSync(tx: Tx, request: Omit<Request, 'sinceDay'>): Promise<void> {
  await queueSync(tx, { ...request, sinceDay: null })
}
