/** When a delivery is retried, when an endpoint is given up, and who may be shown a person. Pure. */
import { jitter } from '../../../platform/retry.ts'
import type { Contact, OutcomeData, SentOutcomeData } from '../../facts/outbox/event-types.ts'

/** Sent on request only. */
export const TEST_EVENT = 'webhook.test'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The wait before each attempt, counted from the end of the one before. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const LONGEST_RETRY_AFTER_MS = 24 * HOUR
const GIVE_UP_AFTER_MS = 5 * DAY

/** Undefined after the last attempt. `chance` is 0 to 1; the receiver may ask for more patience, never for less. */
export function nextAttemptAt(
  attempts: number,
  endedAt: Date,
  retryAfterMs: number | null,
  chance: number,
): Date | undefined {
  const delay = attemptDelaysMs[attempts]
  if (delay === undefined) return undefined
  const jittered = jitter(delay, 0.1, chance)
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)
  return new Date(endedAt.getTime() + Math.round(Math.max(jittered, asked)))
}

/** Clocks of one deployment differ by less, and what was just enqueued by this one's is due at once. */
const DRIFT_MS = 1000

/**
 * By how much this process's clock must be moved to agree with the database's. The database looked at some moment
 * between question and answer: only what no such moment explains is a difference of the clocks.
 */
export function clockSkewMs(seen: { askedAt: number; answeredAt: number; databaseMs: number }): number {
  const unsureMs = (seen.answeredAt - seen.askedAt) / 2
  const driftMs = seen.databaseMs - (seen.askedAt + unsureMs)
  const sureMs = Math.abs(driftMs) - Math.abs(unsureMs)
  return sureMs > DRIFT_MS ? Math.round(Math.sign(driftMs) * sureMs) : 0
}

export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS
}

export const MAX_IN_FLIGHT_PER_SUBSCRIPTION = 10
const FAILURES_BEFORE_CARE = 10
const PAUSE_WHILE_FAILING_MS = 500

/** An endpoint that only fails gets one request at a time, with pauses, so that its backlog does not slow the others. */
export function concurrencyFor(consecutiveFailures: number): { inFlight: number; pauseMs: number } {
  return consecutiveFailures < FAILURES_BEFORE_CARE
    ? { inFlight: MAX_IN_FLIGHT_PER_SUBSCRIPTION, pauseMs: 0 }
    : { inFlight: 1, pauseMs: PAUSE_WHILE_FAILING_MS }
}

export type LiveGrant = { appId: string; grant: string; scopes: readonly string[] }
export type RecipientProfile = {
  isHealthcare: boolean
  provisionedByAppId: string | null
  grants: readonly LiveGrant[]
}
export type Listener = { appId: string | null; opensContact: boolean }

/** What a subscription may be sent at this moment. */
export type Visibility = {
  /** False once the app has no live grant on the profile. */
  hears: boolean
  /** Whether it receives events about a person at all. */
  receivesPersonEvents: boolean
  opensContact: boolean
}

export function visibilityOf(listener: Listener, profile: RecipientProfile): Visibility {
  const { appId } = listener
  if (appId === null) {
    const receivesPersonEvents = !profile.isHealthcare
    return { hears: true, receivesPersonEvents, opensContact: receivesPersonEvents && listener.opensContact }
  }
  const grants = profile.grants.filter((grant) => grant.appId === appId)
  const hears = grants.length > 0
  const receivesPersonEvents = hears && (!profile.isHealthcare || profile.provisionedByAppId === appId)
  return {
    hears,
    receivesPersonEvents,
    opensContact: receivesPersonEvents && opensContact(grants, profile.isHealthcare),
  }
}

/** Grants on a healthcare profile never carry `customers:read`, so there the kind of grant opens the contact too. */
export function opensContact(grants: readonly Omit<LiveGrant, 'appId'>[], isHealthcare: boolean): boolean {
  return grants.some(
    ({ grant, scopes }) =>
      scopes.includes('customers:read') ||
      (isHealthcare && (grant === 'analytics_pii' || grant === 'attribution')),
  )
}

/** Events that concern one person; their payload is completed at each attempt. */
export const personEvents: readonly string[] = ['outcome.recorded', 'leadgen.received']

export type PersonView = { open: boolean; contact: Contact | null; erased?: boolean }

export function redactPerson(customerKey: string | null, person: PersonView) {
  const { contact, open, erased = false } = person
  const key = customerKey ?? contact?.email ?? contact?.phone ?? null
  return { customer_key: erased ? null : key, contact, contact_withheld: !open }
}

export function redactOutcome(data: OutcomeData, person: PersonView): SentOutcomeData {
  return { ...data, ...redactPerson(data.customer_key, person) }
}

export type Envelope = {
  id: string
  type: string
  occurredAt: Date
  provider: string
  appId: string | null
  connectionId: string | null
  data: unknown
}

export function toEnvelope(event: Envelope) {
  return {
    id: event.id,
    type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    provider: event.provider,
    ...(event.appId === null ? {} : { app_id: event.appId }),
    connection_id: event.connectionId,
    data: event.data,
  }
}

const reasons: Record<string, string> = {
  paused: 'Paused by request.',
  profile_archived: 'The profile is archived.',
  grant_revoked: 'The app has no access to the profile any more.',
  gone: 'The endpoint answered 410 Gone.',
  failing_for_5_days: 'Every attempt of 5 days failed.',
  subscription_deleted: 'The subscription was deleted.',
  subscription_failed: 'The subscription had stopped after its failures.',
  not_permitted: 'The subscription may not hear of people of this profile.',
  status: 'The endpoint answered with an error status.',
  timeout: 'The endpoint did not answer in time.',
  unreachable: 'The endpoint could not be reached.',
  blocked: 'The address of the endpoint is not a public one.',
  too_large: 'The answer of the endpoint was too large.',
  breaker_open: 'The endpoint failed too often; it was not asked.',
  unexpected: 'The attempt failed on our side.',
}

/** Why a subscription or a delivery has its status, for the person who investigates. */
export function reasonWords(reason: string | null): string | null {
  return reason === null ? null : (reasons[reason] ?? reason)
}
