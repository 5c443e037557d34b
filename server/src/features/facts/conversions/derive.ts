/** What an event means under the profile's goals: pure, so that the same event always makes the same rows. */
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import type { StoredEvent } from '../events/stored.ts'
import { counted, type Exclusion } from './exclusion.ts'

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
  /** The event that counts in its place. */
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

export type Derived = { conversions: DerivedConversion[]; payment: DerivedPayment | null }

export function goalsOf(event: Pick<StoredEvent, 'name'>, goals: readonly Goal[]): Goal[] {
  return goals.filter((goal) => goal.sourceEventNames.includes(event.name))
}

/** Money that has not arrived is listed as a payment, but is no outcome yet. */
export function hasArrived({ isBot, body }: Pick<StoredEvent, 'isBot' | 'body'>): boolean {
  const { retracted, payment_status: status = 'succeeded' } = body
  return !isBot && retracted !== true && (status === 'succeeded' || status === 'disputed')
}

export function deriveOutcomes(
  event: StoredEvent,
  identifierId: string,
  goals: readonly Goal[],
  exclusion: Exclusion = counted,
): Derived {
  const { isBot, body } = event
  if (isBot || body.retracted === true || body.settled === true) return { conversions: [], payment: null }
  const own = goalsOf(event, goals)
  const status = event.body.payment_status ?? 'succeeded'
  const arrived = hasArrived(event)
  const conversions = arrived ? own.map((goal) => toConversion(event, identifierId, goal, exclusion)) : []
  const isCash = own.some((goal) => goal.revenueType === 'cash')
  const paymentStatus = arrived ? (statusOfExcluded(exclusion) ?? status) : status
  return { conversions, payment: isCash ? toPayment(event, identifierId, paymentStatus) : null }
}

/** Why money that arrived does not count. */
function statusOfExcluded({ duplicateOf, unconfirmed }: Exclusion): 'duplicate' | 'unconfirmed' | undefined {
  if (duplicateOf.has('cash')) return 'duplicate'
  return unconfirmed ? 'unconfirmed' : undefined
}

/**
 * The event and the goal make it, behind the time when the event was first received: new conversions are then
 * neighbours in every index by id, however many there are.
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
    // One that does not count is kept and explained, and is no part of any number.
    attributionEligible: goal.attributionEligible && duplicateOf === null && !unconfirmed,
    duplicateOf,
    unconfirmed,
    valueMinor: event.body.money?.minor ?? null,
    currency: event.body.money?.currency ?? null,
    provider: event.provider,
    externalId: event.externalId,
  }
}

/** Cash is money that came: an event of a cash goal without an amount is an outcome, but no payment. */
function revenueTypeOf(event: StoredEvent, goal: Goal): Goal['revenueType'] {
  return goal.revenueType === 'cash' && event.body.money === undefined ? 'pipeline' : goal.revenueType
}

/** A payment has its event's id: one event brings money once, however many goals it reaches. */
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
