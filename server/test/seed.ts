import { randomInt } from 'node:crypto'

/** The default seed is fixed, so that a test fails only because of a change. */
const USUAL = 20_261_117

/** `SEED`, or a new one in every run with `SEED=random`. */
export const startingSeed = (): number =>
  process.env.SEED === 'random' ? randomInt(2 ** 31) : Number(process.env.SEED ?? USUAL)

/** The seed of a random test. It is printed instead of being part of the test's name, because names are compared between runs. */
export function printedSeed(testName: string): number {
  const seed = startingSeed()
  process.stdout.write(`${testName}: SEED=${seed}\n`)
  return seed
}
