/** Which changes extend data sharing and therefore need an owner or admin. Pure. */
import type { CatalogEntry, PrivacyMode } from '../../../facts/export-queue/rules.ts'

const strictness: Record<PrivacyMode, number> = { standard: 0, platform_safe: 1, hipaa: 2 }
const consentOrder = { denied: 0, unspecified: 1, granted: 2 } as const

export type CatalogState = {
  privacy_mode: PrivacyMode
  conversions: readonly CatalogEntry[]
  healthcare_export_allowlist: readonly string[]
  hipaa_agreement: { signed_by: string; signed_at: string } | null
  partner_customer_list: boolean
}

export type LooserPart = keyof CatalogState

/**
 * The parts of a catalogue that allow more than before. Agreement, allow-list and mode are checked on every profile, so
 * that they cannot be prepared before it becomes a healthcare profile; the other parts only on healthcare profiles.
 */
export function looserParts(before: CatalogState, after: CatalogState, isHealthcare: boolean): LooserPart[] {
  const parts: LooserPart[] = []
  if (strictness[after.privacy_mode] < strictness[before.privacy_mode]) parts.push('privacy_mode')
  if (after.hipaa_agreement !== null && !isSameAgreement(before.hipaa_agreement, after.hipaa_agreement))
    parts.push('hipaa_agreement')
  if (after.healthcare_export_allowlist.some((key) => !before.healthcare_export_allowlist.includes(key)))
    parts.push('healthcare_export_allowlist')
  if (!isHealthcare) return parts
  if (after.partner_customer_list && !before.partner_customer_list) parts.push('partner_customer_list')
  if (after.conversions.some((entry) => isLooser(before.conversions, entry))) parts.push('conversions')
  return parts
}

type Agreement = NonNullable<CatalogState['hipaa_agreement']>

function isSameAgreement(before: Agreement | null, after: Agreement): boolean {
  return (
    before !== null &&
    before.signed_by === after.signed_by &&
    Date.parse(before.signed_at) === Date.parse(after.signed_at)
  )
}

function isLooser(before: readonly CatalogEntry[], after: CatalogEntry): boolean {
  if (!after.enabled) return false
  const previous = before.find((entry) => entry.conversion_key === after.conversion_key)
  if (previous === undefined || !previous.enabled) return true
  return (
    (after.send_value && !previous.send_value) ||
    consentOrder[after.consent_default] > consentOrder[previous.consent_default]
  )
}

type DestinationChanges = {
  display_name?: string | undefined
  enabled?: boolean | undefined
  event_map?: readonly unknown[] | undefined
  event_id_source?: string | undefined
  test_event_code?: string | null | undefined
  access_token?: string | undefined
}

/** True for every change except renaming or disabling a destination. */
export function extendsSharing(changes: DestinationChanges): boolean {
  return (
    changes.enabled === true ||
    changes.event_map !== undefined ||
    changes.event_id_source !== undefined ||
    changes.test_event_code !== undefined ||
    changes.access_token !== undefined
  )
}
