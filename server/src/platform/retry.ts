/** Retry delays. Pure; `chance` is 0 to 1. */

/** Adds jitter of at most `share` to a delay, so that retries do not synchronise. */
export const jitter = (ms: number, share: number, chance: number) => ms * (1 + share * (2 * chance - 1))

/** The first retry is number 0. */
export function backoffMs(retries: number, wait: { firstMs: number; factor?: number; maxMs?: number }) {
  return Math.min(wait.maxMs ?? Number.POSITIVE_INFINITY, wait.firstMs * (wait.factor ?? 2) ** retries)
}

/** Parses Retry-After, seconds or date; null if absent or invalid. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
