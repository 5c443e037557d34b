/**
 * Lock for writers of a profile's derived tables, across processes. The lock is a row: unlike an advisory lock, it
 * is stored on the node with the profile's data, and a prepared transaction keeps it until it is recovered.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** The previous release uses only this advisory lock, and may run at the same time (docs/decisions/0421). */
const nameOf = (profileId: string) => sql`hashtextextended(${`profile ${profileId}`}, 0)`

/**
 * Every change of a profile's derived tables takes this lock until its commit. Taking it increments a version
 * number that becomes visible with the changes, so reports from before and after the commit can be distinguished.
 */
export async function lockProfile(tx: Tx, profileId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select pg_advisory_xact_lock(${nameOf(profileId)}) from profile_locks
      where profile_id = ${profileId} for no key update`.execute(tx)
    if (rows.length > 0) return upsertReportVersion(tx, profileId, true)
    await addLock(tx, profileId)
  }
}

/** The time in milliseconds, so that numbers do not repeat after a restore or on another server. */
const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * A separate table, because an insert into `profile_locks` would wait for the update of its row. The time is in
 * `values`, because Citus rejects non-immutable functions in the update.
 */
async function upsertReportVersion(tx: Tx, profileId: string, holdsLock: boolean): Promise<void> {
  await sql`
    insert into report_changes as c (profile_id, holds_lock, number) values (${profileId}, ${holdsLock}, ${now})
    on conflict (profile_id, holds_lock) do update set number = greatest(c.number + 1, excluded.number)`.execute(
    tx,
  )
}

/** For callers of `tryLockProfile`, once they have something to change. */
export function incrementReportVersionLocked(tx: Tx, profileId: string): Promise<void> {
  return upsertReportVersion(tx, profileId, true)
}

/** For transactions that change report data without the lock; call after the write. */
export function incrementReportVersion(tx: Tx, profileId: string): Promise<void> {
  return upsertReportVersion(tx, profileId, false)
}

/** Waits for a concurrent insert of the same row; false if it existed. */
export async function addLock(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into profile_locks (profile_id) values (${profileId}) on conflict do nothing returning profile_id`.execute(
    tx,
  )
  return rows.length > 0
}

const byKeys = sql`set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`

/**
 * Takes the lock if it is free, and applies `lookUpByKeys`. Does not increment the version, because most callers
 * find nothing to do.
 */
export async function tryLockProfile(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${nameOf(profileId)}) as free, ${byKeys} from profile_locks
    where profile_id = ${profileId} for no key update skip locked`.execute(tx)
  if (rows.length > 0) return rows[0]!.free
  // Locked by another transaction, unless the row does not exist yet.
  return (await addLock(tx, profileId)) && tryLockProfile(tx, profileId)
}

/**
 * Forces index scans for the rest of the transaction. Statistics of a mostly empty queue suggest a small table, so the
 * planner would read and sort the whole backlog for every batch.
 */
export async function lookUpByKeys(tx: Tx): Promise<void> {
  await sql`select ${byKeys}`.execute(tx)
}
