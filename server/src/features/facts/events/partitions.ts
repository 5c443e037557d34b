/** Monthly partitions of raw events, created in advance. Other events are in the default partition. */
import { sql } from 'kysely'
import { z } from 'zod'
import { job, type Schedule } from '../../../platform/contract/job.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

export const MONTHS_BACK = 12
const MONTHS_AHEAD = 2

/** Advisory lock: concurrent creation of the same partition fails. */
const LOCK_KEY = 4_400_002

export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  const months: Date[] = []
  for (let offset = -MONTHS_BACK; offset <= MONTHS_AHEAD; offset++) months.push(monthAt(now, offset))
  await ensureMonths(db, months)
}

/** Expects the first instant of each month. */
export async function ensureMonths(db: Db, months: readonly Date[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY)})`.execute(tx)
    for (const month of months) await ensureMonth(tx, month)
  })
}

export function monthAt(now: Date, offset: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1))
}

/** The month of a partition; undefined for the default one. */
export function monthOf(name: string): Date | undefined {
  const [, year, month] = /^events_(\d{4})_(\d\d)$/.exec(name) ?? []
  return year === undefined ? undefined : new Date(`${year}-${month}-01T00:00:00Z`)
}

async function ensureMonth(db: Tx, month: Date): Promise<void> {
  const from = month.toISOString().slice(0, 10)
  const to = monthAt(month, 1).toISOString().slice(0, 10)
  const name = `events_${from.slice(0, 7).replace('-', '_')}`
  const existing =
    await sql`select 1 from pg_class where relname = ${name} and relnamespace = 'public'::regnamespace`.execute(
      db,
    )
  if (existing.rows.length > 0) return
  // If the default partition has events of the month, they remain there: moving them would lock the table.
  const stray =
    await sql`select 1 from events_default where occurred_at >= ${from}::timestamptz and occurred_at < ${to}::timestamptz limit 1`.execute(
      db,
    )
  if (stray.rows.length > 0) return
  await sql`create table if not exists ${sql.table(name)} partition of events for values from (${sql.lit(`${from}T00:00:00Z`)}) to (${sql.lit(`${to}T00:00:00Z`)})`.execute(
    db,
  )
}

const makePartitions = job({
  name: 'events.partitions',
  payload: z.object({}),
  run: (context) => ensurePartitions(context.db, context.now),
})

export const partitionJobs = [makePartitions]
export const partitionSchedules: readonly Schedule[] = [
  { name: 'events.partitions', job: makePartitions as Schedule['job'], rule: { dailyAtUtc: '03:10' } },
]
