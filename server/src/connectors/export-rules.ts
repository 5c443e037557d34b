/** Limits of each ad platform for exported conversions. Pure data, used by the sender and by the code that queues. */

export type ExportKind = 'social' | 'engine' | 'shortvideo' | 'linkedin' | 'microsoft'

export type ExportRules = {
  /** Conversions per request. */
  maxBatch: number
  /** Older conversions are rejected, or credited to no ad. */
  maxAgeDays: number
  /** The platform's deduplication window: how long a retry after an unknown outcome is safe; null if unlimited. */
  retryWithinHours: number | null
  /** Later changes of a conversion that the platform accepts. */
  supports: { restate: boolean; retract: boolean }
  /** When the outcome of an accepted request can be queried; null if never. */
  diagnostics: { firstAfterMinutes: number } | null
  /** Members per change of a customer list; null if the platform has no lists. */
  maxListMembers: number | null
}

export const exportRules: Record<ExportKind, ExportRules> = {
  social: {
    maxBatch: 1000,
    maxAgeDays: 7,
    retryWithinHours: 48,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: 10_000,
  },
  engine: {
    maxBatch: 2000,
    // The longest click window of a conversion action; older conversions are rejected with `event_too_old`. The 90 days
    // come from integrators; of the platform's own pages only those of its other products confirm them (decisions/0520).
    maxAgeDays: 90,
    retryWithinHours: null,
    // A full refund restates to 0.
    supports: { restate: true, retract: true },
    diagnostics: { firstAfterMinutes: 30 },
    maxListMembers: 10_000,
  },
  shortvideo: {
    maxBatch: 1000,
    // The longest click window: tiktok.com/business/en/blog/flexible-attribution-windows-campaign-measurement
    // (2022-06-23), read on 2026-11-16. That older events are not matched: docs.amperity.com/operator/events_tiktok_ads.html.
    maxAgeDays: 28,
    retryWithinHours: 48,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
  microsoft: {
    maxBatch: 1000,
    maxAgeDays: 7,
    // The deduplication window is not documented.
    retryWithinHours: 24,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
  linkedin: {
    maxBatch: 5000,
    maxAgeDays: 90,
    // LinkedIn deduplicates by `eventId`; the length of the window was not found.
    retryWithinHours: 24,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
}
