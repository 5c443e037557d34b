/** How far the figures reach, and whether they are behind what was received. */

export type Waiting = {
  /** When the oldest event that no figure holds yet was received. */
  waiting_since: Date | null
  /** Everything is being credited again. */
  recomputing: boolean
}

/** Waiting events are normal for a moment; past this the figures are stale. */
const STALE_AFTER_MS = 60_000

export function freshnessOf(waiting: Waiting, now: Date): { computedThrough: Date; isStale: boolean } {
  const computedThrough = waiting.waiting_since ?? now
  const isLate = now.getTime() - computedThrough.getTime() > STALE_AFTER_MS
  return { computedThrough, isStale: waiting.recomputing || isLate }
}
