import { sql } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { poolOf, type Tx } from './database.ts'

/** A database backend. The start time is needed because pids are reused. */
type Backend = { pid: number; started: string }

export async function findBackend(tx: Tx): Promise<Backend> {
  const { rows } = await sql<Backend>`
    select pid, backend_start::text as started from pg_stat_activity where pid = pg_backend_pid()`.execute(tx)
  return rows[0]!
}

/** Returns whether the backend still existed. */
export async function cancelStatement(pool: pg.Pool, { pid, started }: Backend): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz',
    [pid, started],
  )
  return rowCount === 1
}

/**
 * Runs work of a transaction that can be aborted: on abort, the running statement is cancelled through another
 * connection, because a statement without rows would not notice otherwise. The work checks the signal between
 * statements.
 */
export async function cancelledBy<T>(
  signal: AbortSignal,
  { tx, log }: { tx: Tx; log: Log },
  work: () => Promise<T>,
): Promise<T> {
  const backend = await findBackend(tx)
  let cancelling: Promise<unknown> | undefined
  const cancel = () => {
    cancelling = cancelStatement(poolOf(tx), backend).catch((error) =>
      log.warn('statement not cancelled', { error }),
    )
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
    // Otherwise the cancellation could hit the connection's next user.
    await cancelling
  }
}
