/** Decides what may be sent to an ad platform. Checked when a conversion is queued and again when it is sent. Pure. */

import { createHash } from 'node:crypto'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { isCrm } from '../identity/crms.ts'

export type PrivacyMode = 'standard' | 'platform_safe' | 'hipaa'
export type ExportKind = 'social' | 'engine' | 'shortvideo' | 'linkedin' | 'microsoft'
export type ConsentState = 'granted' | 'denied' | 'unspecified'

export type CatalogEntry = {
  conversion_key: string
  enabled: boolean
  send_value: boolean
  consent_default: ConsentState
}

export type Policy = {
  privacyMode: PrivacyMode
  /** Null: every goal may be sent, with its value. */
  conversions: readonly CatalogEntry[] | null
  healthcareAllowlist: readonly string[]
  hasAgreement: boolean
  /** Healthcare workspace, or a mode other than standard: nothing is sent to a destination that no owner approved. */
  isHealthcare: boolean
  /** Dataset for conversions to the social platform, instead of the destination's own. */
  cleanDatasetId: string | null
}

export const dataSources = ['website', 'crm', 'chatapp', 'photoapp'] as const
export type DataSource = (typeof dataSources)[number]

/** Whether a conversion is of a data source, by its provider. Without a provider it is from the website or its server. */
export function isOfSource(dataSource: DataSource | null, provider: string | null): boolean {
  switch (dataSource) {
    case null:
      return true
    case 'website':
      return provider === null
    case 'crm':
      return isCrm(provider)
    default:
      return provider === dataSource
  }
}

export type EventMapEntry = { conversion_key: string; event_name: string }

export type QueueDestination = {
  id: string
  kind: ExportKind
  enabled: boolean
  /** In milliseconds; conversions received before are not sent. */
  enabledAt: number
  /** Null: conversions of every source. */
  dataSource: DataSource | null
  eventMap: readonly EventMapEntry[]
  isOwnerDecision: boolean
}

export const isTooOld = (occurredAt: Date, maxAgeDays: number, now: Date): boolean =>
  now.getTime() - occurredAt.getTime() >= maxAgeDays * DAY_MS

export const skipReasons = [
  'owner_decision_required',
  'clean_dataset_required',
  'not_on_healthcare_allowlist',
  'hipaa_baa_unsigned',
  'conversion_disabled',
  'conversion_unmapped',
  'conversion_gone',
  'consent_denied',
  'person_erased',
  'no_match_keys',
  'too_old',
  'no_change',
  'original_not_sent',
  'adjustment_unsupported',
] as const
export type SkipReason = (typeof skipReasons)[number]

const defaultEntry: Omit<CatalogEntry, 'conversion_key'> = {
  enabled: true,
  send_value: true,
  consent_default: 'unspecified',
}

/** The catalogue entry of a goal. Once there is a catalogue, goals that it does not list are disabled. */
export function entryOf(policy: Pick<Policy, 'conversions'>, conversionKey: string): CatalogEntry {
  if (policy.conversions === null) return { conversion_key: conversionKey, ...defaultEntry }
  return (
    policy.conversions.find((entry) => entry.conversion_key === conversionKey) ?? {
      conversion_key: conversionKey,
      ...defaultEntry,
      enabled: false,
    }
  )
}

/** An event name that does not reveal the outcome, stable per goal. */
export function neutralName(goalId: string): string {
  return `milestone_${createHash('sha256').update(goalId).digest('hex').slice(0, 6)}`
}

export type ExportDecision =
  | { leaves: true; eventName: string }
  /** `silent`: excluded by the profile's own configuration; gets no ledger row. */
  | { leaves: false; silent: boolean; reason: SkipReason }

