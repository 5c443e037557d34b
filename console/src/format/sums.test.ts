import { expect, it } from 'vitest'
import { sumMoney } from './sums.ts'

it('adds amounts without binary rounding errors', () => {
  expect(sumMoney([0.1, 0.2])).toBe(0.3)
  expect(sumMoney([100.01, -100])).toBe(0.01)
})
