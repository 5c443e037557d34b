import { sql } from 'kysely'
import { ApiError } from '../contract/errors.ts'
import { type Db, isDatabaseUnavailable } from './database.ts'

const TIMEOUT_MS = 1800
/**
 * The time is counted in looks: a process that stood still for seconds finds its timers due before it has read what
 * the database answered long ago, and would blame the database for its own delay.
 */
const LOOK_MS = 100

/** A database that took the question and says nothing must not hold the caller: every request asks this first. */
export async function withAnswerTimeout<T>(question: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    let looks = 0
    timer = setInterval(() => {
      looks += 1
      if (looks < TIMEOUT_MS / LOOK_MS) return
      const message = 'The database does not answer. Try again shortly.'
      reject(new ApiError('database_unavailable', message, { retryAfter: 2 }))
    }, LOOK_MS)
  })
  try {
    return await Promise.race([question, late])
  } finally {
    clearInterval(timer)
  }
}

/** For a request that asks nothing else first. */
export async function databaseAnswers(db: Db): Promise<void> {
  await withAnswerTimeout(sql`select 1`.execute(db))
}

/** No answer, in time or at all. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError ? error.code === 'database_unavailable' : isDatabaseUnavailable(error)
}
