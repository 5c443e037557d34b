import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decayWeight, fastDecayWeight } from './decay.ts'
import { DAY_MS } from './models.ts'

it('the fast weight equals the definition for any age and half-life', () => {
  const anyAge = fc.integer({ min: 0, max: 400 * DAY_MS })
  const anyHalfLife = fc.oneof(
    fc.integer({ min: 1, max: 90 }),
    fc.double({ min: 0.01, max: 90, noNaN: true }),
  )
  fc.assert(
    fc.property(anyAge, anyHalfLife, (age, days) => {
      expect(fastDecayWeight(age, days * DAY_MS)).toBe(decayWeight(age, days * DAY_MS))
    }),
    { numRuns: 20_000 },
  )
  for (let age = 0; age < 2_000_000; age++) {
    const ageMs = age * 2477
    if (fastDecayWeight(ageMs, 7 * DAY_MS) !== decayWeight(ageMs, 7 * DAY_MS))
      expect.fail(`differs at ${ageMs} ms`)
  }
})

it('the fast weight leaves a doubtful edge between two whole numbers to the definition', () => {
  // Ages where the series alone rounds to the other side.
  for (const ageMs of [140_675_816, 259_916_876, 423_531_693, 720_531_298, 872_520_053, 1_494_596_582]) {
    expect(fastDecayWeight(ageMs, 7 * DAY_MS)).toBe(decayWeight(ageMs, 7 * DAY_MS))
  }
})

it('a weight halves with each half-life and never falls below 1', () => {
  expect([0, 1, 2, 31, 32, 33, 34, 1000].map((halvings) => decayWeight(halvings, 1))).toEqual([
    2 ** 32,
    2 ** 31,
    2 ** 30,
    2,
    1,
    1,
    1,
    1,
  ])
})
