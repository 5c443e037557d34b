/** What an event means under the profile's goals: pure, so that the same event always makes the same rows. */
import { uuidv5 } from '../../secrets/uuid5.ts'
import type { StoredEvent } from '../events/stored.ts'

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

export function deriveOutcomes(event: StoredEvent, identifierId: string, goals: readonly Goal[]): Derived {
  if (event.isBot || event.body.retracted === true) return { conversions: [], payment: null }
  const own = goals.filter((goal) => goal.sourceEventNames.includes(event.name))
  const status = event.body.payment_status ?? 'succeeded'
  // Money that has not arrived is listed as a payment, but is no outcome yet.
  const arrived = status === 'succeeded' || status === 'disputed'
  const conversions = arrived ? own.map((goal) => toConversion(event, identifierId, goal)) : []
  const isCash = own.some((goal) => goal.revenueType === 'cash')
  return { conversions, payment: isCash ? toPayment(event, identifierId, status) : null }
}

/**
 * The event and the goal make it, behind the time when the event was first received: new conversions are then
 * neighbours in every index by id, however many there are.
 */
function conversionId(event: StoredEvent, goalId: string): string {
  const time = event.receivedAt.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-8${uuidv5(event.id, goalId).slice(15)}`
}

function toConversion(event: StoredEvent, identifierId: string, goal: Goal): DerivedConversion {
  return {
    id: conversionId(event, goal.id),
    eventId: event.id,
    goalId: goal.id,
    identifierId,
    occurredAt: event.occurredAt,
    recordedAt: event.receivedAt,
    outcomeType: goal.outcomeType,
    revenueType: goal.revenueType,
    attributionEligible: goal.attributionEligible,
    valueMinor: event.body.money?.minor ?? null,
    currency: event.body.money?.currency ?? null,
    provider: event.provider,
    externalId: event.externalId,
  }
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
