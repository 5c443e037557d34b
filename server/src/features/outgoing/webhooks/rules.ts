/** Retry schedule, disabling of failing endpoints, and redaction of people. Pure. */
import { jitter } from '../../../platform/retry.ts'
import {
  type Contact,
  type OutcomeData,
  providersOf,
  type SentOutcomeData,
  subscribableEvents,
} from '../../facts/outbox/event-types.ts'

/** Sent on request only. */
export const TEST_EVENT = 'webhook.test'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The delay before each attempt, from the end of the previous attempt. */
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

/** Undefined after the last attempt. `chance` is 0 to 1. The receiver's Retry-After can only lengthen the delay. */
export function nextAttemptAt(
  attempts: number,
  endedAt: Date,
  retryAfterMs: number | null,
  chance: number,
): Date | undefined {
  const delay = attemptDelaysMs[attempts]
  if (delay === undefined) return undefined
  const jittered = jitter(delay, 0.1, chance)
  const requested = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS)
  return new Date(endedAt.getTime() + Math.round(Math.max(jittered, requested)))
}

/** Smaller differences between clocks are ignored, so that new deliveries are due immediately. */
const DRIFT_MS = 1000

/**
 * Correction of this process's clock to the database's clock. The database read its clock at an unknown moment between
 * request and response; only a difference that no such moment explains counts.
 */
export function clockSkewMs(sample: { askedAt: number; answeredAt: number; databaseMs: number }): number {
  const unsureMs = (sample.answeredAt - sample.askedAt) / 2
  const driftMs = sample.databaseMs - (sample.askedAt + unsureMs)
  const sureMs = Math.abs(driftMs) - Math.abs(unsureMs)
  return sureMs > DRIFT_MS ? Math.round(Math.sign(driftMs) * sureMs) : 0
}

export function isGivenUp(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS
}

export const MAX_IN_FLIGHT_PER_SUBSCRIPTION = 10
const FAILURES_BEFORE_CARE = 10
const PAUSE_WHILE_FAILING_MS = 500

/** A failing endpoint gets one request at a time, with pauses, so that its backlog does not slow down other endpoints. */
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

/** What a subscription may currently receive. */
export type Visibility = {
  /** False once the app has no live grant on the profile. */
  receivesEvents: boolean
  /** True if it receives events about people. */
  receivesPersonEvents: boolean
  opensContact: boolean
}

export function visibilityOf(listener: Listener, profile: RecipientProfile): Visibility {
  const { appId } = listener
  if (appId === null) {
    const receivesPersonEvents = !profile.isHealthcare
    return {
      receivesEvents: true,
      receivesPersonEvents,
      opensContact: receivesPersonEvents && listener.opensContact,
    }
  }
  const grants = profile.grants.filter((grant) => grant.appId === appId)
  const receivesEvents = grants.length > 0
  const receivesPersonEvents =
    receivesEvents && (!profile.isHealthcare || profile.provisionedByAppId === appId)
  return {
    receivesEvents,
    receivesPersonEvents,
    opensContact: receivesPersonEvents && opensContact(grants, profile.isHealthcare),
  }
}

/** Grants on a healthcare profile never include `customers:read`, so there the kind of grant also allows the contact. */
export function opensContact(grants: readonly Omit<LiveGrant, 'appId'>[], isHealthcare: boolean): boolean {
  return grants.some(
    ({ grant, scopes }) =>
      scopes.includes('customers:read') ||
      (isHealthcare && (grant === 'analytics_pii' || grant === 'attribution')),
  )
}

/** Events about one person. The person is added to the payload at each attempt. */
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

const HISTORY_AFTER_MS = 2 * DAY

/** Happened more than two days before it was recorded: mostly the first sync of a connection. */
export function isHistorical(event: { occurredAt: Date; recordedAt: Date; data?: unknown }): boolean {
  const { converted_at: convertedAt } = (event.data ?? {}) as { converted_at?: unknown }
  const happenedAt = typeof convertedAt === 'string' ? Date.parse(convertedAt) : event.occurredAt.getTime()
  return event.recordedAt.getTime() - happenedAt > HISTORY_AFTER_MS
}

const HISTORY_INTERVAL_MS = 100

/**
 * First attempt of each delivery of a subscription. History is spread at ten a second, after the history that waits
 * already, so that live events do not wait behind it.
 */
export function firstAttempts(
  deliveries: readonly { subscriptionId: string; isHistorical: boolean }[],
  waitingUntil: ReadonlyMap<string, Date>,
  now: Date,
): Date[] {
  const last = new Map(waitingUntil)
  return deliveries.map(({ subscriptionId, isHistorical }) => {
    if (!isHistorical) return now
    const previous = last.get(subscriptionId)?.getTime() ?? 0
    const at = new Date(Math.max(now.getTime(), previous + HISTORY_INTERVAL_MS))
    last.set(subscriptionId, at)
    return at
  })
}

export type Envelope = {
  id: string
  type: string
  occurredAt: Date
  provider: string
  appId: string | null
  connectionId: string | null
  isHistorical: boolean
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
    ...(event.isHistorical ? { historical: true as const } : {}),
    data: event.data,
  }
}

/** Events of a subscription that its providers never send. */
export function deliveryWarnings({ events, providers }: { events: string[]; providers: string[] }) {
  return subscribableEvents
    .filter((type) => events.includes(type))
    .filter((type) => !providersOf(type).some((provider) => providers.includes(provider)))
    .map((event) => ({
      event,
      message: `${event} is sent with the provider ${providersOf(event).join(' or ')}, which providers does not list: it is never delivered.`,
    }))
}

const reasons: Record<string, string> = {
  paused: 'Paused by request.',
  authorization_ended: 'The authorization of the app that created it was withdrawn.',
  maker_ended:
    'The person or key that chose the address lost the permission. Make the subscription active to take it over.',
  profile_archived: 'The profile is archived.',
  grant_revoked: 'The app no longer has access to the profile.',
  gone: 'The endpoint returned 410 Gone.',
  failing_for_5_days: 'All attempts of the last 5 days failed.',
  subscription_deleted: 'The subscription was deleted.',
  subscription_failed: 'The subscription was disabled after repeated failures.',
  not_permitted: 'The subscription may not receive people of this profile.',
  status: 'The endpoint returned an error status.',
  timeout: 'The endpoint did not respond in time.',
  unreachable: 'The endpoint could not be reached.',
  blocked: 'The address of the endpoint is not public.',
  too_large: 'The response of the endpoint was too large.',
  breaker_open: 'The endpoint failed too often, so no request was sent.',
  unexpected: 'The attempt failed because of an internal error.',
}

/** Explains the status of a subscription or delivery. */
export function describeReason(reason: string | null): string | null {
  return reason === null ? null : (reasons[reason] ?? reason)
}
