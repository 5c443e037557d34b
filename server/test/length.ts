/**
 * Some tests have two lengths. `npm test` runs the short one; `npm run test:long` runs every file that imports this
 * one again at full length, together with the files named *.long.test.ts.
 */
import { it } from 'vitest'

const isLong = process.env.TEST_LENGTH === 'long'

/** How many rounds, worlds or steps. */
export const depth = (short: number, long: number): number => (isLong ? long : short)

/** A test that only the long run has. */
export const longIt = isLong ? it : it.skip
