import type { CatalogState, LooserPart } from '../decisions/rules.ts'

/** What each extended part allows now, as sentences for the owners. */
export function looserLines(parts: readonly LooserPart[], catalog: CatalogState): string[] {
  const lines: Record<LooserPart, string> = {
    privacy_mode: `The privacy mode is ${catalog.privacy_mode} now.`,
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

/** What is wrong with the keys that a catalogue names, or null. */
export function catalogProblem(
  body: {
    conversions: readonly { conversion_key: string }[]
    healthcare_export_allowlist: readonly string[]
  },
  goalKeys: readonly string[],
): string | null {
  const named = body.conversions.map((entry) => entry.conversion_key)
  const twice = named.find((key, at) => named.indexOf(key) !== at)
  if (twice !== undefined) return `conversions: ${twice} is named twice.`
  const unknown = named.find((key) => !goalKeys.includes(key))
  if (unknown !== undefined) return `conversions: there is no goal with the conversion_key ${unknown}.`
  const stranger = body.healthcare_export_allowlist.find((key) => !goalKeys.includes(key))
  return stranger === undefined
    ? null
    : `healthcare_export_allowlist: there is no goal with the conversion_key ${stranger}.`
}
