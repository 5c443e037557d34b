import type { Caller, ProfileRef } from '../../../context.ts'
import type { PrivacyMode } from '../../export-queue/rules.ts'

const strictness: Record<PrivacyMode, number> = { standard: 0, platform_safe: 1, hipaa: 2 }

/** Whoever may send conversions may keep more from leaving; who lets more out answers for the profile. */
export function maySetMode(
  change: { from: PrivacyMode; to: PrivacyMode },
  who: { caller: Caller; role: string | null; profile: Pick<ProfileRef, 'governingAppId'> },
): boolean {
  if (strictness[change.to] >= strictness[change.from]) return true
  const { caller, role, profile } = who
  if (caller.kind === 'user') return role === 'owner' || role === 'admin'
  return caller.kind === 'key' && (caller.appId === null || caller.appId === profile.governingAppId)
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
