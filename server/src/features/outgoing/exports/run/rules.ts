/** Applies the profile's rules: the part of a conversion that may be sent, or why it is not sent. Pure; time is an argument. */
import type { ClearedConversion, ExportConversion } from '../../../../connectors/connector.ts'
import { exportRules } from '../../../../connectors/export-rules.ts'
import { checkFor, clearConversion } from '../../../../platform/outbound/gate.ts'
import { backoffMs } from '../../../../platform/retry.ts'
import {
  type AppliedConsent,
  noConsent,
  readConsent,
  stricterOf,
  toApplied,
} from '../../../facts/consents/rules.ts'
import type { ExportPolicy } from '../../../facts/export-queue/policy.ts'
import {
  type ExportDecision,
  type ExportKind,
  entryOf,
  exportDecision,
  isTooOld,
  type Policy,
  privacyRefusal,
  type QueueDestination,
  type SkipReason,
} from '../../../facts/export-queue/rules.ts'
import { normaliseEmail } from '../../../facts/identity/identifiers.ts'
import { readPhone } from '../../../facts/identity/phone.ts'
import type { DestinationRow } from '../destinations/queries.ts'
import { dedupIdOf, OUR_ID } from './event-id.ts'
import type { EventFacts, Facts } from './facts.ts'

const HOUR_MS = 3_600_000
/** Platforms accept few identifiers of a kind; the latest are the most likely to match. */
const MAX_PER_KIND = 5

export type WaitingRow = {
  id: string
  conversionId: string
  eventId: string
  goalId: string | null
  adjustmentNo: number
  adjustment: 'none' | 'restate' | 'retract'
  firstTriedAt: Date | null
  /** Set if the destination's source was changed after the row was queued. */
  eventIdSource: string | null
}

/** What was last sent to the destination for a conversion. */
export type PreviouslySent = {
  payloadHash: Buffer | null
  eventName: string | null
  currency: string | null
  eventIdSource: string | null
}

export type Prepared =
  | { ok: true; conversion: ClearedConversion; eventIdSource: string; consent: AppliedConsent }
  | { ok: false; reason: SkipReason; consent?: AppliedConsent }

export type ExportSettings = {
  policy: Policy
  /** Goal → conversion key. */
  keys: ReadonlyMap<string, string>
  destination: Pick<QueueDestination, 'kind' | 'eventMap' | 'isOwnerDecision'> & { eventIdSource: string }
  maxAgeDays: number
  now: Date
}

export const exportSettingsOf = (
  destination: Pick<DestinationRow, 'kind' | 'event_map' | 'is_owner_decision' | 'event_id_source'>,
  policy: ExportPolicy,
  now: Date,
): ExportSettings => ({
  policy,
  keys: policy.keys,
  destination: {
    kind: destination.kind,
    eventMap: destination.event_map,
    isOwnerDecision: destination.is_owner_decision,
    eventIdSource: destination.event_id_source,
  },
  maxAgeDays: exportRules[destination.kind].maxAgeDays,
  now,
})

