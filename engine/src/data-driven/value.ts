/**
 * How likely a visit is followed by a conversion, by the set of channels that the person has come through so far and by
 * the channel of the visit itself. One effect per channel (least squares, none below 0) predicts every path. The observed
 * rates by latest channel and by set correct the prediction as far as they have data (empirical Bayes): a rare set says
 * little, and a common one its own.
 */
import { sizeOf } from './coalitions.ts'

/** Sets are bit masks over the channels, which have numbers below this. */
export const MAX_CHANNELS = 16
/** A path as one number: the set of its channels and the latest of them. */
export const pathKey = (set: number, last: number): number => set * MAX_CHANNELS + last
const setOf = (path: number): number => Math.floor(path / MAX_CHANNELS)
const lastOf = (path: number): number => path % MAX_CHANNELS

/** Visits by path up to and including them, and how many were followed by a conversion. */
export type PathTotals = Map<number, { visits: number; conversions: number }>

export type Value = {
  /** What a channel adds by having been met, and by being the latest. */
  effectOf(channel: number, isLast: boolean): number
  /** Estimated rate of a set of channels after a visit of `last`, which the set need not hold. */
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

/** The base and each channel's effect: coordinate descent on the normal equations. */
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
      const own = products[row * width + row]!
      if (own === 0) continue
      let rest = targets[row]!
      for (let column = 0; column < width; column++)
        if (column !== row) rest -= products[row * width + column]! * solution[column]!
      const next = Math.max(rest / own, 0)
      change = Math.max(change, Math.abs(next - solution[row]!))
      solution[row] = next
    }
    if (change < TOLERANCE) break
  }
  return solution
}

type Group = { visits: number; conversions: number; expected: number }

/** Per group of paths: how far its observed rate is from the predicted one, as far as chance does not explain it. */
function corrections(
  totals: PathTotals,
  groupOf: (path: number) => number | undefined,
  predicted: (path: number) => number,
): Map<number, number> {
  const groups = new Map<number, Group>()
  for (const [path, { visits, conversions }] of totals) {
    const key = groupOf(path)
    if (key === undefined) continue
    const own = groups.get(key) ?? { visits: 0, conversions: 0, expected: 0 }
    groups.set(key, own)
    own.visits += visits
    own.conversions += conversions
    own.expected += visits * predicted(path)
  }
  let excess = 0
  let visitsInAll = 0
  for (const own of groups.values()) {
    excess += own.visits * (missOf(own) ** 2 - noiseOf(own))
    visitsInAll += own.visits
  }
  // Variance of the true rates around their prediction.
  const spread = visitsInAll === 0 ? 0 : Math.max(excess / visitsInAll, 0)
  if (spread === 0) return new Map()
  return new Map([...groups].map(([key, own]) => [key, (missOf(own) * spread) / (spread + noiseOf(own))]))
}

const missOf = ({ visits, conversions, expected }: Group): number => (conversions - expected) / visits

function noiseOf({ visits, expected }: Group): number {
  const rate = Math.min(Math.max(expected / visits, 0), 1)
  return (rate * (1 - rate)) / visits
}
