/** Draws that planted worlds are made of, from a seeded chance. */
import type { Random } from '../../src/platform/seeded-random.ts'

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** By multiplication where small; a large mean is drawn in halves, whose sum has the same distribution. */
export function drawPoisson(random: Random, mean: number): number {
  if (mean > 30) return drawPoisson(random, mean / 2) + drawPoisson(random, mean / 2)
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random.next(); product > limit; product *= random.next()) count++
  return count
}

/** Each value remembers the one before it by `rho`; the deviation is that of a single value. */
export function drawSeries(random: Random, length: number, deviation: number, rho: number): number[] {
  const fresh = deviation * Math.sqrt(1 - rho * rho)
  const series: number[] = []
  for (let index = 0; index < length; index++) {
    const before = series.at(-1)
    series.push(
      before === undefined ? deviation * drawNormal(random) : rho * before + fresh * drawNormal(random),
    )
  }
  return series
}
