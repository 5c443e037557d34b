/** Writes the results of attempts in batches: one statement for several profiles, one commit for all. */
import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { AttemptEntry } from '../deliveries.ts'
import { isGivenUp } from '../rules.ts'

const LATE_MS = 3_600_000
const CANCEL_BATCH = 5000

export type Settled = {
  profileId: string
  subscriptionId: string
  id: string
  number: number | null
  /** Only of outcomes. */
  recordedAt: Date | null
  status: 'delivered' | 'pending' | 'failed'
  nextAttemptAt: Date | null
  entry: AttemptEntry
  endedAt: Date
  /** The receiver responded that it is gone permanently. */
  gone: boolean
}

/** Updates a row only if it is unchanged since it was loaded, so an attempt that another sender repeated counts once. */
export async function settleDeliveries(
  db: Db,
  settled: readonly Settled[],
  /** Subscriptions whose success need not be written, because one was just written. */
  quiet: ReadonlySet<string>,
): Promise<void> {
  const byProfile = [...Map.groupBy(settled, (entry) => entry.profileId)].sort(([a], [b]) => (a < b ? -1 : 1))
  const isPlain = (entry: Settled) => entry.status === 'delivered' && quiet.has(entry.subscriptionId)
  // A single statement needs no explicit transaction, which would be most of its cost.
  if (byProfile.length <= MAX_PROFILES && settled.every(isPlain) && lateOf(settled).length === 0)
    return saveAttempts(db, byProfile)
  await db.transaction().execute(async (tx) => {
    for (let start = 0; start < byProfile.length; start += MAX_PROFILES)
      await saveAttempts(tx, byProfile.slice(start, start + MAX_PROFILES))
    for (const [profileId, entries] of byProfile) {
      await stampLateDeliveries(tx, profileId, entries)
      await updateSubscriptions(tx, profileId, entries, quiet)
    }
  })
}

type ProfileEntries = readonly [profileId: string, settled: readonly Settled[]]

/** Profiles per statement. Each size has its own plan, so there are few sizes; unused places update nothing. */
const STATEMENT_SIZES = [0, 1, 4, 16]
const MAX_PROFILES = STATEMENT_SIZES.at(-1)!
const NO_PROFILE: ProfileEntries = ['00000000-0000-0000-0000-000000000000', []]

/**
 * Several profiles share a statement, because a round trip and a plan cost more than the ten or so rows of a profile.
 * Two senders may write the same deliveries after a lease changed hands; to avoid a deadlock, all must lock profiles in
 * the same order. PostgreSQL runs the last part first and then the others backwards, so the profiles are listed in
 * reverse. This order is not guaranteed; enforcing one, with each part reading what the previous returned, would cost an
 * eighth of the statement.
 */
async function saveAttempts(tx: Db | Tx, byProfile: readonly ProfileEntries[]): Promise<void> {
  const size = STATEMENT_SIZES.find((count) => count >= byProfile.length)!
  const updates = Array.from({ length: size }, (_, index) => attemptsOf(byProfile[index] ?? NO_PROFILE))
  const [first, ...otherUpdates] = updates
  if (first === undefined) return
  const otherParts = otherUpdates
    .toReversed()
    .map((update, index) => sql`${sql.ref(`part_${index}`)} as (${update})`)
  await sql`${otherParts.length === 0 ? sql`` : sql`with ${sql.join(otherParts)}`} ${first}`.execute(tx)
}

/**
 * The values are passed as one object by id instead of a join: for a profile without statistics, the planner would compare
 * each row with each entry, or read the whole queue to update a few rows.
 */
function attemptsOf([profileId, settled]: ProfileEntries): RawBuilder<unknown> {
  const results: Record<string, unknown> = {}
  for (const { id, entry, status, nextAttemptAt, endedAt } of settled)
    results[id] = {
      entry,
      status,
      next: nextAttemptAt === null ? null : nextAttemptAt.getTime() / 1000,
      settled: status === 'pending' ? null : endedAt.getTime() / 1000,
    }
  const result = sql`sent.results -> d.id::text`
  return sql`
    update webhook_deliveries d
    set status = ${result} ->> 'status', attempt_count = d.attempt_count + 1, attempts = d.attempts || (${result} -> 'entry'),
      next_attempt_at = to_timestamp((${result} ->> 'next')::float8),
      settled_at = to_timestamp((${result} ->> 'settled')::float8), status_reason = ${result} -> 'entry' ->> 'error'
    from (select ${JSON.stringify(results)}::jsonb as results) as sent
    where d.profile_id = ${profileId} and d.id = any(${uuidList(Object.keys(results))}::uuid[]) and d.settled_at is null
      and d.attempt_count = (${result} -> 'entry' ->> 'attempt')::integer - 1`
}

