// Interprets responses of the collector, and computes the wait before a retry.
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from './wire.ts'

export type Verdict = 'stored' | 'drop' | 'stop' | 'split' | 'wait' | 'failed'

/** Only 202 means stored, because a parked or misrouted first-party domain may respond with 200. */
export function verdictOf(status: number): Verdict {
  switch (status) {
    case 202:
      return 'stored'
    case 400:
    case 422:
      return 'drop'
    case 401:
    case 403:
    case 409:
    case 410:
      return 'stop'
    case 413:
      return 'split'
    case 429:
    case 503:
      return 'wait'
    default:
      return 'failed'
  }
}

const DAY_MS = 86_400_000

/** Milliseconds of a Retry-After header; undefined if it is missing or invalid. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (!header) return
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return ms >= 0 ? Math.min(ms, DAY_MS) : undefined
}

export function backoffMs(failures: number, random: number): number {
  return Math.min(300_000, 1000 * 2 ** Math.min(failures, 20)) * (0.5 + random / 2)
}

/** Number of leading events that fit into one request; at least one. */
export function fitBatch(sizes: number[], max = MAX_BATCH_EVENTS): number {
  let bytes = 100
  let count = 0
  for (const size of sizes) {
    bytes += size + 1
    if (count === max || (count > 0 && bytes > MAX_BATCH_BYTES)) break
    count++
  }
  return count
}
