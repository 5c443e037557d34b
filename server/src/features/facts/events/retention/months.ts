/** Frees the disk space of old months of raw events: empty partitions are dropped, others rewritten once. */
import { sql } from 'kysely'
import {
  type Db,
  inTransaction,
  isTransient,
  openDatabase,
  poolOf,
} from '../../../../platform/db/database.ts'
import { MONTHS_BACK, monthAt, monthOf } from '../partitions.ts'

/** Short, because a waiting exclusive lock blocks all later queries on the table. */
const LOCK_TIMEOUT_MS = 3000

/** Call it after all events of the months were checked. A locked month is skipped until the next run. */
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

/** All months with a partition, oldest first. */
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
  // The daily job would create newer months again.
  if (month < monthAt(now, -MONTHS_BACK) && (await dropEmpty(db, name))) return
  const day = month.toISOString().slice(0, 10)
  const { rows } = await sql`select 1 from compacted_event_months where month = ${day}::date`.execute(db)
  if (rows.length > 0) return
  if (!(await rewriteMonth(db, name))) return
  await sql`
    insert into compacted_event_months (month, compacted_at) values (${day}::date, ${now})
    on conflict (month) do nothing`.execute(db)
}

/** Drops the partition if it is empty; returns false if it is not. */
async function dropEmpty(db: Db, name: string): Promise<boolean> {
  if (!(await isEmpty(db, name))) return false
  try {
    await inTransaction(db, async (tx) => {
      await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`.execute(tx)
      // Waits for open writes into the month, on every node; later writes go to the default partition.
      await sql`alter table events detach partition ${sql.table(name)}`.execute(tx)
      if (!(await isEmpty(tx, name))) throw new NotEmpty()
      await sql`drop table ${sql.table(name)}`.execute(tx)
    })
    return true
  } catch (error) {
    if (error instanceof NotEmpty) return false
    throw error
  }
}

/** An event was written meanwhile: rolls the detach back. */
class NotEmpty extends Error {}

async function isEmpty(db: Parameters<typeof inTransaction>[0], name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
  return rows.length === 0
}

/**
 * Runs VACUUM FULL on a separate connection, because it cannot run in a transaction and needs no timeout. Returns false if
 * deleted rows remain, because another transaction or an autovacuum analyze may still see them.
 */
async function rewriteMonth(db: Db, name: string): Promise<boolean> {
  const database = openDatabase({
    ...poolOf(db).options,
    max: 1,
    statement_timeout: 0,
    lock_timeout: LOCK_TIMEOUT_MS,
  })
  try {
    await database.pool.query(`vacuum (full, analyze) ${name}`)
    const { rows } = await database.pool.query<{ dead: number }>(
      'select pg_stat_get_dead_tuples($1::regclass) as dead',
      [name],
    )
    return rows[0]!.dead === 0
  } finally {
    await database.close()
  }
}