export function toExport(
  row: Pick<WaitingRow, 'conversionId' | 'goalId' | 'adjustment' | 'eventIdSource'>,
  facts: Facts,
  settings: ExportSettings,
  sent: PreviouslySent | undefined,
): Prepared {
  const { conversion, event, person } = facts
  const isGone = conversion === null || conversion.isNotCounted
  if (isGone && row.adjustment === 'none') return { ok: false, reason: 'conversion_gone' }
  if (row.adjustment !== 'none' && sent === undefined) return { ok: false, reason: 'original_not_sent' }
  const goalId = conversion?.goalId ?? row.goalId
  const conversionKey = goalId === null ? undefined : settings.keys.get(goalId)
  const decision = decide(goalId, conversionKey, settings, sent)
  if (!decision.leaves) return { ok: false, reason: decision.reason }
  if (person.isErased) return { ok: false, reason: 'person_erased' }
  const occurredAt = conversion?.occurredAt ?? event?.occurredAt ?? settings.now
  if (isTooOld(occurredAt, settings.maxAgeDays, settings.now)) return { ok: false, reason: 'too_old' }
  const entry = entryOf(settings.policy, conversionKey ?? '')
  const decided = toApplied(
    stricterOf(event === null ? noConsent : readConsent(event), person.consent),
    entry.consent_default,
  )
  if (decided.ad_user_data === 'denied') return { ok: false, reason: 'consent_denied', consent: decided }
  const consent = { adUserData: decided.ad_user_data, adPersonalization: decided.ad_personalization }
  // Conversions that were sent before this setting existed have our id.
  const fixedSource = sent === undefined ? row.eventIdSource : (sent.eventIdSource ?? OUR_ID)
  const dedup = dedupIdOf(
    row.conversionId,
    fixedSource ?? settings.destination.eventIdSource,
    event,
    settings.policy.privacyMode,
    checkFor(person.phones),
  )
  const cleared = clearConversion({
    eventId: row.conversionId,
    dedupId: dedup.id,
    eventName: decision.eventName,
    occurredAt: occurredAt.toISOString(),
    value: entry.send_value || isGone ? netValue(facts, isGone, sent) : null,
    ...originOf(event, settings.policy),
    clicks: clicksOf(facts, occurredAt, settings.policy),
    person: personOf(facts, settings.policy),
    // The order id could be traced to a patient's record.
    orderId: settings.policy.privacyMode === 'hipaa' ? null : (event?.orderId ?? null),
    consent,
    limitedDataUse: settings.policy.privacyMode === 'hipaa' || consent.adPersonalization === 'denied',
    adjustment: row.adjustment,
    ...messagingOf(facts, occurredAt, settings.policy),
  })
  return hasMatchKey(cleared) || cleared.messaging !== undefined
    ? { ok: true, conversion: cleared, eventIdSource: dedup.source, consent: decided }
    : { ok: false, reason: 'no_match_keys', consent: decided }
}

/** The value after refunds; 0 if the conversion no longer counts. */
function netValue({ conversion, refundedMinor }: Facts, isGone: boolean, sent: PreviouslySent | undefined) {
  if (isGone) return sent?.currency == null ? null : { amountMinor: 0, currency: sent.currency }
  if (conversion === null || conversion.valueMinor === null || conversion.currency === null) return null
  return {
    amountMinor: Math.max(0, conversion.valueMinor - refundedMinor),
    currency: conversion.currency,
  }
}

/** For a deleted goal, only conversions that were already sent can still be adjusted. */
function decide(
  goalId: string | null,
  conversionKey: string | undefined,
  { policy, destination }: ExportSettings,
  sent: PreviouslySent | undefined,
): ExportDecision {
  if (goalId !== null && conversionKey !== undefined)
    return exportDecision(policy, destination, { id: goalId, conversionKey })
  if (sent?.eventName == null) return { leaves: false, silent: false, reason: 'conversion_gone' }
  const reason = privacyRefusal(policy, destination, conversionKey ?? '')
  return reason === null
    ? { leaves: true, eventName: sent.eventName }
    : { leaves: false, silent: false, reason }
}

/** The page's URL; in privacy modes other than `standard`, only its origin. */
function originOf(event: EventFacts | null, policy: Policy): Pick<ExportConversion, 'source' | 'sourceUrl'> {
  const url = event?.url ?? null
  if (event?.source === 'integration') return { source: 'crm', sourceUrl: null }
  if (url === null) return { source: 'system', sourceUrl: null }
  const parsed = URL.parse(url)
  if (parsed === null) return { source: 'system', sourceUrl: null }
  return {
    source: 'website',
    sourceUrl: policy.privacyMode === 'standard' ? parsed.href : `${parsed.origin}/`,
  }
}

/** Only if no website visit followed the conversation, and only in privacy mode `standard`. */
function messagingOf(
  { event, person }: Facts,
  occurredAt: Date,
  policy: Policy,
): Pick<ExportConversion, 'messaging'> {
  if (policy.privacyMode !== 'standard' || event?.url != null) return {}
  const before = person.conversations.filter(({ startedAt }) => startedAt <= occurredAt)
  const latest = before.reduce<(typeof before)[number] | undefined>(
    (last, entry) => (last === undefined || entry.startedAt > last.startedAt ? entry : last),
    undefined,
  )
  if (latest === undefined) return {}
  const isVisitLater = person.clicks.some(
    ({ kind, seenAt }) =>
      (kind === 'fbc' || kind === 'fbclid') && seenAt > latest.startedAt && seenAt <= occurredAt,
  )
  if (isVisitLater) return {}
  const { channel, accountId, personId, datasetId } = latest
  return { messaging: { channel, accountId, personId: channel === 'chatapp' ? null : personId, datasetId } }
}

