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

/** The longest lifetime of a token that is believed: no platform's token lives longer. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400

/** When a token expires; null where the provider did not say, or what it said is no lifetime. */
export function toExpiry(seconds: number | null | undefined, now: Date): string | null {
  if (seconds == null || !Number.isFinite(seconds) || seconds <= 0) return null
  return new Date(now.getTime() + Math.min(seconds, MAX_LIFETIME_SECONDS) * 1000).toISOString()
}

const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/**
 * ISO 8601 UTC of an instant as a provider wrote it; null where it is none, or one that no calendar has. A time without a
 * zone is read as UTC: the zone of this server has nothing to do with it.
 */
export function toInstant(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  const at = new Date(
    typeof text === 'string' && withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  )
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
