/** Which event names look like a mistake: pure. */
import type { RevenueType } from '../../../platform/contract/fields.ts'
import { nearestName } from '../../../platform/contract/near-name.ts'

export type EventWarning = {
  code: 'unknown_event_name' | 'money_not_counted' | 'value_missing'
  message: string
}
type Goals = ReadonlyMap<string, readonly { revenue_type: RevenueType }[]>

/** Names that make visits and identities, and never a conversion by themselves. */
const plainNames = ['page_view', 'visit', 'identify', 'session_start', 'form_submit', 'click', 'ad_referral']

/** Money under a name that no goal counts, a name close to one that a goal counts, or a sale without its money. */
export function warningsOf(event: { name: string; hasMoney: boolean }, goals: Goals): EventWarning[] {
  const { name, hasMoney } = event
  const ownGoals = goals.get(name)
  if (ownGoals !== undefined) return hasMoney ? [] : valueWarnings(name, ownGoals)
  const nearest = plainNames.includes(name) ? undefined : nearestName(name, goals.keys())
  if (nearest !== undefined)
    return [
      {
        code: 'unknown_event_name',
        message: `event_name: no goal counts ${name}, so it makes no conversion. Did you mean ${nearest}?`,
      },
    ]
  if (!hasMoney) return []
  return [
    {
      code: 'money_not_counted',
      message: `event_name: no goal counts ${name}, so its value is no revenue. Create a goal for it, or send one of ${[...goals.keys()].slice(0, 10).join(', ')}.`,
    },
  ]
}

/** A lead may have no value; cash and gross are sums of money. */
function valueWarnings(name: string, goals: readonly { revenue_type: RevenueType }[]): EventWarning[] {
  const counted = goals.find(({ revenue_type: type }) => type !== 'pipeline')
  if (counted === undefined) return []
  return [
    {
      code: 'value_missing',
      message: `properties.value: ${name} counts as ${counted.revenue_type}, and without a value it adds no revenue. Send its value: the same idempotency_key replaces this event.`,
    },
  ]
}
