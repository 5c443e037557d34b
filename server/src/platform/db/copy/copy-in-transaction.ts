import { CompiledQuery } from 'kysely'
import type { Tx } from '../database.ts'
import { CopyReader, type CopyRow } from './copy-out.ts'

/**
 * Calls `onRow` for each row of `copy (…) to stdout (format binary)`, in the transaction and with its limit of a
 * statement; on a distributed database of the profile's shard. A reader who throws ends the statement at once: the
 * transaction cannot go on, and its connection is closed.
 */
export async function readCopyIn(
  tx: Tx,
  statement: string,
  columns: number,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(statement, [new CopyReader(columns, onRow)]))
}
