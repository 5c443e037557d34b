import type { DataOf, getChanges } from '@whence/sdk'
import { count, money, SIGNED } from '../format/numbers.ts'

export type Changes = DataOf<typeof getChanges>
type Figures = Changes['total']['delta']
type Cause = Changes['by_cause'][number]['cause']

export const causeNames: Record<Cause, string> = {
  late_event: 'Events that arrived late',
  updated_event: 'Events that were updated',
  retraction: 'Retracted events',
  refund: 'Refunds',
  refund_undone: 'Undone refunds',
  payer_assigned: 'Payments assigned to a customer',
  merge: 'Merged customers',
  merge_undone: 'Undone merges',
  link_decided: 'Decisions about identity links',
  repair: 'Repairs',
  erasure: 'Erased people',
  settings_changed: 'Changed settings',
  goal_changed: 'Changed goals',
  spend_restated: 'Spend restated by the ad platform',
  structure_changed: 'Ads moved to another campaign or ad set',
  rate_arrived: 'Exchange rates that arrived later',
  connection_backfill: 'Past data of a connection or import',
}

/** The figures that changed, as a short text; empty if none did. */
export function changeText({ outcome_value, spend, outcome_count }: Figures, currency: string): string {
  const parts = [
    outcome_value === 0 ? '' : `${signedMoney(outcome_value, currency)} revenue`,
    outcome_count === 0 ? '' : `${count(outcome_count, SIGNED)} payments`,
    spend === 0 ? '' : `${signedMoney(spend, currency)} spend`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function signedMoney(value: number, currency: string): string {
  return value > 0 ? `+${money(value, currency)}` : money(value, currency)
}

/** Whether figures changed that people may have seen. False if there were no figures when the days closed. */
export function hasChanged({ since, total: { before }, by_cause }: Changes): boolean {
  const isFirst = before.outcome_value === 0 && before.spend === 0 && before.attributed_outcome_count === 0
  return since !== null && by_cause.length > 0 && !isFirst
}
