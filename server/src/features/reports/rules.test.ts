import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayAt, listDays } from '../../contract/dates.ts'
import { coverRange, moneyPer, ratio } from './rules.ts'

it('covers every day of any range exactly once, in few pieces', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 366 }), (first, length) => {
      const range = { from: dayAt(first), to: dayAt(first + length - 1) }
      const cover = coverRange(range)
      const days = [
        ...cover.days,
        ...cover.starts.flatMap(({ span, starts }) =>
          starts.flatMap((start) => listDays(start, addDays(start, span - 1))),
        ),
      ]
      expect(days.sort()).toEqual(listDays(range.from, range.to))
      const pieces = cover.days.length + cover.starts.reduce((sum, { starts }) => sum + starts.length, 0)
      expect(pieces).toBeLessThanOrEqual(16 + Math.ceil(length / 25))
    }),
  )
})

it('divides exactly, rounds half away from zero and knows no division by 0', () => {
  expect([ratio(1, 3), ratio(2, 3), ratio(-2, 3), ratio(5, 0), ratio(0, -4)]).toEqual([
    0.333333,
    0.666667,
    -0.666667,
    null,
    0,
  ])
  expect(ratio(1, 2_000_000)).toBe(0.000001)
  expect([moneyPer(1000, 3, 'EUR'), moneyPer(1000, 3, 'JPY'), moneyPer(1, 0, 'EUR')]).toEqual([
    3.333333,
    333.333333,
    null,
  ])
})
