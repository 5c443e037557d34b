/**
 * One writer of a profile's derived tables at a time, whatever the number of processes. The lock is a row: it is stored on
 * the node that holds the profile's data, and a transaction that is prepared there keeps it until it is recovered,
 * which an advisory lock does neither.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** The previous release knows the profile's lock only by this, and may run at the same time (docs/decisions/0421). */
const nameOf = (profileId: string) => sql`hashtextextended(${`profile ${profileId}`}, 0)`

/**
 * Everything that changes a profile's derived tables holds this lock until its commit. Taking it moves a number that
 * becomes visible with the changes, so reports from before and after the commit can be distinguished.
 */
export async function lockProfile(tx: Tx, profileId: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select pg_advisory_xact_lock(${nameOf(profileId)}) from profile_locks
      where profile_id = ${profileId} for no key update`.execute(tx)
    if (rows.length > 0) return moveNumber(tx, profileId, true)
    await addLock(tx, profileId)
  }
}

/** The time in milliseconds: also after a restore, or on another server, no number comes twice. */
const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * In a table of its own: an insert into `profile_locks` would wait for the update of its row. The time is in `values`:
 * Citus refuses a function that is not immutable in the update.
 */
async function moveNumber(tx: Tx, profileId: string, holdsLock: boolean): Promise<void> {
  await sql`
    insert into report_changes as c (profile_id, holds_lock, number) values (${profileId}, ${holdsLock}, ${now})
    on conflict (profile_id, holds_lock) do update set number = greatest(c.number + 1, excluded.number)`.execute(
    tx,
  )
}

/** For holders of `tryLockProfile`, once they know that they change something. */
export function moveNumberOfHolder(tx: Tx, profileId: string): Promise<void> {
  return moveNumber(tx, profileId, true)
}

/** For transactions that change what reports read without the lock, after their write. */
export function moveReportNumber(tx: Tx, profileId: string): Promise<void> {
  return moveNumber(tx, profileId, false)
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
 * The lock unless another holds it, and rows looked up by their keys as below. It moves no number: most of those who
 * try find nothing to do.
 */
export async function tryLockProfile(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${nameOf(profileId)}) as free, ${byKeys} from profile_locks
    where profile_id = ${profileId} for no key update skip locked`.execute(tx)
  if (rows.length > 0) return rows[0]!.free
  // Another holds it, unless the row was never there.
  return (await addLock(tx, profileId)) && tryLockProfile(tx, profileId)
}

/**
 * For the rest of the transaction rows are looked up by their keys. Statistics say of a queue that is empty most of
 * the time that it is small: all that waits would be read and sorted for every batch.
 */
export async function lookUpByKeys(tx: Tx): Promise<void> {
  await sql`select ${byKeys}`.execute(tx)
}
