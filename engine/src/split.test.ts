import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyHugeAmount } from '../test/worlds.ts'
import { splitEvenlyInto, splitMinor } from './split.ts'

const anyWeight = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 2 ** 32 }),
  fc.integer({ min: 1, max: 2 ** 44 }),
  fc.constant(2 ** 32),
)
const anyWeights = fc.array(anyWeight, { minLength: 1, maxLength: 40 })

/** Largest remainder method in BigInt arithmetic. */
function exactly(amountMinor: number, weights: readonly number[]): number[] {
  const sign = amountMinor < 0 ? -1n : 1n
  const magnitude = BigInt(amountMinor) * sign
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  const parts = weights.map((weight, i) => {
    const product = magnitude * BigInt(weight)
    return { i, part: product / total, remainder: product % total }
  })
  const unassigned = Number(magnitude - parts.reduce((sum, { part }) => sum + part, 0n))
  const byRemainder = parts.toSorted((a, b) =>
    a.remainder === b.remainder ? a.i - b.i : a.remainder < b.remainder ? 1 : -1,
  )
  for (const part of byRemainder.slice(0, unassigned)) part.part += 1n
  return parts.map(({ part }) => Number(part * sign))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + BigInt(value), 0n)

describe('splitting money', () => {
  it('equals the largest remainder method exactly, for any safe amount and weights', () => {
    fc.assert(
      fc.property(anyHugeAmount, anyWeights, (amount, weights) => {
        expect(splitMinor(amount, weights)).toEqual(exactly(amount, weights))
      }),
      { numRuns: 5000 },
    )
  })

  it('gives parts that sum to the whole, negative and huge amounts included', () => {
    fc.assert(
      fc.property(anyHugeAmount, anyWeights, (amount, weights) => {
        expect(sum(splitMinor(amount, weights))).toBe(BigInt(amount))
      }),
      { numRuns: 5000 },
    )
  })

  it('splits a refund like the sale, negated', () => {
    fc.assert(
      fc.property(anyHugeAmount, anyWeights, (amount, weights) => {
        const mirrored = splitMinor(-amount, weights).map((part) => 0 - part)
        expect(mirrored).toEqual(splitMinor(amount, weights))
      }),
    )
  })

  it('splitEvenlyInto equals equal weights', () => {
    fc.assert(
      fc.property(anyHugeAmount, fc.integer({ min: 1, max: 60 }), (amount, count) => {
        const parts = new Float64Array(count + 1)
        splitEvenlyInto(amount, count, parts, 1)
        expect(Array.from(parts.subarray(1))).toEqual(splitMinor(amount, new Array(count).fill(1)))
      }),
      { numRuns: 2000 },
    )
  })

  it('assigns remaining units to the largest remainders, ties to the earlier part', () => {
    expect(splitMinor(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(splitMinor(-100, [1, 1, 1])).toEqual([-34, -33, -33])
    expect(splitMinor(101, [1, 1, 1])).toEqual([34, 34, 33])
    expect(splitMinor(10, [1, 2, 4])).toEqual([1, 3, 6])
    expect(splitMinor(1, [1, 3])).toEqual([0, 1])
    expect(splitMinor(0, [1, 2])).toEqual([0, 0])
    expect(splitMinor(-1, [3, 1])).toEqual([-1, 0])
  })

  it('rejects weights that are too large for exact results', () => {
    expect(() => splitMinor(Number.MAX_SAFE_INTEGER, [2 ** 51, 1])).toThrow('2^50')
  })

  it('stays exact over thousands of parts', () => {
    const weights = Array.from({ length: 5000 }, (_, i) => (i % 97) + 1)
    const amount = 123_457
    expect(splitMinor(amount, weights)).toEqual(exactly(amount, weights))
  })
})