function clicksOf({ person, event }: Facts, occurredAt: Date, policy: Policy): ExportConversion['clicks'] {
  const personClicks = person.clicks.filter((click) => click.seenAt <= occurredAt)
  const personClickKeys = new Set(personClicks.map((click) => `${click.kind} ${click.id}`))
  const eventIds = { ...event?.clickIds, ...(policy.privacyMode === 'hipaa' ? {} : event?.cookies) }
  const eventClicks = Object.entries(eventIds).flatMap(([kind, id]) =>
    personClickKeys.has(`${kind} ${id}`) || id === '' ? [] : [{ kind, id, seenAt: occurredAt }],
  )
  return [...personClicks, ...eventClicks]
    .toSorted((a, b) => b.seenAt.getTime() - a.seenAt.getTime())
    .map(({ kind, id, seenAt }) => ({ kind, id, seenAt: seenAt.toISOString() }))
}

function personOf({ person, event }: Facts, policy: Policy): ExportConversion['person'] {
  const isHipaa = policy.privacyMode === 'hipaa'
  return {
    emails: normalised(person.emails, normaliseEmail),
    phones: normalised(person.phones, (phone) => readPhone(phone, null)),
    externalIds: isHipaa ? [] : normalised(person.externalIds, (id) => id.trim() || undefined),
    address: policy.privacyMode === 'standard' ? person.address : null,
    leadId: person.leadId,
    browserId: isHipaa ? null : (event?.browserId ?? null),
    ip: isHipaa ? null : (event?.ip ?? null),
    userAgent: isHipaa ? null : (event?.userAgent ?? null),
    country: event?.country ?? null,
  }
}

function normalised(values: readonly string[], normalise: (value: string) => string | undefined): string[] {
  return [...new Set(values.flatMap((value) => normalise(value) ?? []))].slice(0, MAX_PER_KIND)
}

function hasMatchKey({ clicks, person }: ExportConversion): boolean {
  const { emails, phones, externalIds, leadId, browserId } = person
  return (
    clicks.length + emails.length + phones.length + externalIds.length > 0 ||
    leadId !== null ||
    browserId !== null
  )
}

/** Whether a request with an unknown outcome may be retried; the platform deduplicates only for a limited time. */
export function mayRetry(
  row: Pick<WaitingRow, 'firstTriedAt'>,
  retryWithinHours: number | null,
  now: Date,
): boolean {
  if (row.firstTriedAt === null || retryWithinHours === null) return true
  return now.getTime() - row.firstTriedAt.getTime() < retryWithinHours * HOUR_MS
}

/** When to retry a destination after a transient failure. */
export function retryAtOf(retries: number, retryAfterSeconds: number | null, now: Date): Date {
  const delayMs = backoffMs(retries, { firstMs: 30_000, maxMs: HOUR_MS })
  return new Date(now.getTime() + Math.max(delayMs, (retryAfterSeconds ?? 0) * 1000))
}

const MAX_POLLS = 10

/** When to poll the platform again for the result of a request; null after the last poll. */
export function nextPollAt(polls: number, firstAfterMinutes: number, now: Date): Date | null {
  if (polls >= MAX_POLLS) return null
  return new Date(now.getTime() + backoffMs(Math.min(polls, 5), { firstMs: firstAfterMinutes * 60_000 }))
}

export function runStatusOf(run: { sent: number; failed: number }, reason: string | null) {
  if (run.sent > 0 && reason === null) return 'sent' as const
  return run.failed > 0 || reason !== null ? ('failed' as const) : ('skipped' as const)
}

/** The current target at the platform: the clean dataset if one is set, otherwise the destination's own. */
export function targetIdOf(
  policy: Pick<Policy, 'cleanDatasetId'>,
  row: { kind: ExportKind; target_id: string },
) {
  return row.kind === 'social' && policy.cleanDatasetId !== null ? policy.cleanDatasetId : row.target_id
}
