/**
 * Compares the clock of this process with its database's. Both are used (leases and heartbeats by the database, retries
 * and report days by the process), so a difference shows up as jobs that run late and days that begin early.
 */
import { sql } from 'kysely'
import type { Db } from './db/database.ts'

const MAX_SECONDS = 60

/**
 * Seconds that the process is ahead of the database, negative if behind. Only what the duration of the question does not
 * explain: a slow database is no wrong clock.
 */
export function secondsAhead(before: Date, database: Date, after: Date): number {
  const [earliest, read, latest] = [before, database, after].map((time) => time.getTime()) as [
    number,
    number,
    number,
  ]
  if (earliest > read) return (earliest - read) / 1000
  return latest < read ? (latest - read) / 1000 : 0
}

export async function readSecondsAhead(db: Db, now: () => Date): Promise<number> {
  const before = now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return secondsAhead(before, rows[0]!.now, now())
}

/** Undefined up to a minute. */
export function clockWarning(ahead: number): string | undefined {
  if (Math.abs(ahead) <= MAX_SECONDS) return undefined
  const difference = `${Math.round(Math.abs(ahead))} seconds ${ahead > 0 ? 'ahead of' : 'behind'}`
  return `The clock of this process is ${difference} its database's: synchronise both machines (NTP). Until then jobs run early or late and days are assigned wrongly.`
}
