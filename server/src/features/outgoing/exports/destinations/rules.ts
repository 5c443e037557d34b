/** Destinations: what they are called at the platforms, and what is sent where nothing is said. Pure. */
import type { EventMapEntry, ExportKind } from '../../../facts/export-queue/rules.ts'

export const providerOf = {
  social: 'social_ads',
  engine: 'engine_ads',
  shortvideo: null,
  microsoft: 'microsoft_ads',
  linkedin: 'linkedin_ads',
} as const

/**
 * Standard events of each platform. social: developers.facebook.com/docs/meta-pixel/reference; shortvideo:
 * ads.tiktok.com/help/article/standard-events-parameters; engine: a conversion action has a name of its own, so that
 * only the money is sent to it unless the profile says otherwise. Looked up 2026-11-16. microsoft: goals match the event's
 * name, which each account chooses; these are the examples of its pages.
 */
const usualNames: Record<ExportKind, readonly EventMapEntry[]> = {
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
  // A conversion rule has a type of its own, as a conversion action has a name.
  linkedin: [{ conversion_key: 'payment_received', event_name: 'PURCHASE' }],
}

/** Of the goals that the profile has. */
export function usualEventMap(kind: ExportKind, goalKeys: readonly string[]): EventMapEntry[] {
  return usualNames[kind].filter((entry) => goalKeys.includes(entry.conversion_key))
}

/** What is wrong with a map, or null. */
export function eventMapProblem(map: readonly EventMapEntry[], goalKeys: readonly string[]): string | null {
  const keys = map.map((entry) => entry.conversion_key)
  const unknown = keys.find((key) => !goalKeys.includes(key))
  if (unknown !== undefined) return `there is no goal with the conversion_key ${unknown}.`
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  return twice === undefined ? null : `${twice} is named twice.`
}

export function destinationKeyOf(kind: ExportKind, connectionId: string | null, targetId: string): string {
  return [kind, connectionId ?? '', targetId].join('|')
}

/** On a healthcare profile a destination waits for the decision of an owner or admin. */
export function statusReasonOf(
  row: { status_reason: string | null; is_owner_decision: boolean },
  isHealthcare: boolean,
): string | null {
  return isHealthcare && !row.is_owner_decision ? 'owner_decision_required' : row.status_reason
}

/** A few may come from visitors who kept the cookie of a pixel that is gone. */
const MIN_PIXEL_CONVERSIONS = 3

export function warningsOf(pixelConversions: number) {
  if (pixelConversions < MIN_PIXEL_CONVERSIONS) return []
  return [{ code: 'pixel_counts_too' as const, conversions: pixelConversions }]
}

export function statusOf(enabled: boolean, reason: string | null) {
  if (!enabled) return 'disabled' as const
  return reason === null ? ('active' as const) : ('needs_action' as const)
}
