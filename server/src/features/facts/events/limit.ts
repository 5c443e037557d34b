/** Rate limit of events per second and profile, in memory per process (GCRA). */

import { BoundedCache } from '../../../platform/bounded-cache.ts'
import type { IngestLimit } from '../../../platform/ports.ts'

const MAX_PROFILES = 50_000

export function createIngestLimit(limit: { perSecond: number; burst: number }): IngestLimit {
  const fullAt = new BoundedCache<string, number>(MAX_PROFILES)
  const eventMs = 1000 / limit.perSecond
  const burstMs = limit.burst * eventMs
  return {
    spend(profileId, events) {
      const now = performance.now()
      const start = Math.max(fullAt.get(profileId) ?? 0, now)
      const end = start + events * eventMs
      // A batch larger than the burst passes if no tokens are spent; otherwise it could never be sent.
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
