/** One writer of a profile's derived tables at a time, whatever the number of processes. */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Everything that changes a profile's derived tables holds this lock until its commit. */
export async function lockProfile(tx: Tx, profileId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`profile ${profileId}`}, 0))`.execute(tx)
}

const byKeys = sql`set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`

/** The lock unless another holds it, and rows looked up by their keys as below. */
export async function tryLockProfile(tx: Tx, profileId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`profile ${profileId}`}, 0)) as free, ${byKeys}`.execute(
    tx,
  )
  return rows[0]?.free === true
}

/**
 * For the rest of the transaction rows are looked up by their keys. Statistics say of a queue that is empty most of
 * the time that it is small: all that waits would be read and sorted for every batch.
 */
export async function lookUpByKeys(tx: Tx): Promise<void> {
  await sql`select ${byKeys}`.execute(tx)
}
