/**
 * Estimates the probability that a visit is followed by a conversion, by the set of channels so far and the channel of the
 * visit. One effect per channel (non-negative least squares) predicts every path. The observed rates by latest channel and
 * by set correct the prediction with empirical Bayes shrinkage: rare sets are corrected little, common ones fully.
 */
import { sizeOf } from './coalitions.ts'

/** Sets are bit masks of channel indexes below this. */
export const MAX_CHANNELS = 16
/** Encodes a path (set of channels and latest channel) as one number. */
export const pathKey = (set: number, last: number): number => set * MAX_CHANNELS + last
const setOf = (path: number): number => Math.floor(path / MAX_CHANNELS)
const lastOf = (path: number): number => path % MAX_CHANNELS

/** Per path up to and including the visit: number of visits and of those followed by a conversion. */
export type PathTotals = Map<number, { visits: number; conversions: number }>

export type Value = {
  /** Main effect of a channel in the path, plus the correction if it is the latest. */
  effectOf(channel: number, isLast: boolean): number
  /** Estimated rate for a set of channels after a visit of `last`, which need not be in the set. */
  rateOf(set: number, last: number): number
}

const SWEEPS = 2000
const TOLERANCE = 1e-12

export function fitValue(totals: PathTotals, channelCount: number): Value {
  const [base, ...effects] = fitEffects(totals, channelCount)
  const ofSet = (set: number) => {
    let rate = base!
    for (let channel = 0; channel < channelCount; channel++)
      if ((set >> channel) & 1) rate += effects[channel]!
    return rate
  }
  const lasts = corrections(totals, lastOf, (path) => ofSet(setOf(path)))
  const predicted = (set: number, last: number) =>
    ofSet(set) + ((set >> last) & 1 ? (lasts.get(last) ?? 0) : 0)
  const sets = corrections(
    totals,
    (path) => (sizeOf(setOf(path)) > 1 ? setOf(path) : undefined),
    (path) => predicted(setOf(path), lastOf(path)),
  )
  return {
    effectOf: (channel, isLast) => effects[channel]! + (isLast ? (lasts.get(channel) ?? 0) : 0),
    rateOf: (set, last) => predicted(set, last) + (sets.get(set) ?? 0),
  }
}

/** Fits the base rate and the effect of each channel by coordinate descent on the normal equations. */
function fitEffects(totals: PathTotals, channelCount: number): Float64Array {
  const width = 1 + channelCount
  const products = new Float64Array(width * width)
  const targets = new Float64Array(width)
  for (const [path, { visits, conversions }] of totals) {
    const design = setOf(path) * 2 + 1
    for (let row = 0; row < width; row++) {
      if (((design >> row) & 1) === 0) continue
      targets[row]! += conversions
      for (let column = 0; column < width; column++)
        if ((design >> column) & 1) products[row * width + column]! += visits
    }
  }
  const solution = new Float64Array(width)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0
    for (let row = 0; row < width; row++) {
      const diagonal = products[row * width + row]!
      if (diagonal === 0) continue
      let residual = targets[row]!
      for (let column = 0; column < width; column++)
        if (column !== row) residual -= products[row * width + column]! * solution[column]!
      const next = Math.max(residual / diagonal, 0)
      change = Math.max(change, Math.abs(next - solution[row]!))
      solution[row] = next
    }
    if (change < TOLERANCE) break
  }
  return solution
}

type Group = { visits: number; conversions: number; expected: number }

/** Per group of paths: the difference of observed and predicted rate, shrunk by the sampling variance. */
function corrections(
  totals: PathTotals,
  groupOf: (path: number) => number | undefined,
  predicted: (path: number) => number,
): Map<number, number> {
  const groups = new Map<number, Group>()
  for (const [path, { visits, conversions }] of totals) {
    const key = groupOf(path)
    if (key === undefined) continue
    const group = groups.get(key) ?? { visits: 0, conversions: 0, expected: 0 }
    groups.set(key, group)
    group.visits += visits
    group.conversions += conversions
    group.expected += visits * predicted(path)
  }
  let excess = 0
  let totalVisits = 0
  for (const group of groups.values()) {
    excess += group.visits * (residualRate(group) ** 2 - samplingVariance(group))
    totalVisits += group.visits
  }
  // Variance of the true rates around their prediction.
  const variance = totalVisits === 0 ? 0 : Math.max(excess / totalVisits, 0)
  if (variance === 0) return new Map()
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      (residualRate(group) * variance) / (variance + samplingVariance(group)),
    ]),
  )
}

const residualRate = ({ visits, conversions, expected }: Group): number => (conversions - expected) / visits

function samplingVariance({ visits, expected }: Group): number {
  const rate = Math.min(Math.max(expected / visits, 0), 1)
  return (rate * (1 - rate)) / visits
}
