/** Writes down how tries ended, many at a time; the receiver does not wait for it. */
import type { Db } from '../../db/database.ts'
import { type Settled, settleDeliveries } from './settle.ts'

const SETTLE_AT_ONCE = 500
/** Lets tries that end at about the same time share a statement and a commit. */
const SETTLE_AFTER_MS = 15
const RETRY_MS = 500

export type Settler = {
  add(entry: Settled): void
  unsettled(): number
  /** Writes the rest; what still cannot be written is tried again by the next holder. */
  drain(): Promise<void>
}

export function createSettler(
  db: Db,
  on: {
    /** Subscriptions in the batch that need no word of success: the last one was a moment ago. */
    quietIn(batch: readonly Settled[]): ReadonlySet<string>
    settled(batch: readonly Settled[]): void
    failed(error: unknown): void
  },
): Settler {
  let waiting: Settled[] = []
  let writing: Settled[] = []
  let running: Promise<void> | undefined
  let draining = false

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (!draining && waiting.length < SETTLE_AT_ONCE) await pause(SETTLE_AFTER_MS)
      writing = waiting.slice(0, SETTLE_AT_ONCE)
      waiting = waiting.slice(SETTLE_AT_ONCE)
      try {
        await settleDeliveries(db, writing, on.quietIn(writing))
        on.settled(writing)
      } catch (error) {
        on.failed(error)
        if (draining) break
        waiting = [...writing, ...waiting]
        await pause(RETRY_MS)
      }
      writing = []
    }
    running = undefined
  }

  return {
    add(entry) {
      waiting.push(entry)
      running ??= run()
    },
    unsettled: () => waiting.length + writing.length,
    async drain() {
      draining = true
      await running
    },
  }
}
