/**
 * Routes bulk inserts to the profile's shard. Citus pushes `insert … select` down only if it reads a table of that
 * shard; otherwise it collects the rows on the receiving node and uses two-phase commit (15 ms instead of 2 for a
 * rollup). So on Citus the rows are joined with an anchor: the profile's row in `profile_locks`, which exists while the
 * profile is locked: `select ${anchoredProfileId(tx, id)}, unnest(…) ${fromAnchor(tx, id)}`. Not needed on a single database.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { isDistributed } from './nodes.ts'
import { addLock } from './profile-lock.ts'

/** Creates the anchor, for callers without the profile's lock. */
export async function ensureAnchor(tx: Tx, profileId: string): Promise<void> {
  if (isDistributed(tx)) await addLock(tx, profileId)
}

export function anchoredProfileId(tx: Tx, profileId: string): RawBuilder<string> {
  return isDistributed(tx) ? sql`anchor.profile_id` : sql`${profileId}::uuid`
}

/** `from` clause for a select without one. */
export function fromAnchor(tx: Tx, profileId: string): RawBuilder<unknown> {
  return isDistributed(tx) ? sql`from profile_locks as anchor where anchor.profile_id = ${profileId}` : sql``
}

/** Appended to a `from` clause that lists parameters. */
export function joinAnchor(tx: Tx, profileId: string): RawBuilder<unknown> {
  return isDistributed(tx)
    ? sql`cross join profile_locks as anchor where anchor.profile_id = ${profileId}`
    : sql``
}
