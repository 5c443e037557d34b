/** Queries for runs and their requests. */
import { sql } from 'kysely'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type Counts = { sent: number; failed: number; skipped: number }

/** The destination's unfinished run, which may be left over from a crash. */
export async function findOpenRun(
  db: Db | Tx,
  params: { profileId: string; destinationId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from export_runs
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId} and finished_at is null
    order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

export async function insertRun(
  tx: Tx,
  params: { profileId: string; id: string; destinationId: string; now: Date },
): Promise<void> {
  await sql`
    insert into export_runs (profile_id, id, destination_id, status, sent, failed, skipped, started_at)
    values (${params.profileId}, ${params.id}, ${params.destinationId}, 'queued', 0, 0, 0, ${params.now})`.execute(
    tx,
  )
}

export async function addCounts(
  tx: Tx,
  params: { profileId: string; id: string; counts: Counts },
): Promise<void> {
  const { counts } = params
  await sql`
    update export_runs set sent = sent + ${counts.sent}, failed = failed + ${counts.failed},
      skipped = skipped + ${counts.skipped}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

/** Locks the run; undefined if it has ended. */
export async function lockOpenRun(
  tx: Tx,
  params: { profileId: string; id: string },
): Promise<Counts | undefined> {
  const { rows } = await sql<Counts>`
    select sent, failed, skipped from export_runs
    where profile_id = ${params.profileId} and id = ${params.id} and finished_at is null for update`.execute(
    tx,
  )
  return rows[0]
}

export async function endRun(
  tx: Tx,
  params: { profileId: string; id: string; status: string; reason: string | null; now: Date },
): Promise<void> {
  await sql`
    update export_runs set status = ${params.status}, reason = ${params.reason}, finished_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

/** Committed before the request is sent. Until it is settled, it is unknown what the platform has received. */
export async function insertClaim(
  tx: Tx,
  claim: {
    profileId: string
    id: string
    runId: string
    destinationId: string
    targetId: string
    rowIds: readonly string[]
    now: Date
  },
): Promise<void> {
  await sql`
    insert into export_requests (profile_id, id, run_id, destination_id, target_id, events, counts, polls, created_at, row_ids)
    values (${claim.profileId}, ${claim.id}, ${claim.runId}, ${claim.destinationId}, ${claim.targetId}, 0, '[]', 0,
      ${claim.now}, ${uuidList(claim.rowIds)}::uuid[])`.execute(tx)
}

/** False if another sender has taken over the claim; the caller must not write results then. */
export async function settleClaim(
  tx: Tx,
  params: {
    profileId: string
    id: string
    targetId: string
    providerRequestId: string | null
    status: string | null
    events: number
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    update export_requests set settled_at = ${params.now}, row_ids = null, target_id = ${params.targetId},
      provider_request_id = ${params.providerRequestId}, status = ${params.status}, events = ${params.events}
    where profile_id = ${params.profileId} and id = ${params.id} and settled_at is null
    returning id`.execute(tx)
  return rows.length > 0
}

/** Deletes the claim of a request in which the platform accepted nothing. */
export async function dropClaim(tx: Tx, params: { profileId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`
    delete from export_requests where profile_id = ${params.profileId} and id = ${params.id} and settled_at is null
    returning id`.execute(tx)
  return rows.length > 0
}

/** Deletes and returns the claims of a crashed sender, so that it can no longer settle them. */
export async function takeOpenClaims(
  tx: Tx,
  params: { profileId: string; destinationId: string },
): Promise<{ row_ids: string[]; created_at: Date }[]> {
  const { rows } = await sql<{ row_ids: string[]; created_at: Date }>`
    delete from export_requests
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId} and settled_at is null
    returning row_ids::text[] as row_ids, created_at`.execute(tx)
  return rows
}

export type OpenRequest = {
  id: string
  destination_id: string
  target_id: string
  provider_request_id: string
  polls: number
}

export async function listOpenRequests(
  db: Db | Tx,
  params: { profileId: string; runId: string },
): Promise<OpenRequest[]> {
  const { rows } = await sql<OpenRequest>`
    select id, destination_id, target_id, provider_request_id, polls from export_requests
    where profile_id = ${params.profileId} and run_id = ${params.runId} and status = 'processing'
      and provider_request_id is not null
    order by id`.execute(db)
  return rows
}

export async function saveRequestStatus(
  db: Db | Tx,
  params: {
    profileId: string
    id: string
    status: string
    counts: readonly { reason: string; count: number }[]
    now: Date
  },
): Promise<void> {
  await sql`
    update export_requests set status = ${params.status}, counts = ${JSON.stringify(params.counts)}::jsonb,
      polls = polls + 1, checked_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
}

/** Stores the destination's status and the time of its next attempt. */
export async function saveHealth(
  tx: Tx,
  params: {
    profileId: string
    id: string
    statusReason: string | null
    retryAt: Date | null
    retries: number
  },
): Promise<void> {
  await sql`
    update export_destinations set status_reason = ${params.statusReason}, retry_at = ${params.retryAt},
      retries = ${params.retries}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

/** Destinations of all profiles of the shard that have queued rows and no pause or error. */
export async function listUnsentDestinations(
  db: Db,
  params: { now: Date; limit: number },
): Promise<{ profile_id: string; id: string }[]> {
  const { rows } = await sql<{ profile_id: string; id: string }>`
    select d.profile_id, d.id from export_destinations d
    left join connections c on c.profile_id = d.profile_id and c.id = d.connection_id
    where d.enabled and (d.retry_at is null or d.retry_at <= ${params.now})
      and (d.status_reason is null or c.status = 'connected')
      and exists (
        select 1 from conversion_exports x
        where x.profile_id = d.profile_id and x.destination_id = d.id and x.status = 'queued')
    limit ${params.limit}`.execute(db)
  return rows
}
