/** Random draws for planted worlds, from a seeded generator. */
import type { Random } from '../../src/platform/seeded-random.ts'

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** By multiplication for small means; a large mean is drawn in halves, whose sum has the same distribution. */
export function drawPoisson(random: Random, mean: number): number {
  if (mean > 30) return drawPoisson(random, mean / 2) + drawPoisson(random, mean / 2)
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random.next(); product > limit; product *= random.next()) count++
  return count
}

/** An AR(1) series with autocorrelation `rho`; `deviation` is the marginal standard deviation. */
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
