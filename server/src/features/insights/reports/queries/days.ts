import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { isDistributed } from '../../../../platform/db/nodes.ts'

/**
 * Days as one array that the planner cannot count. Where it can, it finds a plan for these very days cheaper than one
 * for any days and makes one with every report: 1 ms for 6 ms of work. Level and span are written out for the same
 * reason: there are few, and how many rows they have differs. Citus sends a statement to the profile's node
 * by what it can read, so there the days stay in sight.
 */
export function listOfDays(db: Db | Tx, days: readonly string[]): RawBuilder<unknown> {
  return isDistributed(db) ? sql`${days}::date[]` : sql`(select ${days}::date[])::date[]`
}
