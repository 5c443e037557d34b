/** How long to wait before the next try. Pure; `chance` is 0 to 1. */

/** Moves a wait by at most `share` of it, so that not all come back at one moment. */
export const jitter = (ms: number, share: number, chance: number) => ms * (1 + share * (2 * chance - 1))

/** The first retry is number 0. */
export function backoffMs(retries: number, wait: { firstMs: number; factor?: number; maxMs?: number }) {
  return Math.min(wait.maxMs ?? Number.POSITIVE_INFINITY, wait.firstMs * (wait.factor ?? 2) ** retries)
}

/** The header's seconds, or its date; null where it is absent or unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
