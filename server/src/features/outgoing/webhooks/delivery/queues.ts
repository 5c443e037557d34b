/** Subscriptions with pending deliveries, and the leases on them. The lease of a crashed sender expires. */
import { sql } from 'kysely'
import { type Db, plainArray, type Tx } from '../../../../platform/db/database.ts'
import { leaseEnd, noLease } from '../../../../platform/db/lease.ts'

export type LeasedQueue = { subscription_id: string; profile_id: string; wakes: number }

/** Call after the deliveries are written, in their transaction. Rows are locked in a fixed order to avoid deadlocks. */
export async function wakeQueues(
  tx: Tx,
  profileId: string,
  subscriptionIds: readonly string[],
  dueAt: Date,
): Promise<void> {
  const ids = [...new Set(subscriptionIds)].sort()
  if (ids.length === 0) return
  await sql`
    insert into webhook_queues as q (subscription_id, profile_id, due_at, wakes)
    select id, ${profileId}::uuid, ${dueAt}::timestamptz, 1 from unnest(${ids}::uuid[]) as s(id) order by id
    on conflict (subscription_id) do update set due_at = least(q.due_at, excluded.due_at), wakes = q.wakes + 1`.execute(
    tx,
  )
}

/** The service's time, its sandbox offset, and whether any queue waits for a sender. */
export async function checkQueues(
  db: Db,
  now: Date,
): Promise<{ now: Date; offsetMs: number; waiting: boolean }> {
  const { rows } = await sql<{ now: Date; offset_ms: number; waiting: boolean }>`
    select t.now, t.offset_ms, exists (select 1 from webhook_queues
      where due_at <= greatest(t.now, ${now}) and (lease_until is null or lease_until < clock_timestamp())) as waiting
    from (
      select clock_timestamp() + o.offset_ms * interval '1 millisecond' as now, o.offset_ms
      from (select coalesce(max(offset_ms), 0) as offset_ms from service_clock) as o) as t`.execute(db)
  const { offset_ms: offsetMs, ...state } = rows[0]!
  return { ...state, offsetMs }
}

export async function claimQueues(
  db: Db,
  params: { leaseId: string; leaseMs: number; now: Date; limit: number },
): Promise<LeasedQueue[]> {
  const { rows } = await sql<LeasedQueue>`
    update webhook_queues set lease_id = ${params.leaseId}::uuid, lease_until = ${leaseEnd(params.leaseMs)}
    where subscription_id in (
      select subscription_id from webhook_queues
      where due_at <= ${params.now} and (lease_until is null or lease_until < now())
      order by due_at limit ${params.limit}::integer for update skip locked)
    returning subscription_id, profile_id, wakes`.execute(db)
  return rows
}

export type Release = { id: string; wakes: number; dueAt: Date | null }

/**
 * Releases queues without new deliveries since they were read. Returns the released ids; the lease of the others is
 * still held, or lost.
 */
export async function releaseQueues(
  db: Db,
  leaseId: string,
  releases: readonly Release[],
): Promise<Set<string>> {
  const later = releases.filter((release) => release.dueAt !== null)
  const done = releases.filter((release) => release.dueAt === null)
  const { rows } = await sql<{ subscription_id: string }>`
    with later as (
      update webhook_queues q set due_at = r.due_at, ${noLease}
      from unnest(${later.map((release) => release.id)}::uuid[], ${later.map((release) => release.wakes)}::bigint[],
        ${later.map((release) => release.dueAt)}::timestamptz[]) as r(id, wakes, due_at)
      where q.subscription_id = r.id and q.wakes = r.wakes and q.lease_id = ${leaseId}::uuid
      returning q.subscription_id),
    done as (
      delete from webhook_queues q
      using unnest(${done.map((release) => release.id)}::uuid[], ${done.map((release) => release.wakes)}::bigint[]) as r(id, wakes)
      where q.subscription_id = r.id and q.wakes = r.wakes and q.lease_id = ${leaseId}::uuid
      returning q.subscription_id)
    select subscription_id from later union all select subscription_id from done`.execute(db)
  return new Set(rows.map((row) => row.subscription_id))
}

/** Leased queues with new deliveries since they were read, with their current wake-up counter. */
export async function listNewWakes(
  db: Db,
  leaseId: string,
  lanes: readonly { id: string; wakes: number }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ subscription_id: string; wakes: number }>`
    select q.subscription_id, q.wakes
    from unnest(${plainArray(lanes.map((lane) => lane.id))}::uuid[], ${lanes.map((lane) => lane.wakes)}::bigint[]) as input(id, wakes)
    join webhook_queues q on q.subscription_id = input.id and q.wakes <> input.wakes
    where q.lease_id = ${leaseId}::uuid`.execute(db)
  return new Map(rows.map((row) => [row.subscription_id, row.wakes]))
}

/** Drops the lease on the given queues, or on all, so that another process can claim them. */
export async function dropLeases(
  db: Db,
  leaseId: string,
  ids: readonly string[] | null = null,
): Promise<void> {
  await sql`update webhook_queues set ${noLease}
    where lease_id = ${leaseId}::uuid
      and (${ids === null}::boolean or subscription_id = any(${plainArray(ids ?? [])}::uuid[]))`.execute(db)
}
