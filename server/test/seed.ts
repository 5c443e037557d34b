import { randomInt } from 'node:crypto'

/**
 * What a random test starts from: `SEED` when it is set, else new in every run. It is printed and not part of
 * the test's name, because the names are compared between two runs.
 */
export function printedSeed(of: string): number {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  process.stdout.write(`${of}: SEED=${seed}\n`)
  return seed
}
