/** Causes of changed figures of closed days, and references to the facts behind them. */
export const causes = [
  'late_event',
  'updated_event',
  'retraction',
  'refund',
  'refund_undone',
  'payer_assigned',
  'merge',
  'merge_undone',
  'link_decided',
  'repair',
  'erasure',
  'settings_changed',
  'goal_changed',
  'spend_restated',
  'structure_changed',
  'rate_arrived',
  'connection_backfill',
] as const
export type Cause = (typeof causes)[number]

export const factTypes = ['conversion', 'payment', 'merge', 'recompute', 'connection'] as const

/** Reference to the fact behind a change, never to a person. */
export type Fact = { type: (typeof factTypes)[number]; id: string }
export type Reason = { cause: Cause; fact: Fact | null }
