import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

export type HappenedRow = {
  id: string
  kind: string
  at: Date
  provider: string | null
  subject_id: string | null
  data: Record<string, unknown>
}

/** Newest first. Few of a profile's outbox events have these types; each type is an index lookup. */
export async function listHappened(
  db: Db | Tx,
  params: { profileId: string; since: Date; types: readonly string[]; limit: number },
): Promise<HappenedRow[]> {
  const { profileId, since, types, limit } = params
  const { rows } = await sql<HappenedRow>`
    select * from (
      select o.id, o.type as kind, o.recorded_at as at, coalesce(o.data ->> 'provider', o.data ->> 'name') as provider,
        coalesce(o.data ->> 'connection_id', o.data ->> 'destination_id', o.data ->> 'alert_id') as subject_id, o.data
      from outbox_events o
      where o.profile_id = ${profileId} and o.type = any(${types}::text[]) and o.recorded_at >= ${since}
      union all
      select r.id::text, 'recommendation.opened', r.created_at, r.subject ->> 'name', r.id::text,
        jsonb_build_object('kind', r.kind)
      from recommendations r
      where r.profile_id = ${profileId} and r.created_at >= ${since}
      union all
      -- One notification for all problems opened by one run of the data check; none for warnings.
      select min(d.id), 'doctor.problems', d.recorded_at, null, null, jsonb_build_object('problems', count(*))
      from outbox_events d
      where d.profile_id = ${profileId} and d.type = 'doctor.finding.opened' and d.recorded_at >= ${since}
        and d.data ->> 'status' = 'problem'
      group by d.recorded_at
      union all
      select s.connection_id::text || ':first', 'sync.first', s.first_success_at, c.provider, c.id::text, '{}'::jsonb
      from connection_syncs s
      join connections c on c.profile_id = ${profileId} and c.id = s.connection_id
      where s.profile_id = ${profileId} and s.first_success_at >= ${since}) as happened
    order by at desc, id
    limit ${limit}`.execute(db)
  return rows
}

export async function findReadThrough(
  db: Db | Tx,
  params: { profileId: string; userId: string },
): Promise<Date | undefined> {
  const row = await rowsWhere(db, 'notification_reads', {
    profile_id: params.profileId,
    user_id: params.userId,
  }).find(['read_through'])
  return row?.read_through
}

export async function saveReadThrough(
  tx: Tx,
  params: { profileId: string; userId: string; through: Date },
): Promise<Date> {
  const { rows } = await sql<{ read_through: Date }>`
    insert into notification_reads as r (profile_id, user_id, read_through)
    values (${params.profileId}, ${params.userId}, ${params.through})
    on conflict (profile_id, user_id) do update set read_through = greatest(r.read_through, excluded.read_through)
    returning read_through`.execute(tx)
  return rows[0]!.read_through
}
