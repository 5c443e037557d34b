/** Warnings for event names that look like a mistake. Pure. */
import type { RevenueType } from '../../../platform/contract/fields.ts'
import { nearestName } from '../../../platform/contract/near-name.ts'

export type EventWarning = {
  code: 'unknown_event_name' | 'money_not_counted' | 'value_missing' | 'no_identity'
  message: string
}
/** Reduces the payments of its order; never a conversion itself. */
export const REFUND_EVENT = 'refund'

type Goals = ReadonlyMap<string, readonly { revenue_type: RevenueType }[]>

/** Names that create visits and identities, but no conversions by default. */
const plainNames = ['page_view', 'visit', 'identify', 'session_start', 'form_submit', 'click', 'ad_referral']

/** Warns of money that no goal counts, a misspelled name, or a sale without a value. */
export function warningsOf(event: { name: string; hasMoney: boolean }, goals: Goals): EventWarning[] {
  const { name, hasMoney } = event
  if (name === REFUND_EVENT) return []
  const matchingGoals = goals.get(name)
  if (matchingGoals !== undefined) return hasMoney ? [] : valueWarnings(name, matchingGoals)
  const nearest = plainNames.includes(name) ? undefined : nearestName(name, goals.keys())
  if (nearest !== undefined)
    return [
      {
        code: 'unknown_event_name',
        message: `event_name: no goal counts ${name}, so it is no conversion. Did you mean ${nearest}?`,
      },
    ]
  if (!hasMoney) return []
  return [
    {
      code: 'money_not_counted',
      message: `event_name: no goal counts ${name}, so its value is not counted as revenue. Create a goal for it, or send one of ${[...goals.keys()].slice(0, 10).join(', ')}.`,
    },
  ]
}

/** An outcome without a person is counted, and no ad can ever be credited with it. */
export function identityWarnings(
  event: { name: string; hasIdentity: boolean; phone: string | null },
  goals: Goals,
): EventWarning[] {
  if (event.hasIdentity || goals.get(event.name) === undefined || event.name === REFUND_EVENT) return []
  const cause =
    event.phone === null
      ? 'Send anonymous_id, or email, phone or external_id in user_traits'
      : 'The phone number cannot be read: send it with its country code (+34…), or country next to it'
  return [
    {
      code: 'no_identity',
      message: `user_traits: this outcome names no person, so it is counted and no ad can be credited with it. ${cause}; the same idempotency_key replaces this event.`,
    },
  ]
}

/** Cash and gross goals need a value; pipeline goals do not. */
function valueWarnings(name: string, goals: readonly { revenue_type: RevenueType }[]): EventWarning[] {
  const revenueGoal = goals.find(({ revenue_type: type }) => type !== 'pipeline')
  if (revenueGoal === undefined) return []
  return [
    {
      code: 'value_missing',
      message: `properties.value: ${name} counts as ${revenueGoal.revenue_type} and adds no revenue without a value. Send a value; the same idempotency_key replaces this event.`,
    },
  ]
}
