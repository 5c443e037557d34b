/**
 * Two clocks. The service's time is the machine's plus an offset that only sandbox mode sets; hand-offs, syncs,
 * retries and report days use it. The machine's time cannot be moved; rate limits, sign-in limits, sessions and
 * keys use it.
 */
import type { Db, Tx } from './db/database.ts'

export type Clock = {
  /** The service's time; the sandbox may move it. */
  now(): Date
  /** The machine's time; cannot be moved. */
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
      const timesSetBefore = timesSet
      const row = await db.selectFrom('service_clock').select('offset_ms').executeTakeFirst()
      // If this process moved the clock meanwhile, the read value is outdated.
      if (timesSetBefore === timesSet) offsetMs = row?.offset_ms ?? 0
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
