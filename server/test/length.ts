/**
 * Some tests have two lengths. `npm test` runs the short one; `npm run test:long` runs every file that imports this
 * one at full length, together with the files named *.long.test.ts. It repeats nothing that `npm test` has run.
 */
import { it } from 'vitest'

const isLong = process.env.TEST_LENGTH === 'long'

/** Number of rounds, worlds or steps. */
export const depth = (short: number, long: number): number => (isLong ? long : short)

/** Numbers of rounds or worlds: `npm test` runs the first `short` of them, the long run the rest up to `long`. */
export function roundsForRun(first: number, short: number, long: number): number[] {
  const [from, to] = isLong ? [short, long] : [0, short]
  return Array.from({ length: to - from }, (_, index) => first + from + index)
}

/** Members of a list, split between the runs in the same way. */
export function splitForRun<T>(all: readonly T[], short: number): T[] {
  return roundsForRun(0, short, all.length).map((index) => all[index]!)
}

/** Seeds of worlds, split between the runs in the same way, unless `SEED` and `WORLDS` are set. */
export function seedsForRun(first: number, short: number, long: number): number[] {
  const { SEED, WORLDS } = process.env
  if (SEED === undefined && WORLDS === undefined) return roundsForRun(first, short, long)
  const length = Number(WORLDS ?? depth(short, long))
  return Array.from({ length }, (_, index) => Number(SEED ?? first) + index)
}

/** A test of the long run only. Note that `longIt.runIf(true)` runs in both; use `it.skip` explicitly. */
export const longIt = isLong ? it : it.skip

/** A test with one length in a file with others that have two; the long run does not repeat it. */
export const shortIt = isLong ? it.skip : it
