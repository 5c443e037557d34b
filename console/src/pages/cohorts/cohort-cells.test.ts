import { expect, it } from 'vitest'
import { lastObservedDay, shareOf, yearTo } from './cohort-cells.ts'

const row = { size: 4, spend: 200, cumulative_revenue: [100, 300, null], paying_customers: [4, 1, null] }

it('computes revenue per customer, payback and retention, and null for an unfinished month', () => {
  expect([0, 1, 2].map((month) => shareOf(row, month, 'revenue'))).toEqual([25, 75, null])
  expect([0, 1, 2].map((month) => shareOf(row, month, 'payback'))).toEqual([0.5, 1.5, null])
  expect([0, 1, 2].map((month) => shareOf(row, month, 'retention'))).toEqual([1, 0.25, null])
  expect(shareOf({ ...row, spend: 0 }, 0, 'payback')).toBeNull()
})

it('covers the twelve months that end with the day, within the limit of a report', () => {
  expect(yearTo('2026-11-16')).toEqual({ from: '2025-12-01', to: '2026-11-16' })
  expect(yearTo('2024-02-29')).toEqual({ from: '2023-03-01', to: '2024-02-29' })
})

it('ends before months in which some customers are not followed long enough, and never after the chosen day', () => {
  expect([1, 3, 6].map((months) => lastObservedDay('2026-11-16', '2026-11-16', months))).toEqual([
    '2026-10-31',
    '2026-08-31',
    '2026-05-31',
  ])
  expect(lastObservedDay('2026-02-10', '2026-11-16', 3)).toBe('2026-02-10')
  expect(lastObservedDay('2027-01-31', '2027-01-31', 3)).toBe('2026-10-31')
})
