import { sql } from 'kysely'
import { ApiError } from '../contract/errors.ts'
import { type Db, isDatabaseUnavailable } from './database.ts'

const TIMEOUT_MS = 1800
/**
 * Time is counted in ticks, not by the clock: after the event loop was blocked for seconds, timers fire before the
 * pending database response is read, which would look like a database timeout.
 */
const TICK_MS = 100

/** Rejects if the database does not answer in time, so that a hanging database does not block callers. Wraps the first
 * query of every request. */
export async function withAnswerTimeout<T>(query: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    let ticks = 0
    timer = setInterval(() => {
      ticks += 1
      if (ticks < TIMEOUT_MS / TICK_MS) return
      const message = 'The database does not respond. Retry shortly.'
      reject(new ApiError('database_unavailable', message, { retryAfter: 2 }))
    }, TICK_MS)
  })
  try {
    return await Promise.race([query, timeout])
  } finally {
    clearInterval(timer)
  }
}

/** Checks the database for a request that has no other first query. */
export async function databaseAnswers(db: Db): Promise<void> {
  await withAnswerTimeout(sql`select 1`.execute(db))
}

/** Whether the error means that the database did not respond, in time or at all. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError ? error.code === 'database_unavailable' : isDatabaseUnavailable(error)
}
