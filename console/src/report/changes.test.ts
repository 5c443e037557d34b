import { expect, it } from 'vitest'
import { type Changes, changeText, hasChanged } from './changes.ts'

const none = { outcome_count: 0, attributed_outcome_count: 0, outcome_value: 0, spend: 0 }
const some = { ...none, attributed_outcome_count: 2, outcome_count: 2, outcome_value: 80 }

it('lists only figures that changed', () => {
  expect(changeText({ ...some, outcome_value: -12.5, spend: 3 }, 'EUR')).toBe(
    '−€12.50 revenue, +2 payments, +€3.00 spend',
  )
  expect(changeText(none, 'EUR')).toBe('')
})

it('is true only for figures that existed when the days closed and changed later', () => {
  const change = { cause: 'refund' as const, delta: { ...none, outcome_value: -5 }, examples: [] }
  const total = { before: some, after: some, delta: none }
  const changes: Changes = { since: '2026-05-03T00:00:00Z', total, by_cause: [change], rows: [] }
  expect(hasChanged(changes)).toBe(true)
  expect(hasChanged({ ...changes, since: null })).toBe(false)
  expect(hasChanged({ ...changes, by_cause: [] })).toBe(false)
  expect(hasChanged({ ...changes, total: { ...total, before: none } })).toBe(false)
})
