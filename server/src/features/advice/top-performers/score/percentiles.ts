/**
 * Percentile of an ad's rate in its peer group: the mean of P(own rate > other rate) over the others. Each posterior is
 * approximated by sixteen points of equal probability, so that one sort replaces an integral per pair.
 */
import { gammaQuantile, normalQuantile } from '../../../../platform/statistics/distributions.ts'

const POINTS = 16
const probabilities = Array.from({ length: POINTS }, (_, index) => (index + 0.5) / POINTS)
const deviates = probabilities.map(normalQuantile)

/** From this shape on, the cube root of a Gamma variable is approximately normal (Wilson and Hilferty): within 1 % at 2. */
const ROOT_FROM = 2
const TABLE_FROM = 1e-3
const TABLE_STEPS = 96
const tableStep = Math.log(ROOT_FROM / TABLE_FROM) / TABLE_STEPS
/** Logarithms of the points for small shapes, computed once and interpolated in between. */
let table: number[][] | undefined
const tableRow = (index: number) =>
  probabilities.map((probability) =>
    Math.log(Math.max(1e-24, gammaQuantile(TABLE_FROM * Math.exp(index * tableStep), probability))),
  )

/** Writes the points of a Gamma variable with this shape, scaled by `scale`. */
export function pointsOf(shape: number, into: Float64Array, at: number, scale: number): void {
  if (shape >= ROOT_FROM) {
    const ninth = 1 / (9 * shape)
    const root = Math.sqrt(ninth)
    for (let index = 0; index < POINTS; index++)
      into[at + index] = shape * Math.max(0, 1 - ninth + root * deviates[index]!) ** 3 * scale
    return
  }
  table ??= Array.from({ length: TABLE_STEPS + 1 }, (_, index) => tableRow(index))
  const position = Math.min(TABLE_STEPS - 1e-9, Math.max(0, Math.log(shape / TABLE_FROM) / tableStep))
  const [low, high] = [table[Math.floor(position)]!, table[Math.floor(position) + 1]!]
  const part = position - Math.floor(position)
  for (let index = 0; index < POINTS; index++)
    into[at + index] = Math.exp(low[index]! * (1 - part) + high[index]! * part) * scale
}

export type Posterior = { shape: number; rate: number }

/** In input order; the percentile in a peer group of one is 0.5. */
export function percentilesOf(posteriors: readonly Posterior[]): number[] {
  const size = posteriors.length
  if (size < 2) return posteriors.map(() => 0.5)
  const values = new Float64Array(size * POINTS)
  posteriors.forEach(({ shape, rate }, ad) => {
    pointsOf(shape, values, ad * POINTS, 1 / rate)
  })
  const sorted = values.toSorted()
  const sums = new Float64Array(size)
  for (let ad = 0; ad < size; ad++) {
    let [sum, from] = [0, 0]
    // An ad's points are sorted, so each search starts at the previous position.
    for (let at = ad * POINTS; at < (ad + 1) * POINTS; at++) {
      const value = values[at]!
      from = lowerBound(sorted, value, from)
      const isAlone = from + 1 === sorted.length || sorted[from + 1]! > value
      // Ties count half, so that equal ads are at 0.5.
      sum += (from + (isAlone ? from + 1 : upperBound(sorted, value, from))) / 2
    }
    sums[ad] = sum
  }
  // An ad's own points beat each other half the time.
  const ownPairs = (POINTS * POINTS) / 2
  const otherPairs = POINTS * POINTS * (size - 1)
  return Array.from(sums, (sum) => Math.min(1, Math.max(0, (sum - ownPairs) / otherPairs)))
}

function lowerBound(sorted: Float64Array, value: number, from: number): number {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function upperBound(sorted: Float64Array, value: number, from: number): number {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
