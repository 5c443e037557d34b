/** Sync windows, token lifetimes and provider times. */
import type { SyncWindow } from './connector.ts'

const hourMs = 3_600_000

/**
 * Days are local and the account's time zone at a payment provider is unknown, so the bounds span all zones from
 * UTC+14 to UTC-12. A record that is read twice is deduplicated.
 */
export function windowBounds(window: SyncWindow): { from: Date; until: Date } {
  return {
    from: new Date(Date.parse(`${window.sinceDay}T00:00:00Z`) - 14 * hourMs),
    until: new Date(Date.parse(`${window.untilDay}T00:00:00Z`) + 36 * hourMs),
  }
}

/** Upper limit for a token's lifetime; no platform's tokens live longer. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400

/** Expiry of a token; null if the provider reports none or an invalid one. */
export function toExpiry(seconds: number | null | undefined, now: Date): string | null {
  if (seconds == null || !Number.isFinite(seconds) || seconds <= 0) return null
  return new Date(now.getTime() + Math.min(seconds, MAX_LIFETIME_SECONDS) * 1000).toISOString()
}

const withoutZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/

/**
 * Converts a provider's time to ISO 8601 UTC; null if it is invalid. A time without a zone is read as UTC, never in the
 * server's zone.
 */
export function toInstant(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  const at = new Date(
    typeof text === 'string' && withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text,
  )
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
