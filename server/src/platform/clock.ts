/**
 * Two times. The service's is the machine's, moved by an offset that only sandbox mode ever writes: hand-offs, syncs,
 * retries and report days follow it. The machine's own clock guards the service and cannot be moved: rate limits, sign-in
 * limits, sessions and keys follow that.
 */
import type { Db, Tx } from './db/database.ts'

export type Clock = {
  /** The service's time; the sandbox may move it. */
  now(): Date
  /** The machine's time; nothing moves it. */
  machineNow(): Date
  isMoved(): boolean
  /** Reads the offset that another process may have set. */
  refresh(db: Db | Tx): Promise<void>
  set(db: Db | Tx, offsetMs: number): Promise<void>
}

export function createClock(): Clock {
  let offsetMs = 0
  let timesSet = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    machineNow: () => new Date(),
    isMoved: () => offsetMs !== 0,
    async refresh(db) {
      const asked = timesSet
      const row = await db.selectFrom('service_clock').select('offset_ms').executeTakeFirst()
      // What was read before this process itself moved the clock is out of date.
      if (asked === timesSet) offsetMs = row?.offset_ms ?? 0
    },
    async set(db, value) {
      await db
        .insertInto('service_clock')
        .values({ id: 1, offset_ms: value })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ offset_ms: value }))
        .execute()
      timesSet += 1
      offsetMs = value
    },
  }
}
