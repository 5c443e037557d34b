/** Which event names look like a mistake: pure. */
import { nearestName } from '../../../platform/contract/near-name.ts'

export type EventWarning = { code: 'unknown_event_name' | 'money_not_counted'; message: string }

/** Names that make visits and identities, and never a conversion by themselves. */
const plainNames = ['page_view', 'visit', 'identify', 'session_start', 'form_submit', 'click', 'ad_referral']

/** Money under a name that no goal counts, or a name close to one that a goal counts. */
export function warningsOf(
  event: { name: string; hasMoney: boolean },
  goals: ReadonlyMap<string, unknown>,
): EventWarning[] {
  const { name, hasMoney } = event
  if (goals.has(name)) return []
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
