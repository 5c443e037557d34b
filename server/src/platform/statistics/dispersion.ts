/**
 * How far sums of days stray, whatever the days remember of one another. Counts of real accounts vary more than Poisson
 * counts: buyers bring several outcomes, days have moods, and moods last.
 */
import type { Counted } from './gamma-poisson.ts'

/**
 * The variance of a series' sum, read at its slowest waves, each of which is one degree of freedom (equal-weighted
 * cosines; Lazarus, Lewis, Stock and Watson 2018).
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

/** The variance of a member's total over that of a Poisson count, at least 1, and how well it is known. */
export type Dispersion = { ratio: number; degrees: number }

/** Waves shorter than twice this many days miss moods that last. */
const DAYS_PER_WAVE = 10
/** An own estimate from few waves counts next to so many degrees of freedom of the peer group's. */
const MAX_COHORT_DEGREES = 12
/** A member with so few outcomes counts half in the peer group's estimate. */
const HALF_WEIGHT_COUNT = 10

/**
 * Of each member from its own days (an entry per day of the same length, read once), steadied by the peer group's: noise of days grows
 * with the square of a member's size and noise of buyers with its size, so that the peer group's ratio is a line a + b × size.
 */
export function dispersionsOf(members: Iterable<readonly Counted[]>): Dispersion[] {
  const own = Array.from(members, ownDispersion)
  const line = fitLine(own)
  const known = own.reduce((sum, { weight, degrees }) => sum + weight * degrees, 0)
  return own.map(({ ratio, size, weight, degrees }) => {
    const ofOwn = weight * degrees
    const prior = Math.min(MAX_COHORT_DEGREES, known - ofOwn)
    const total = prior + ofOwn
    const expected = line.constant + line.perSize * size
    return {
      ratio: total === 0 ? 1 : Math.max(1, (expected * prior + ratio * ofOwn) / total),
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

type Own = ReturnType<typeof ownDispersion>

/** Weighted least squares with a constant of at least 1 and no falling line. */
function fitLine(own: readonly Own[]): { constant: number; perSize: number } {
  const sum = (of: (one: Own) => number) => own.reduce((total, one) => total + one.weight * of(one), 0)
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
