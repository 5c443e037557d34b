import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isDistributed } from '../../../platform/db/nodes.ts'

/**
 * Days as an array whose length the planner cannot see. If it can, a custom plan looks cheaper than the generic one and
 * every report is planned again: 1 ms of planning for 6 ms of work. Level and span are literals instead of parameters:
 * they have few values with very different row counts. Citus routes a statement to the profile's node by its visible
 * constants, so there the days are a plain parameter.
 */
export function dayArray(db: Db | Tx, days: readonly string[]): RawBuilder<unknown> {
  return isDistributed(db) ? sql`${days}::date[]` : sql`(select ${days}::date[])::date[]`
}
