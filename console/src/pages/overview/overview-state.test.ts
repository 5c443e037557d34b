import { expect, it } from 'vitest'
import { overviewState } from './overview-state.ts'

const nothing = { spend: 0, payments: 0 }
const todo = [
  { step: 'attribution_enabled', state: 'done' },
  { step: 'ad_platform_connected', state: 'todo' },
] as const
const done = [{ step: 'ad_platform_connected', state: 'done' }] as const
const broken = [{ step: 'ad_platform_connected', state: 'attention' }] as const
const idle = {
  last_success_at: null,
  complete_until: null,
  last_attempt_at: null,
  last_error: null,
  next_run_at: null,
  progress: null,
  set_aside: { records: 0, last_reason: null },
}
const syncing = [{ status: 'connected', sync: { ...idle, state: 'running' } }] as const
const synced = [
  { status: 'connected', sync: { ...idle, state: 'running', last_success_at: '2026-05-01T00:00:00.000Z' } },
] as const

it.each([
  ['figures', { totals: { spend: 1, payments: 0 }, steps: todo, connections: [] }],
  ['figures', { totals: { spend: null, payments: 0 }, steps: todo, connections: [] }],
  ['figures', { totals: undefined, steps: todo, connections: [] }],
  ['set_up', { totals: nothing, steps: todo, connections: [] }],
  ['no_data_in_range', { totals: nothing, steps: done, connections: [] }],
  ['no_data_in_range', { totals: nothing, steps: broken, connections: synced }],
  ['first_sync', { totals: nothing, steps: done, connections: syncing }],
  ['first_sync', { totals: nothing, steps: todo, connections: syncing }],
] as const)('shows %s', (expected, input) => {
  expect(overviewState(input)).toBe(expected)
})
