/** The time up to which figures are complete, and whether they are stale. */

export type Waiting = {
  /** Receipt time of the oldest unprocessed event. */
  waiting_since: Date | null
  /** A full recompute is queued or running. */
  recomputing: boolean
}

/** Figures are stale once an event has waited longer than this. */
const STALE_AFTER_MS = 60_000

export function freshnessOf(waiting: Waiting, now: Date): { computedThrough: Date; isStale: boolean } {
  const computedThrough = waiting.waiting_since ?? now
  const isLate = now.getTime() - computedThrough.getTime() > STALE_AFTER_MS
  return { computedThrough, isStale: waiting.recomputing || isLate }
}
