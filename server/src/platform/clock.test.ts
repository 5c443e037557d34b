import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { cloneDatabase } from '../../test/database.ts'
import { createClock } from './clock.ts'
import { type OpenDatabase, openDatabase } from './db/database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = openDatabase({ connectionString: (await cloneDatabase()).connectionString })
})
afterAll(() => database.close())

// The machine's time is frozen, so that the offset can be read to the millisecond.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('does not revert to an offset read before it was moved', async () => {
  const clock = createClock()
  for (let hour = 1; hour <= 200; hour++) {
    const offset = hour * 3_600_000
    const reading = Promise.all([clock.refresh(database.db), clock.refresh(database.db)])
    await clock.set(database.db, offset)
    await reading
    expect(clock.now().getTime() - Date.now()).toBe(offset)
  }
})
