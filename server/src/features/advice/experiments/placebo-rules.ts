/**
 * Placebo tests of a geo study. The change of the treated regions at its start is compared with their changes at earlier
 * days (in time), and with the changes of regions without the experiment at the same time (in space).
 */
import { studentTwoSided } from '../../../platform/statistics/distributions.ts'
import { LEVEL, MIN_DAYS, type Pair, type Reading } from './rules.ts'

/**
 * The change at the start of the experiment relative to the changes at every earlier placebo start; 1 is the 95 % bound.
 * Different growth and slow drift affect both alike.
 */
export function placeboRatio(before: readonly Pair[], during: readonly Pair[]): number | null {
  const result = changeAtStart(before, during)
  return result === null ? null : Math.abs(result.change) / studentTwoSided(LEVEL, result.degrees)
}

/** Fewer control regions cannot show how far regions move at this time of year. */
const MIN_REGIONS = 4

/** Above LEVEL: if only a season moves the regions, this is the only test, and at 95 % it would let 5 % of them pass. */
const REGION_LEVEL = 0.97

/** A day's outcomes of one control region. */
export type Region = { before: readonly number[]; during: readonly number[] }

/**
 * The same change relative to those of the control regions at the same start, each compared with the other control
 * regions; 1 is the 97 % bound. Changes are scaled both by the region's earlier changes and by its size, and the lower
 * ratio is used: a season moves large and small regions by similar shares, chance does not. Null with too few regions or
 * days.
 */
export function regionRatio(
  before: readonly Pair[],
  during: readonly Pair[],
  regions: readonly Region[],
): number | null {
  return regionChangeRatio(regionChanges(regions), before, during)
}

/** The change of each control region against the others; independent of the study's effect. */
export function regionChanges(regions: readonly Region[]): MeasuredChange[] {
  const totals = (side: keyof Region) =>
    (regions[0]?.[side] ?? []).map((_, day) => regions.reduce((sum, region) => sum + region[side][day]!, 0))
  const all = { before: totals('before'), during: totals('during') }
  return regions.flatMap((region) => {
    const pairs = (side: keyof Region) =>
      region[side].map((treatment, day) => ({ treatment, control: all[side][day]! - treatment }))
    return toMeasured(changeAtStart(pairs('before'), pairs('during')))
  })
}

export function regionChangeRatio(
  changes: readonly MeasuredChange[],
  before: readonly Pair[],
  during: readonly Pair[],
): number | null {
  const [treated] = toMeasured(changeAtStart(before, during))
  if (treated === undefined || changes.length < MIN_REGIONS) return null
  const spread = regionSpread(changes)
  const ratio = Math.min(
    Math.abs(treated.change) / (spread.edge * spread.change),
    Math.abs(treated.share) / (spread.edge * spread.share),
  )
  return Number.isFinite(ratio) ? ratio : null
}

function regionSpread(changes: readonly MeasuredChange[]) {
  const rootMeanSquare = (measure: keyof MeasuredChange) =>
    Math.sqrt(changes.reduce((sum, change) => sum + change[measure] ** 2, 0) / changes.length)
  return {
    // Each region is compared with the others, which costs one degree of freedom.
    edge: studentTwoSided(REGION_LEVEL, changes.length - 1),
    change: rootMeanSquare('change'),
    share: rootMeanSquare('share'),
  }
}

export type MeasuredChange = { change: number; share: number }

const toMeasured = (change: Change | null): MeasuredChange[] =>
  change === null || change.share === null ? [] : [{ change: change.change, share: change.share }]

type Change = {
  /** In standard deviations of earlier changes. */
  change: number
  /** Relative to the outcomes of the last window before; null without any. */
  share: number | null
  degrees: number
}

function changeAtStart(before: readonly Pair[], during: readonly Pair[]): Change | null {
  const start = compareStarts(before, during)
  if (start === null) return null
  const { actual, expected, deviation, size, degrees, days } = start
  const change = (actual - expected) / days
  return { change: change / deviation, share: size > 0 ? change / size : null, degrees }
}

/** Earlier windows overlap, so they have few degrees of freedom; null with too few starts. */
function compareStarts(before: readonly Pair[], during: readonly Pair[]) {
  const t = during.length
  const starts = before.length - 2 * t + 1
  if (t < MIN_DAYS || starts < 2 * t) return null
  const slope = detrendedSlope(before)
  const sums = [0]
  for (const pair of [...before, ...during]) sums.push(sums.at(-1)! + pair.treatment - slope * pair.control)
  const changeAt = (start: number) => (sums[start + t]! - 2 * sums[start]! + sums[start - t]!) / t
  let squares = 0
  for (let start = t; start < t + starts; start++) squares += changeAt(start) ** 2
  const size = before.slice(-t).reduce((sum, pair) => sum + pair.treatment, 0) / t
  if (squares === 0) return null
  const actual = during.reduce((sum, pair) => sum + pair.treatment, 0)
  return {
    /** Outcomes of the treated regions, and those that the last window before and the control regions predict. */
    actual,
    expected: actual - changeAt(before.length) * t,
    /** Of the changes at earlier starts, per day. */
    deviation: Math.sqrt(squares / starts),
    size,
    degrees: Math.max(2, (STARTS_PER_WINDOW * starts) / t),
    days: t,
  }
}

/** A wider interval has no upper bound worth showing. */
const MAX_MARGIN = 0.9

/**
 * The reading with the effects that its placebo tests do not reject: an effect is in the interval if the treated
 * regions without it would have changed no further than at an earlier start, or than the control regions. So the
 * interval excludes zero exactly if the study has a verdict.
 */
export function widenByPlacebos(
  reading: Reading,
  before: readonly Pair[],
  during: readonly Pair[],
  changes: readonly MeasuredChange[],
): Reading {
  const start = compareStarts(before, during)
  if (start === null || start.expected <= 0) return reading
  const { actual, expected, deviation, size, degrees, days } = start
  const margins = [studentTwoSided(LEVEL, degrees) * deviation]
  if (changes.length >= MIN_REGIONS) {
    const { edge, change, share } = regionSpread(changes)
    margins.push(edge * change * deviation, edge * share * size)
  }
  const margin = Math.max(...margins) * days
  return {
    ...reading,
    low: Math.min(reading.low, actual / (expected + margin) - 1),
    high: Math.max(reading.high, actual / (expected - Math.min(margin, MAX_MARGIN * expected)) - 1),
  }
}

/** Independent starts that one window length of overlapping starts is worth; chosen so that drifting days stay covered. */
const STARTS_PER_WINDOW = 0.6

/** Regression slope of the treated regions on the control regions, after removing linear growth. */
function detrendedSlope(pairs: readonly Pair[]): number {
  const [x, y] = [detrend(pairs.map(({ control }) => control)), detrend(pairs.map((pair) => pair.treatment))]
  const spread = x.reduce((sum, value) => sum + value ** 2, 0)
  return spread === 0 ? 0 : x.reduce((sum, value, index) => sum + value * y[index]!, 0) / spread
}

function detrend(values: readonly number[]): number[] {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  const slope = values.reduce((sum, value, index) => sum + (index - middle) * value, 0) / spread
  return values.map((value, index) => value - mean - slope * (index - middle))
}
