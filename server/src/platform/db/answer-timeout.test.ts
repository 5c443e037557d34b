import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { databaseAnswers, withAnswerTimeout } from './answer-timeout.ts'
import { type OpenDatabase, openDatabase } from './database.ts'

let cloned: ClonedDatabase
let database: OpenDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
  await databaseAnswers(database.db)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

/** Blocks the event loop without using CPU. */
function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

it('a query without an answer fails within two seconds, with Retry-After', async () => {
  // Exclude timeouts that the pool sets when a connection is released.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const settled = vi.fn()
  const answer = withAnswerTimeout(new Promise(() => {})).catch(settled)
  await vi.advanceTimersByTimeAsync(1700)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(300)
  await answer
  expect(settled).toHaveBeenCalledWith(
    expect.objectContaining({ code: 'database_unavailable', retryAfter: 2 }),
  )
  expect(vi.getTimerCount()).toBe(0)
})

it('a process whose event loop was blocked does not report a timeout if the database has answered', async () => {
  const answer = databaseAnswers(database.db)
  blockEventLoop(2000)
  await expect(answer).resolves.toBeUndefined()
})
