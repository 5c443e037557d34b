/** Providers, default event names and status of export destinations. Pure. */
import type { EventMapEntry, ExportKind } from '../../../facts/export-queue/rules.ts'

export const providerOf = {
  social: 'social_ads',
  engine: 'engine_ads',
  shortvideo: null,
  microsoft: 'microsoft_ads',
  linkedin: 'linkedin_ads',
} as const

/**
 * Standard events of each platform, read 2026-11-16. social: developers.facebook.com/docs/meta-pixel/reference.
 * shortvideo: ads.tiktok.com/help/article/standard-events-parameters. engine: a conversion action already has a name, so
 * by default only payments are sent to it. microsoft: each account chooses its event names; these are the examples of
 * the documentation.
 */
const defaultEventNames: Record<ExportKind, readonly EventMapEntry[]> = {
  social: [
    { conversion_key: 'payment_received', event_name: 'Purchase' },
    { conversion_key: 'lead_created', event_name: 'Lead' },
    { conversion_key: 'appointment_booked', event_name: 'Schedule' },
  ],
  engine: [{ conversion_key: 'payment_received', event_name: 'purchase' }],
  shortvideo: [
    { conversion_key: 'payment_received', event_name: 'Purchase' },
    { conversion_key: 'lead_created', event_name: 'Lead' },
    { conversion_key: 'appointment_booked', event_name: 'Schedule' },
  ],
  microsoft: [
    { conversion_key: 'payment_received', event_name: 'purchase' },
    { conversion_key: 'lead_created', event_name: 'submit_lead_form' },
  ],
  // A conversion rule already has a type, like the name of a conversion action.
  linkedin: [{ conversion_key: 'payment_received', event_name: 'PURCHASE' }],
}

/** Only contains goals that the profile has. */
export function defaultEventMap(kind: ExportKind, goalKeys: readonly string[]): EventMapEntry[] {
  return defaultEventNames[kind].filter((entry) => goalKeys.includes(entry.conversion_key))
}

/** The problem with an event map, or null. */
export function eventMapProblem(map: readonly EventMapEntry[], goalKeys: readonly string[]): string | null {
  const keys = map.map((entry) => entry.conversion_key)
  const unknown = keys.find((key) => !goalKeys.includes(key))
  if (unknown !== undefined) return `there is no goal with the conversion_key ${unknown}.`
  const duplicate = keys.find((key, at) => keys.indexOf(key) !== at)
  return duplicate === undefined ? null : `${duplicate} occurs twice.`
}

export function destinationKeyOf(kind: ExportKind, connectionId: string | null, targetId: string): string {
  return [kind, connectionId ?? '', targetId].join('|')
}

/** On a healthcare profile a destination is stopped until an owner or admin allows it. */
export function statusReasonOf(
  row: { status_reason: string | null; is_owner_decision: boolean },
  isHealthcare: boolean,
): string | null {
  return isHealthcare && !row.is_owner_decision ? 'owner_decision_required' : row.status_reason
}

/** Fewer may be visitors who still have the cookie of a removed pixel. */
const MIN_PIXEL_CONVERSIONS = 3

export function warningsOf(pixelConversions: number) {
  if (pixelConversions < MIN_PIXEL_CONVERSIONS) return []
  return [{ code: 'pixel_counts_too' as const, conversions: pixelConversions }]
}

export function statusOf(enabled: boolean, reason: string | null) {
  if (!enabled) return 'disabled' as const
  return reason === null ? ('active' as const) : ('needs_action' as const)
}
