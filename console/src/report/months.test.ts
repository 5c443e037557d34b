import { expect, it } from 'vitest'
import { monthGrid, shiftMonth } from './months.ts'

it('starts the grid on a Monday', () => {
  expect(monthGrid('2026-03')[0]).toBe('2026-02-23')
  expect(monthGrid('2026-06')[0]).toBe('2026-06-01')
})

it.each([
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2025-12-15', 1, '2026-01-15'],
  ['2026-03-20', 1, '2026-04-10'],
])('%s shifted by %i months is %s', (day, months, expected) => {
  expect(shiftMonth(day, months, '2026-04-10')).toBe(expected)
})
