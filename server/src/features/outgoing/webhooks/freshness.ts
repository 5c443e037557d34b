/** Records `profile.freshness.changed` when a profile's attribution falls behind the received events or catches up. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { freshnessOf, type Waiting } from '../../facts/events/freshness-rules.ts'
import { freshnessChanged } from '../../facts/outbox/event-factories.ts'
import { recordEvent } from '../../facts/outbox/record.ts'

type WaitingRow = Waiting & { profile_id: string }

const upToDate: Waiting = { waiting_since: null, recomputing: false }

export async function compareFreshness(db: Db, now: Date): Promise<void> {
  const waiting = new Map((await listWaiting(db)).map((row) => [row.profile_id, row]))
  const { rows: stale } = await sql<{ profile_id: string }>`
    select profile_id from attribution_state where freshness = 'stale'`.execute(db)
  for (const profileId of new Set([...waiting.keys(), ...stale.map((row) => row.profile_id)]))
    await compareProfile(db, profileId, waiting.get(profileId) ?? upToDate, now)
}

async function listWaiting(db: Db): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    with behind as (
      select profile_id from event_queue union select profile_id from recomputes where state in ('queued', 'running'))
    select b.profile_id, oldest.received_at as waiting_since,
      exists (select 1 from recomputes r
        where r.profile_id = b.profile_id and r.state in ('queued', 'running')) as recomputing
    from behind b
    left join lateral (
      select coalesce(e.received_at, q.event_times[1]) as received_at from event_queue q
      left join events e on e.profile_id = q.profile_id and e.occurred_at = q.event_times[1] and e.id = q.event_ids[1]
      where q.profile_id = b.profile_id order by q.id limit 1) as oldest on true`.execute(db)
  return rows
}

async function compareProfile(db: Db, profileId: string, waiting: Waiting, now: Date): Promise<void> {
  const { computedThrough: through, isStale } = freshnessOf(waiting, now)
  const to = isStale ? 'stale' : 'fresh'
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ freshness: string }>`
      select freshness from attribution_state where profile_id = ${profileId} for update`.execute(tx)
    const from = rows[0]?.freshness ?? 'fresh'
    await sql`
      insert into attribution_state (profile_id, computed_through, freshness, updated_at)
      values (${profileId}, ${through}, ${to}, ${now})
      on conflict (profile_id) do update set computed_through = excluded.computed_through,
        freshness = excluded.freshness, updated_at = excluded.updated_at`.execute(tx)
    if (from === to) return
    const data = { from, to, computed_through: through.toISOString() }
    await recordEvent(tx, freshnessChanged(profileId, data, now), now)
  })
}
