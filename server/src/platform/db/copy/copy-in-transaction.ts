import { CompiledQuery } from 'kysely'
import type { Tx } from '../database.ts'
import { CopyReader, type CopyRow } from './copy-out.ts'

/**
 * Calls `onRow` for each row of `copy (…) to stdout (format binary)` within the transaction and its statement
 * timeout; on a distributed database for the profile's shard. If `onRow` throws, the statement ends immediately:
 * the transaction cannot continue, and its connection is closed.
 */
export async function readCopyIn(
  tx: Tx,
  statement: string,
  columns: number,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(statement, [new CopyReader(columns, onRow)]))
}