export function exportDecision(
  policy: Policy,
  destination: Pick<QueueDestination, 'kind' | 'eventMap' | 'isOwnerDecision'>,
  goal: { id: string; conversionKey: string },
): ExportDecision {
  const mapped = destination.eventMap.find((entry) => entry.conversion_key === goal.conversionKey)
  if (mapped === undefined) return { leaves: false, silent: true, reason: 'conversion_unmapped' }
  if (!entryOf(policy, goal.conversionKey).enabled)
    return { leaves: false, silent: true, reason: 'conversion_disabled' }
  const reason = privacyRefusal(policy, destination, goal.conversionKey)
  if (reason !== null) return { leaves: false, silent: false, reason }
  const eventName = policy.privacyMode === 'platform_safe' ? neutralName(goal.id) : mapped.event_name
  return { leaves: true, eventName }
}

/** The parts that the privacy mode withholds, or `conversion` for all; empty if nothing is withheld. */
export function withheldParts(policy: Policy, conversionKey: string): string[] {
  if (policy.privacyMode === 'standard') return []
  if (privacyRefusal(policy, { kind: 'social', isOwnerDecision: true }, conversionKey) !== null)
    return ['conversion']
  return policy.privacyMode === 'platform_safe'
    ? ['event_name', 'url_path', 'other_destinations', 'audiences']
    : ['url_path', 'ip_address', 'user_agent', 'browser_id', 'external_ids', 'audiences']
}

/** The reason why privacy mode or a missing approval forbids an export; null if it is allowed. */
export function privacyRefusal(
  policy: Policy,
  destination: Pick<QueueDestination, 'kind' | 'isOwnerDecision'>,
  conversionKey: string,
): SkipReason | null {
  if (policy.isHealthcare && !destination.isOwnerDecision) return 'owner_decision_required'
  const { kind } = destination
  switch (policy.privacyMode) {
    case 'standard':
      return null
    case 'platform_safe':
      return kind === 'social' && policy.cleanDatasetId !== null ? null : 'clean_dataset_required'
    case 'hipaa':
      if (!policy.hasAgreement) return 'hipaa_baa_unsigned'
      return policy.healthcareAllowlist.includes(conversionKey) ? null : 'not_on_healthcare_allowlist'
  }
}

export type LedgerState = {
  adjustmentNo: number
  adjustment: 'none' | 'restate' | 'retract' | 'unsupported'
  status: 'queued' | 'sent' | 'failed' | 'skipped'
  attempts: number
  valueMinor: number | null
  currency: string | null
}

export type CurrentValue =
  /** `isPersonChanged`: it belongs to another person after a merge or split. */
  | { state: 'counts'; valueMinor: number | null; currency: string | null; isPersonChanged: boolean }
  | { state: 'gone' }

export type Supports = { restate: boolean; retract: boolean }

/** The adjustment that a change requires at one destination; null if the platform has or will receive the current value. */
export function decideAdjustment(
  rows: readonly LedgerState[],
  current: CurrentValue,
  supports: Supports,
): { adjustmentNo: number; adjustment: 'restate' | 'retract' | 'unsupported' } | null {
  const inOrder = rows.toSorted((a, b) => a.adjustmentNo - b.adjustmentNo)
  const last = inOrder.at(-1)
  if (last === undefined || (last.status === 'queued' && last.attempts === 0)) return null
  const reported = inOrder.findLast((row) => row.status === 'sent' || row.status === 'queued')
  if (reported === undefined) return null
  // While a request is in flight, the platform may have received either value.
  const isSent = reported.status === 'sent'
  const latest = last.adjustment === 'unsupported' ? last : reported
  const isGone = current.state === 'gone'
  if (isSent && !isGone && !current.isPersonChanged && isSameValue(latest, current)) return null
  if (isGone && latest !== reported && latest.valueMinor === 0) return null
  return { adjustmentNo: last.adjustmentNo + 1, adjustment: adjustmentKind(isGone, supports) }
}

function adjustmentKind(isGone: boolean, supports: Supports): 'restate' | 'retract' | 'unsupported' {
  if (isGone && supports.retract) return 'retract'
  return supports.restate ? 'restate' : 'unsupported'
}

function isSameValue(
  row: Pick<LedgerState, 'valueMinor' | 'currency'>,
  current: { valueMinor: number | null; currency: string | null },
): boolean {
  if (row.valueMinor === null && current.valueMinor === null) return true
  return row.valueMinor === current.valueMinor && row.currency === current.currency
}
