/**
 * Rows of parameters, inserted for one profile. Citus sends `insert … select` to the profile's shard only where it reads
 * a table of that shard; otherwise it collects the rows on the node that received it and commits in two phases (15 ms
 * instead of 2 for a rollup). So there they are joined with the profile's own row, which the holder of the profile's
 * lock knows to be there: `select ${ownId(tx, id)}, unnest(…) ${fromAnchor(tx, id)}`. One database needs none of it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { isDistributed } from './nodes.ts'
import { addLock } from './profile-lock.ts'

/** For callers that do not hold the profile's lock. */
export async function ensureOwn(tx: Tx, profileId: string): Promise<void> {
  if (isDistributed(tx)) await addLock(tx, profileId)
}

export function ownId(tx: Tx, profileId: string): RawBuilder<string> {
  return isDistributed(tx) ? sql`own.profile_id` : sql`${profileId}::uuid`
}

/** The `from` of a select that has none. */
export function fromAnchor(tx: Tx, profileId: string): RawBuilder<unknown> {
  return isDistributed(tx) ? sql`from profile_locks as own where own.profile_id = ${profileId}` : sql``
}

/** The end of a `from` that lists parameters. */
export function joinOwn(tx: Tx, profileId: string): RawBuilder<unknown> {
  return isDistributed(tx) ? sql`cross join profile_locks as own where own.profile_id = ${profileId}` : sql``
}
