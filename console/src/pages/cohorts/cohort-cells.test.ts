import { expect, it } from 'vitest'
import { shareOf, yearTo } from './cohort-cells.ts'

const row = { size: 4, spend: 200, cumulative_revenue: [100, 300, null], paying_customers: [4, 1, null] }

it('shows revenue per customer, the part paid back and who paid, and nothing for a month that runs', () => {
  expect([0, 1, 2].map((month) => shareOf(row, month, 'revenue'))).toEqual([25, 75, null])
  expect([0, 1, 2].map((month) => shareOf(row, month, 'payback'))).toEqual([0.5, 1.5, null])
  expect([0, 1, 2].map((month) => shareOf(row, month, 'retention'))).toEqual([1, 0.25, null])
  expect(shareOf({ ...row, spend: 0 }, 0, 'payback')).toBeNull()
})

it('asks for the twelve months that end with the day, within what a report answers', () => {
  expect(yearTo('2026-11-16')).toEqual({ from: '2025-12-01', to: '2026-11-16' })
  expect(yearTo('2024-02-29')).toEqual({ from: '2023-03-01', to: '2024-02-29' })
})
