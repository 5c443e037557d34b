import type { CatalogState, LooserPart } from '../decisions/rules.ts'

/** Describes each extended part to the owners. */
export function looserLines(parts: readonly LooserPart[], catalog: CatalogState): string[] {
  const lines: Record<LooserPart, string> = {
    privacy_mode: `The privacy mode is now ${catalog.privacy_mode}.`,
    hipaa_agreement: `The HIPAA agreement was recorded as signed by ${catalog.hipaa_agreement?.signed_by} at ${catalog.hipaa_agreement?.signed_at}.`,
    healthcare_export_allowlist: `Goals that may be sent in the mode hipaa: ${catalog.healthcare_export_allowlist.join(', ')}.`,
    partner_customer_list: 'A partner app may send a customer list to an ad platform.',
    conversions: `Goals that are sent: ${catalog.conversions
      .filter((entry) => entry.enabled)
      .map((entry) => entry.conversion_key)
      .join(', ')}.`,
  }
  return parts.map((part) => lines[part])
}

/** The problem with the conversion keys of a catalogue, or null. */
export function catalogProblem(
  body: {
    conversions: readonly { conversion_key: string }[]
    healthcare_export_allowlist: readonly string[]
  },
  goalKeys: readonly string[],
): string | null {
  const keys = body.conversions.map((entry) => entry.conversion_key)
  const duplicate = keys.find((key, at) => keys.indexOf(key) !== at)
  if (duplicate !== undefined) return `conversions: ${duplicate} occurs twice.`
  const unknown = keys.find((key) => !goalKeys.includes(key))
  if (unknown !== undefined) return `conversions: there is no goal with the conversion_key ${unknown}.`
  const unknownAllowed = body.healthcare_export_allowlist.find((key) => !goalKeys.includes(key))
  return unknownAllowed === undefined
    ? null
    : `healthcare_export_allowlist: there is no goal with the conversion_key ${unknownAllowed}.`
}
