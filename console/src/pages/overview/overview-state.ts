import type { Connection, ReadinessStep } from '@whence/sdk'

/** What the overview shows above or instead of its figures. Only a profile that never had data sees the set-up. */
export type OverviewState = 'figures' | 'set_up' | 'first_sync' | 'no_data_in_range'

export function overviewState(input: {
  /** Undefined while it loads. */
  totals: { spend: number | null; payments: number } | undefined
  steps: readonly Pick<ReadinessStep, 'step' | 'state'>[] | undefined
  connections: readonly Pick<Connection, 'status' | 'sync'>[] | undefined
}): OverviewState {
  const { totals, steps, connections } = input
  if (totals === undefined || totals.spend !== 0 || totals.payments !== 0) return 'figures'
  if (steps === undefined || connections === undefined) return 'figures'
  const isFirst = ({ sync }: Pick<Connection, 'sync'>) =>
    sync.last_success_at === null && (sync.state === 'queued' || sync.state === 'running')
  if (connections.some(isFirst)) return 'first_sync'
  const isStarted = steps.some(({ step, state }) => step !== 'attribution_enabled' && state !== 'todo')
  return isStarted ? 'no_data_in_range' : 'set_up'
}
