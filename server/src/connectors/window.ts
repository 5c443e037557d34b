/** A sync window in instants. */
import type { SyncWindow } from './connector.ts'

const hourMs = 3_600_000

/**
 * Days are local, and a payment provider's account zone is not ours to know, so the bounds reach
 * from the earliest zone (UTC+14) to the latest (UTC-12); records read twice are one record.
 */
export function windowBounds(window: SyncWindow): { from: Date; until: Date } {
  return {
    from: new Date(Date.parse(`${window.sinceDay}T00:00:00Z`) - 14 * hourMs),
    until: new Date(Date.parse(`${window.untilDay}T00:00:00Z`) + 36 * hourMs),
  }
}

/** ISO 8601 UTC of whatever instant a provider wrote; null where it is no instant. */
export function toInstant(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  const ms = typeof text === 'number' ? text : Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}
