/**
 * Claims jobs. Claims of all workers are serialised by one lock, so a claim always sees which jobs are running;
 * this prevents overlapping runs of one dedupe key. Profiles are served round-robin: the claim walks the index from
 * profile to profile, starting after the last served one, and reads only the rows it takes, however long a
 * profile's backlog is.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { leaseEnd } from '../db/lease.ts'

const CLAIM_LOCK = 4_400_002
const LAST_PROFILE = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const PROMOTE_BATCH = 1000

export type ClaimedJob = {
  id: string
  name: string
  profile_id: string
  payload: unknown
  attempts: number
  max_attempts: number
  lease_id: string
  dedupe_key: string | null
}

export type Turn = {
  lanes: readonly number[]
  names: readonly string[]
  limit: number
  leaseId: string
  leaseSeconds: number
  /** The last served profile per lane. */
  served: Map<number, string>
}

export async function claim(db: Db, turn: Turn): Promise<ClaimedJob[]> {
  const { rows: waiting } = await sql<{ lane: number }>`
    select lane from unnest(${turn.lanes}::smallint[]) as lane
    where exists (select 1 from jobs where state = 'ready' and jobs.lane = lane.lane)
    order by lane`.execute(db)
  if (waiting.length === 0) return []
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`.execute(tx)
    const claimed: ClaimedJob[] = []
    for (const { lane } of waiting) {
      if (claimed.length === turn.limit) break
      const limit = turn.limit - claimed.length
      const { rows } = await claimLane(lane, { ...turn, limit }).execute(tx)
      const last = rows.reduce((latest, row) => (row.turn > latest.turn ? row : latest), rows[0]!)
      if (last) turn.served.set(lane, last.profile_id)
      claimed.push(...rows)
    }
    const keyed = claimed.filter((job) => job.dedupe_key !== null)
    if (keyed.length > 0) {
      await sql`
        delete from jobs using unnest(${keyed.map((job) => job.id)}::uuid[]) as leader_id, jobs as leader
        where leader.id = leader_id and jobs.state = 'ready' and jobs.profile_id = leader.profile_id
          and jobs.name = leader.name and jobs.dedupe_key = leader.dedupe_key`.execute(tx)
    }
    return claimed
  })
}

function claimLane(lane: number, turn: Turn) {
  const after = turn.served.get(lane) ?? LAST_PROFILE
  return sql<ClaimedJob & { turn: number }>`
    with recursive turns as (
      select ${after}::uuid as profile_id, false as wrapped, 0 as turn
      union all
      select next.profile_id, next.wrapped, turns.turn + 1
      from turns cross join lateral (
        (select jobs.profile_id, turns.wrapped from jobs
         where state = 'ready' and lane = ${lane}::smallint and jobs.profile_id > turns.profile_id
           and jobs.profile_id <= case when turns.wrapped then ${after}::uuid else ${LAST_PROFILE}::uuid end
         order by jobs.profile_id limit 1)
        union all
        (select jobs.profile_id, true from jobs
         where state = 'ready' and lane = ${lane}::smallint and not turns.wrapped
           and jobs.profile_id <= ${after}::uuid
         order by jobs.profile_id limit 1)
        limit 1
      ) as next
      where turns.turn < ${turn.limit}::integer
    ),
    share as (select ${turn.limit}::integer / greatest(count(*) - 1, 1) + 1 as jobs from turns),
    picked as (
      select candidate.id, turns.turn, candidate.position
      from turns cross join lateral (
        select id, row_number() over (order by id) as position from (
          select id from jobs
          where state = 'ready' and lane = ${lane}::smallint and profile_id = turns.profile_id
            and name = any(${turn.names}::text[])
            and (dedupe_key is null or not exists (
              select 1 from jobs same
              where same.dedupe_key is not null and same.state in ('ready', 'running')
                and same.profile_id = jobs.profile_id and same.name = jobs.name
                and same.dedupe_key = jobs.dedupe_key
                and (same.state = 'running' or same.id < jobs.id)))
          order by id limit (select jobs from share)
        ) as first_jobs
      ) as candidate
      where turns.turn > 0
      order by candidate.position, turns.turn
      limit ${turn.limit}::integer
    )
    update jobs
    set state = 'running', attempts = attempts + 1, lease_id = ${turn.leaseId}::uuid,
        lease_until = ${leaseEnd(turn.leaseSeconds * 1000)}
    from picked
    where jobs.id = picked.id and jobs.state = 'ready'
    returning jobs.id, name, profile_id, payload, attempts, max_attempts, lease_id, dedupe_key, picked.turn`
}

/** Makes scheduled jobs ready when they are due by the service's clock. */
export async function promoteDue(db: Db): Promise<void> {
  await sql`
    update jobs set state = 'ready'
    where id in (
      select id from jobs
      where state = 'scheduled' and run_at <= clock_timestamp()
        + coalesce((select max(offset_ms) from service_clock), 0) * interval '1 millisecond'
      order by run_at limit ${PROMOTE_BATCH}::integer for update skip locked
    )`.execute(db)
}
