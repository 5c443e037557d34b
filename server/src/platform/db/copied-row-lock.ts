/**
 * Locks a row of a replicated (reference) table until the transaction ends. Citus takes such row locks on a worker,
 * which fails for everyone while that worker is down. On a distributed database an advisory lock on the coordinator
 * replaces the row lock, because writers go through the coordinator. It is a separate statement, so later reads see
 * the newest rows.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { isDistributed } from './nodes.ts'

export async function lockCopiedRow(
  tx: Tx,
  table: 'apps' | 'profiles' | 'workspaces',
  id: string,
): Promise<void> {
  if (isDistributed(tx))
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${id}`}, 0))`.execute(tx)
  else await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute()
}
