/** Derives conversions and payments from an event by the profile's goals. Pure: the same event always gives the same rows. */
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { REFUND_EVENT } from '../events/name-rules.ts'
import type { StoredEvent } from '../events/stored.ts'
import { type Exclusion, noExclusion } from './exclusion.ts'

export type Goal = {
  id: string
  sourceEventNames: readonly string[]
  outcomeType: string
  revenueType: 'cash' | 'pipeline' | 'gross'
  attributionEligible: boolean
}

export type DerivedConversion = {
  id: string
  eventId: string
  goalId: string
  identifierId: string
  occurredAt: Date
  recordedAt: Date
  outcomeType: string
  revenueType: Goal['revenueType']
  attributionEligible: boolean
  valueMinor: number | null
  currency: string | null
  provider: string | null
  externalId: string | null
  /** Id of the event that is counted instead. */
  duplicateOf: string | null
  unconfirmed: boolean
}

export type DerivedPayment = {
  id: string
  eventId: string
  identifierId: string
  provider: string
  externalId: string | null
  orderId: string | null
  occurredAt: Date
  recordedAt: Date
  valueMinor: number
  currency: string
  status: string
  subjectRef: string | null
  fromEvents: boolean
}

export type DerivedOutcomes = { conversions: DerivedConversion[]; payment: DerivedPayment | null }

export function goalsOf(event: Pick<StoredEvent, 'name'>, goals: readonly Goal[]): Goal[] {
  if (event.name === REFUND_EVENT) return []
  return goals.filter((goal) => goal.sourceEventNames.includes(event.name))
}

/** Whether the money was received. Pending and failed payments are listed but are no outcomes. */
export function isReceived({ isBot, body }: Pick<StoredEvent, 'isBot' | 'body'>): boolean {
  const { retracted, payment_status: status = 'succeeded' } = body
  return !isBot && retracted !== true && (status === 'succeeded' || status === 'disputed')
}

export function deriveOutcomes(
  event: StoredEvent,
  identifierId: string,
  goals: readonly Goal[],
  exclusion: Exclusion = noExclusion,
): DerivedOutcomes {
  const { isBot, body } = event
  if (isBot || body.retracted === true || body.settled === true) return { conversions: [], payment: null }
  const matchingGoals = goalsOf(event, goals)
  const status = event.body.payment_status ?? 'succeeded'
  const received = isReceived(event)
  const conversions = received
    ? matchingGoals.map((goal) => toConversion(event, identifierId, goal, exclusion))
    : []
  const isCash = matchingGoals.some((goal) => goal.revenueType === 'cash')
  const paymentStatus = received ? (excludedStatus(exclusion) ?? status) : status
  return { conversions, payment: isCash ? toPayment(event, identifierId, paymentStatus) : null }
}

/** Status of received money that is not counted. */
function excludedStatus({ duplicateOf, unconfirmed }: Exclusion): 'duplicate' | 'unconfirmed' | undefined {
  if (duplicateOf.has('cash')) return 'duplicate'
  return unconfirmed ? 'unconfirmed' : undefined
}

/**
 * Derived from event and goal, prefixed with the time when the event was first received: new conversions are then
 * adjacent in every index by id.
 */
function conversionId(event: StoredEvent, goalId: string): string {
  const time = event.receivedAt.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-8${uuidv5(event.id, goalId).slice(15)}`
}

function toConversion(
  event: StoredEvent,
  identifierId: string,
  goal: Goal,
  exclusion: Exclusion,
): DerivedConversion {
  const duplicateOf = exclusion.duplicateOf.get(goal.revenueType) ?? null
  const unconfirmed = duplicateOf === null && goal.revenueType === 'cash' && exclusion.unconfirmed
  return {
    id: conversionId(event, goal.id),
    eventId: event.id,
    goalId: goal.id,
    identifierId,
    occurredAt: event.occurredAt,
    recordedAt: event.receivedAt,
    outcomeType: goal.outcomeType,
    revenueType: revenueTypeOf(event, goal),
    // Uncounted conversions are stored and explained, but are in no figure.
    attributionEligible: goal.attributionEligible && duplicateOf === null && !unconfirmed,
    duplicateOf,
    unconfirmed,
    valueMinor: event.body.money?.minor ?? null,
    currency: event.body.money?.currency ?? null,
    provider: event.provider,
    externalId: event.externalId,
  }
}

/** An event of a cash goal without an amount is an outcome (pipeline), but no payment. */
function revenueTypeOf(event: StoredEvent, goal: Goal): Goal['revenueType'] {
  return goal.revenueType === 'cash' && event.body.money === undefined ? 'pipeline' : goal.revenueType
}

/** A payment has its event's id: an event is one payment, regardless of how many goals it matches. */
function toPayment(event: StoredEvent, identifierId: string, status: string): DerivedPayment | null {
  const { money } = event.body
  if (money === undefined) return null
  return {
    id: event.id,
    eventId: event.id,
    identifierId,
    provider: event.provider ?? (event.source === 'tracker' ? 'web' : 'events'),
    externalId: event.externalId,
    orderId: event.body.order_id ?? null,
    occurredAt: event.occurredAt,
    recordedAt: event.receivedAt,
    valueMinor: money.minor,
    currency: money.currency,
    status,
    subjectRef: event.body.subject_ref ?? null,
    fromEvents: event.source === 'api',
  }
}
