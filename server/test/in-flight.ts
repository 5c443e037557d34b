/** Requests that wait in the middle of their transaction, behind an advisory lock. */
import type { TestApp } from './app.ts'
import { until } from './until.ts'

/** Waits until a number of requests wait for the lock of this name. */
export async function untilWaiting(app: TestApp, lock: string, count = 1): Promise<void> {
  await until(async () => {
    const { rows } = await app.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())
         and ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)`,
      [lock],
    )
    return rows[0]!.count === count
  })
}

/** Holds the lock; `release` first runs a statement in the same transaction. */
export async function holdLock(app: TestApp, lock: string) {
  const client = await app.pool.connect()
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock])
  return {
    async release(statement = 'select 1', values: unknown[] = []): Promise<void> {
      await client.query(statement, values)
      await client.query('commit')
      client.release()
    },
  }
}

/** Performs `end` while `creation` waits behind `lock`, and lets both go on once `end` waits for the creation. */
export async function endDuring(
  app: TestApp,
  race: { lock: string; creation: () => Promise<unknown>; end: () => Promise<unknown>; endLock: string },
): Promise<void> {
  const held = await holdLock(app, race.lock)
  const creation = race.creation()
  await untilWaiting(app, race.lock)
  const end = race.end()
  // Without its guard it does not wait.
  await Promise.race([untilWaiting(app, race.endLock), end])
  await held.release()
  await Promise.all([creation, end])
}
