/**
 * A row of a table that every node has a copy of, held until the transaction ends. Citus asks a worker for such a lock,
 * which fails for everyone while that one is away. So on a distributed database the coordinator's advisory lock replaces
 * the row lock: its holder writes through the coordinator. Its own statement; reads after it see the newest rows.
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
