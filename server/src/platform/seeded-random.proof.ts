/** All simulated worlds use this generator; with a biased one the proofs would be meaningless. */
import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const chiSquare = (counts: readonly number[], expected: number) =>
  counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)

it('draws are uniform and independent', () => {
  const bins = 16
  const draws = 20_000
  let rejected = 0
  for (let seed = 0; seed < 200; seed++) {
    const random = seededRandom('evenness', seed)
    const single = new Array<number>(bins).fill(0)
    const pairs = new Array<number>(bins * bins).fill(0)
    let before = Math.floor(random.next() * bins)
    for (let draw = 0; draw < draws; draw++) {
      const bin = Math.floor(random.next() * bins)
      single[bin]!++
      pairs[before * bins + bin]!++
      before = bin
    }
    // The 99 % points of χ² with 15 and with 255 degrees of freedom.
    if (chiSquare(single, draws / bins) > 30.58) rejected++
    if (chiSquare(pairs, draws / (bins * bins)) > 310.46) rejected++
  }
  // Of 400 tests at 1 % four reject by chance; 13 or more happen by chance once in 10,000 times.
  expect(rejected).toBeLessThan(13)
})
