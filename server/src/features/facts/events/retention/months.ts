/** Months of raw events that are too old: an empty one is dropped, another is rewritten, so that the disk space is freed. */
import { sql } from 'kysely'
import {
  type Db,
  inTransaction,
  isTransient,
  openDatabase,
  poolOf,
} from '../../../../platform/db/database.ts'
import { MONTHS_BACK, monthAt, monthOf } from '../partitions.ts'

/** While somebody waits for a table, all who come later wait behind. */
const LOCK_TIMEOUT_MS = 3000

/** All of the months' events were looked at. A month that somebody keeps busy is left for the next time. */
export async function compactMonths(db: Db, params: { before: Date; now: Date; signal?: AbortSignal }) {
  for (const { name, month } of await listMonths(db)) {
    if (params.signal?.aborted === true || monthAt(month, 1) > params.before) return
    try {
      await compactMonth(db, name, month, params.now)
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }
}

/** Those that were not compacted yet, and those that may have become empty since; the oldest first. */
async function listMonths(db: Db): Promise<{ name: string; month: Date }[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.events'::regclass order by c.relname`.execute(db)
  return rows.flatMap(({ name }) => {
    const month = monthOf(name)
    return month === undefined ? [] : [{ name, month }]
  })
}

async function compactMonth(db: Db, name: string, month: Date, now: Date): Promise<void> {
  // Younger ones are created again each day.
  if (month < monthAt(now, -MONTHS_BACK) && (await dropEmpty(db, name))) return
  const day = month.toISOString().slice(0, 10)
  const { rows } = await sql`select 1 from compacted_event_months where month = ${day}::date`.execute(db)
  if (rows.length > 0) return
  if (!(await rewriteMonth(db, name))) return
  await sql`
    insert into compacted_event_months (month, compacted_at) values (${day}::date, ${now})
    on conflict (month) do nothing`.execute(db)
}

/** False where it holds something. */
async function dropEmpty(db: Db, name: string): Promise<boolean> {
  if (!(await isEmpty(db, name))) return false
  try {
    await inTransaction(db, async (tx) => {
      await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`.execute(tx)
      // Waits for open writes into the month, on every node; later writes go to the default partition.
      await sql`alter table events detach partition ${sql.table(name)}`.execute(tx)
      if (!(await isEmpty(tx, name))) throw new Filled()
      await sql`drop table ${sql.table(name)}`.execute(tx)
    })
    return true
  } catch (error) {
    if (error instanceof Filled) return false
    throw error
  }
}

/** Somebody wrote into the month meanwhile: all stays as it is. */
class Filled extends Error {}

async function isEmpty(db: Parameters<typeof inTransaction>[0], name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
  return rows.length === 0
}

/**
 * Over a connection of its own: it is no part of a transaction, and takes as long as the month has rows left. False where
 * deleted rows are still in it, because somebody's transaction, or an analyze of the server's own, may look at them.
 */
async function rewriteMonth(db: Db, name: string): Promise<boolean> {
  const own = openDatabase({
    ...poolOf(db).options,
    max: 1,
    statement_timeout: 0,
    lock_timeout: LOCK_TIMEOUT_MS,
  })
  try {
    await own.pool.query(`vacuum (full, analyze) ${name}`)
    const { rows } = await own.pool.query<{ dead: number }>(
      'select pg_stat_get_dead_tuples($1::regclass) as dead',
      [name],
    )
    return rows[0]!.dead === 0
  } finally {
    await own.close()
  }
}
