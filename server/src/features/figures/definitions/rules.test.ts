import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayAt, listDays } from '../../../platform/contract/dates.ts'
import {
  type Cover,
  countPieces,
  coverBySubtraction,
  coverRange,
  moneyPer,
  ratio,
  reportedBasis,
} from './rules.ts'

const anyRange = fc
  .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 366 }))
  .map(([first, length]) => ({ from: dayAt(first), to: dayAt(first + length - 1), length }))

/** How many times each day is counted. */
function daysOf(cover: Cover): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (starts: string[], span: number, sign: number) => {
    for (const day of starts.flatMap((start) => listDays(start, addDays(start, span - 1))))
      counts.set(day, (counts.get(day) ?? 0) + sign)
  }
  for (const { span, plus, minus } of cover) {
    add(plus, span, 1)
    add(minus, span, -1)
  }
  return new Map([...counts].filter(([, count]) => count !== 0))
}

it('covers every day of any range exactly once, in few pieces', () => {
  fc.assert(
    fc.property(anyRange, ({ length, ...range }) => {
      const cover = coverRange(range)
      expect(daysOf(cover)).toEqual(new Map(listDays(range.from, range.to).map((day) => [day, 1])))
      expect(cover.every(({ minus }) => minus.length === 0)).toBe(true)
      expect(countPieces(cover)).toBeLessThanOrEqual(16 + Math.ceil(length / 25))
    }),
  )
})

it('covers a range in fewer pieces if pieces may be subtracted', () => {
  fc.assert(
    fc.property(anyRange, ({ length, ...range }) => {
      const cover = coverBySubtraction(range)
      expect([...daysOf(cover)].sort()).toEqual(listDays(range.from, range.to).map((day) => [day, 1]))
      expect(countPieces(cover)).toBeLessThanOrEqual(
        Math.min(countPieces(coverRange(range)), 9 + Math.ceil(length / 25)),
      )
    }),
  )
})

it('divides exactly, rounds half away from zero and returns null for a divisor of 0', () => {
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

it('divides small and large amounts exactly like BigInt arithmetic', () => {
  const amount = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -2_000, max: 2_000 }))
  fc.assert(
    fc.property(amount, amount, fc.constantFrom(6, 9), (top, bottom, decimals) => {
      const scale = 10 ** decimals
      const [a, b] = [BigInt(Math.abs(top)) * BigInt(scale), BigInt(Math.abs(bottom))]
      const exact = b === 0n ? null : Number((2n * a + b) / (2n * b)) / scale
      const isNegative = top < 0 !== bottom < 0 && exact !== 0
      expect(ratio(top, bottom, decimals)).toBe(isNegative && exact !== null ? -exact : exact)
    }),
    { numRuns: 1000 },
  )
})

it('each platform has a counting basis', () => {
  expect(['social', 'engine', 'shortvideo', 'microsoft', 'linkedin', 'other'].map(reportedBasis)).toEqual([
    '7d_click_1d_view',
    'conversion_action_settings',
    'ad_group_settings',
    'conversion_goal_settings',
    'conversion_rule_settings',
    'as_imported',
  ])
})
