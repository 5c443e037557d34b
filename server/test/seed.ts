import { randomInt } from 'node:crypto'

/** The seed of a run that sets none, so that only a change turns a test red. */
const USUAL = 20_261_117

/** `SEED`; with `SEED=random` new in every run. */
export const startingSeed = (): number =>
  process.env.SEED === 'random' ? randomInt(2 ** 31) : Number(process.env.SEED ?? USUAL)

/** What a random test starts from. It is printed and not part of the test's name: names are compared between two runs. */
export function printedSeed(of: string): number {
  const seed = startingSeed()
  process.stdout.write(`${of}: SEED=${seed}\n`)
  return seed
}
