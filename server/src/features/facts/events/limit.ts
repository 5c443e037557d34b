/** Events a second per profile, in memory: each process allows its own share. */
import { BoundedCache } from '../../../platform/bounded-cache.ts'

export type IngestLimit = {
  /** 0 when the events may pass, else the seconds to wait. */
  spend(profileId: string, events: number): number
  /** What the profile may send at once now, and the seconds until that is at least one event. */
  left(profileId: string): { remaining: number; retryAfterSeconds: number }
}

const MAX_REMEMBERED = 50_000

export function createIngestLimit(limit: { perSecond: number; burst: number }): IngestLimit {
  const fullAt = new BoundedCache<string, number>(MAX_REMEMBERED)
  const eventMs = 1000 / limit.perSecond
  const burstMs = limit.burst * eventMs
  return {
    spend(profileId, events) {
      const now = performance.now()
      const start = Math.max(fullAt.get(profileId) ?? 0, now)
      const end = start + events * eventMs
      // A batch larger than the burst passes when the bucket is full, or it could never be sent.
      const allowed = Math.max(burstMs, events * eventMs)
      if (end - now > allowed) return Math.max(1, Math.ceil((end - now - allowed) / 1000))
      fullAt.set(profileId, end)
      return 0
    },
    left(profileId) {
      const busyMs = Math.max(0, (fullAt.get(profileId) ?? 0) - performance.now())
      const remaining = Math.max(0, Math.floor((burstMs - busyMs) / eventMs))
      return {
        remaining,
        retryAfterSeconds: remaining > 0 ? 0 : Math.ceil((busyMs + eventMs - burstMs) / 1000),
      }
    },
  }
}
