import { expect, it } from 'vitest'
import { decayWeight } from './decay.ts'

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
