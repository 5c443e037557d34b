/**
 * Variance of sums of daily counts under autocorrelation. Counts of real accounts are overdispersed relative to
 * Poisson: buyers bring several outcomes, and days have correlated common variation.
 */
import type { Counted } from './gamma-poisson.ts'

/**
 * Long-run variance of a series' sum from its lowest-frequency cosine projections, each with one degree of freedom
 * (equal-weighted cosines; Lazarus, Lewis, Stock and Watson 2018).
 */
export function varianceOfSum(
  series: readonly number[],
  degrees = Math.max(3, Math.min(8, Math.floor(series.length / 6))),
): { variance: number; degrees: number } {
  const n = series.length
  let sum = 0
  for (let wave = 1; wave <= degrees; wave++) {
    let projection = 0
    series.forEach((value, index) => {
      projection += value * Math.cos((Math.PI * wave * (index + 0.5)) / n)
    })
    sum += 2 * projection ** 2
  }
  return { variance: sum / degrees, degrees }
}

/** Ratio of the variance of a member's total to that of a Poisson count, at least 1, with its degrees of freedom. */
export type Dispersion = { ratio: number; degrees: number }

/** Days per cosine: higher frequencies miss persistent variation. */
const DAYS_PER_WAVE = 10
/** Maximum weight of the peer group's estimate, in degrees of freedom. */
const MAX_PEER_GROUP_DEGREES = 12
/** A member with this many outcomes has half weight in the peer group's estimate. */
const HALF_WEIGHT_COUNT = 10

/**
 * Dispersion of each member from its own days (one entry per day, all of the same length), shrunk towards the peer
 * group: common daily variation grows with the square of a member's size and variation of buyers with its size, so
 * the peer group's ratio is a line a + b × size.
 */
export function dispersionsOf(members: Iterable<readonly Counted[]>): Dispersion[] {
  const estimates = Array.from(members, ownDispersion)
  const line = fitLine(estimates)
  const totalDegrees = estimates.reduce((sum, { weight, degrees }) => sum + weight * degrees, 0)
  return estimates.map(({ ratio, size, weight, degrees }) => {
    const ownDegrees = weight * degrees
    const prior = Math.min(MAX_PEER_GROUP_DEGREES, totalDegrees - ownDegrees)
    const total = prior + ownDegrees
    const expected = line.constant + line.perSize * size
    return {
      ratio: total === 0 ? 1 : Math.max(1, (expected * prior + ratio * ownDegrees) / total),
      degrees: Math.max(1, total),
    }
  })
}

function ownDispersion(days: readonly Counted[]) {
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const exposure = days.reduce((sum, day) => sum + day.exposure, 0)
  const rate = exposure === 0 ? 0 : count / exposure
  const expected = days.map((day) => rate * day.exposure)
  const { variance, degrees } = varianceOfSum(
    days.map((day, index) => day.count - expected[index]!),
    Math.max(2, Math.min(8, Math.floor(days.length / DAYS_PER_WAVE))),
  )
  return {
    ratio: count === 0 ? 0 : variance / count,
    size: count === 0 ? 0 : expected.reduce((sum, value) => sum + value ** 2, 0) / count,
    weight: count / (count + HALF_WEIGHT_COUNT),
    degrees,
  }
}

type Estimate = ReturnType<typeof ownDispersion>

/** Weighted least squares with a constant of at least 1 and no falling line. */
function fitLine(estimates: readonly Estimate[]): { constant: number; perSize: number } {
  const sum = (value: (estimate: Estimate) => number) =>
    estimates.reduce((total, estimate) => total + estimate.weight * value(estimate), 0)
  const weight = sum(() => 1)
  if (weight === 0) return { constant: 1, perSize: 0 }
  const [x, y] = [sum(({ size }) => size) / weight, sum(({ ratio }) => ratio) / weight]
  const across = sum(({ size }) => (size - x) ** 2)
  const slope = across === 0 ? 0 : sum(({ size, ratio }) => (size - x) * (ratio - y)) / across
  if (slope <= 0) return { constant: Math.max(1, y), perSize: 0 }
  if (y - slope * x >= 1) return { constant: y - slope * x, perSize: slope }
  return {
    constant: 1,
    perSize: Math.max(0, sum(({ size, ratio }) => size * (ratio - 1)) / sum(({ size }) => size ** 2)),
  }
}