function lateOf(settled: readonly Settled[]): Settled[] {
  return settled.filter(
    ({ status, recordedAt, endedAt }) =>
      status === 'delivered' && recordedAt !== null && endedAt.getTime() - recordedAt.getTime() > LATE_MS,
  )
}

/** Replay ends 90 days after delivery. The recording time is used as the delivery time, unless delivery was much later. */
async function stampLateDeliveries(tx: Tx, profileId: string, settled: readonly Settled[]): Promise<void> {
  const late = lateOf(settled)
  if (late.length === 0) return
  await sql`update outbox_events set delivered_at = ${late.at(-1)!.endedAt}
    where profile_id = ${profileId} and number = any(${late.map((entry) => entry.number)}::bigint[])`.execute(
    tx,
  )
}

async function updateSubscriptions(
  tx: Tx,
  profileId: string,
  settled: readonly Settled[],
  quiet: ReadonlySet<string>,
): Promise<void> {
  const bySubscription = [...Map.groupBy(settled, (entry) => entry.subscriptionId)]
  for (const [id, entries] of bySubscription.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const lastSuccessIndex = entries.findLastIndex((entry) => entry.status === 'delivered')
    const failures = entries.slice(lastSuccessIndex + 1)
    if (failures.length === 0 && quiet.has(id)) continue
    const lastSuccess = entries[lastSuccessIndex]
    const firstFailure = failures[0]?.endedAt ?? null
    const { rows } = await sql<{ failing_since: Date | null; status: string }>`
      update webhook_subscriptions set
        last_delivery_at = coalesce(${lastSuccess?.endedAt ?? null}::timestamptz, last_delivery_at),
        consecutive_failures = case when ${lastSuccess !== undefined} then 0 else consecutive_failures end + ${failures.length}::integer,
        failing_since = coalesce(case when ${lastSuccess !== undefined} then null else failing_since end, ${firstFailure}::timestamptz)
      where profile_id = ${profileId} and id = ${id} and deleted_at is null
      returning failing_since, status`.execute(tx)
    const last = entries.at(-1)!
    const row = rows[0]
    if (row?.status !== 'active') continue
    const reason = entries.some((entry) => entry.gone)
      ? 'gone'
      : row.failing_since !== null && isGivenUp(row.failing_since, last.endedAt)
        ? 'failing_for_5_days'
        : undefined
    if (reason !== undefined)
      await disable(tx, { profileId, id, status: 'failed', reason, now: last.endedAt })
  }
}

export async function disable(
  db: Db | Tx,
  params: { profileId: string; id: string; status: 'failed' | 'paused'; reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('webhook_subscriptions')
    .set({ status: params.status, status_reason: params.reason, updated_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .where('status', '=', 'active')
    .execute()
}

/** Cancels a batch of pending deliveries of a subscription that may no longer receive them; returns the number. */
export async function cancelPending(
  db: Db,
  params: { profileId: string; subscriptionId: string; reason: string; now: Date },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries set status = 'cancelled', status_reason = ${params.reason}, next_attempt_at = null,
      settled_at = ${params.now}
    where profile_id = ${params.profileId} and id in (
      select id from webhook_deliveries
      where profile_id = ${params.profileId} and subscription_id = ${params.subscriptionId} and status = 'pending'
      limit ${CANCEL_BATCH})
    returning id`.execute(db)
  return rows.length
}

export async function cancelDeliveries(
  db: Db,
  params: { profileId: string; refused: readonly { id: string; reason: string }[]; now: Date },
): Promise<void> {
  await sql`
    update webhook_deliveries d set status = 'cancelled', status_reason = r.reason, next_attempt_at = null,
      settled_at = ${params.now}
    from unnest(${params.refused.map((row) => row.id)}::uuid[], ${params.refused.map((row) => row.reason)}::text[]) as r(id, reason)
    where d.profile_id = ${params.profileId} and d.id = any(${params.refused.map((row) => row.id)}::uuid[])
      and d.id = r.id and d.settled_at is null`.execute(db)
}

/** When the next delivery of each subscription is due; subscriptions without pending deliveries are missing. */
export async function nextDue(
  db: Db,
  params: { profileId: string; ids: readonly string[] },
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; due_at: Date }>`
    select input.id, next.due_at from unnest(${params.ids}::uuid[]) as input(id)
    cross join lateral (
      select d.next_attempt_at as due_at from webhook_deliveries d
      where d.profile_id = ${params.profileId} and d.subscription_id = input.id and d.status = 'pending'
      order by d.next_attempt_at limit 1) as next`.execute(db)
  return new Map(rows.map((row) => [row.id, row.due_at]))
}
