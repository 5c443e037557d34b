import { sql } from 'kysely'
import { poolOf, type Tx } from './database.ts'

/**
 * Work of a transaction that ends with the signal: the statement that runs then is cancelled through another
 * connection, which a statement that gives no rows would not notice otherwise. The work checks the signal between its
 * statements.
 */
export async function cancelledBy<T>(signal: AbortSignal, tx: Tx, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  let cancelling: Promise<unknown> | undefined
  const cancel = () => {
    cancelling = poolOf(tx)
      .query('select pg_cancel_backend($1)', [rows[0]!.pid])
      .catch(() => {})
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
    // The next one to use the connection must not be the one that is cancelled.
    await cancelling
  }
}
