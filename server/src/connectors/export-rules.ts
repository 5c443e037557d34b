/** What each ad platform accepts of conversions sent back: pure data, read by the sender and by the code that queues. */

export type ExportKind = 'social' | 'engine' | 'shortvideo' | 'linkedin' | 'microsoft'

export type ExportRules = {
  /** Conversions in one request. */
  maxBatch: number
  /** An older conversion is not accepted, or credited to no ad. */
  maxAgeDays: number
  /** After an unknown outcome a repetition is recognised for this long; null where it always is. */
  retryWithinHours: number | null
  /** Which later changes of a conversion the platform takes. */
  supports: { restate: boolean; retract: boolean }
  /** When the platform shows what became of an accepted request; null where it never does. */
  diagnostics: { firstAfterMinutes: number } | null
  /** Members in one change of a customer list; null where there are no lists. */
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
    // The longest window after a click that a conversion action can have; older ones come back as `event_too_old`.
    // Integrators say 90 days; of the platform's own pages only those of its other products do (decisions/0520).
    maxAgeDays: 90,
    retryWithinHours: null,
    // A full refund restates to 0.
    supports: { restate: true, retract: true },
    diagnostics: { firstAfterMinutes: 30 },
    maxListMembers: 10_000,
  },
  shortvideo: {
    maxBatch: 1000,
    // The longest window after a click: tiktok.com/business/en/blog/flexible-attribution-windows-campaign-measurement
    // (2022-06-23), looked up 2026-11-16. That older events are not matched: docs.amperity.com/operator/events_tiktok_ads.html.
    maxAgeDays: 28,
    retryWithinHours: 48,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
  microsoft: {
    maxBatch: 1000,
    maxAgeDays: 7,
    // For how long a repetition is recognised is not documented.
    retryWithinHours: 24,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
  linkedin: {
    maxBatch: 5000,
    maxAgeDays: 90,
    // LinkedIn recognises a repetition by `eventId`; for how long was not found.
    retryWithinHours: 24,
    supports: { restate: false, retract: false },
    diagnostics: null,
    maxListMembers: null,
  },
}
