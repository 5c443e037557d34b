/** Which failed requests are retried, and when. */
const MAX_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500
const MAX_BACKOFF_MS = 8000

export function isRetryable(status: number, code: string | undefined): boolean {
  return status === 408 || status === 429 || status >= 500 || code === 'idempotency_key_in_flight'
}

/** Milliseconds before the next attempt; undefined if Retry-After is more than a minute. `chance` (0 to 1) adds jitter. */
export function waitBefore(
  attempt: number,
  retryAfter: string | null,
  chance: number,
  now: number,
): number | undefined {
  const retryAfterMs = readRetryAfter(retryAfter, now)
  if (retryAfterMs > MAX_WAIT_MS) return undefined
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS)
  return Math.max(retryAfterMs, backoffMs * (0.5 + chance / 2))
}

/** Parses seconds or a date. */
function readRetryAfter(header: string | null, now: number): number {
  if (header === null) return 0
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
