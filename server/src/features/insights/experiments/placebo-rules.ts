/**
 * Placebos of a geo study. The change that the treated regions show at its start is compared with the changes that they
 * show at earlier days (in time), and with those that regions without the experiment show at the same time.
 */
import { studentTwoSided } from '../../../platform/statistics/distributions.ts'
import { LEVEL, MIN_DAYS, type Pair } from './rules.ts'

/**
 * The change that the regions show at the start of the experiment, over the change that they show at every earlier day
 * taken as a start, 1 being the edge of 95 %. Growth at another speed and slow wandering are in both.
 */
export function placeboRatio(before: readonly Pair[], during: readonly Pair[]): number | null {
  const found = changeAtStart(before, during)
  return found === null ? null : Math.abs(found.change) / studentTwoSided(LEVEL, found.degrees)
}

/** Fewer control regions cannot show how far regions move at this time of the year. */
const MIN_REGIONS = 4

/** Higher than elsewhere: where only a season moves the regions this is the only test, and 95 % would be 5 % of verdicts. */
const REGION_LEVEL = 0.97

/** A day's outcomes of one control region. */
export type Region = { before: readonly number[]; during: readonly number[] }

/**
 * The same change over those of the control regions at the same start, each compared with the other control regions; 1
 * is the edge of 97 %. Changes are measured both by the region's own earlier ones and by its size, and the lower ratio
 * counts: a season moves large and small regions by like shares, chance does not. Null with too few regions or days.
 */
export function regionRatio(
  before: readonly Pair[],
  during: readonly Pair[],
  regions: readonly Region[],
): number | null {
  return ratioTo(changesOf(regions), before, during)
}

/** What each control region did against the others; the effect of a study does not enter it. */
export function changesOf(regions: readonly Region[]): Measured[] {
  const totals = (side: keyof Region) =>
    (regions[0]?.[side] ?? []).map((_, day) => regions.reduce((sum, one) => sum + one[side][day]!, 0))
  const all = { before: totals('before'), during: totals('during') }
  return regions.flatMap((region) => {
    const pairs = (side: keyof Region) =>
      region[side].map((treatment, day) => ({ treatment, control: all[side][day]! - treatment }))
    return measured(changeAtStart(pairs('before'), pairs('during')))
  })
}

export function ratioTo(
  changes: readonly Measured[],
  before: readonly Pair[],
  during: readonly Pair[],
): number | null {
  const [treated] = measured(changeAtStart(before, during))
  if (treated === undefined || changes.length < MIN_REGIONS) return null
  // Each region is compared with the others, so that one of them is no news.
  const edge = studentTwoSided(REGION_LEVEL, changes.length - 1)
  const ratios = (['change', 'share'] as const).map((measure) => {
    const square = changes.reduce((sum, one) => sum + one[measure] ** 2, 0) / changes.length
    return Math.abs(treated[measure]) / (edge * Math.sqrt(square))
  })
  const ratio = Math.min(...ratios)
  return Number.isFinite(ratio) ? ratio : null
}

export type Measured = { change: number; share: number }

const measured = (found: Change | null): Measured[] =>
  found === null || found.share === null ? [] : [{ change: found.change, share: found.share }]

type Change = {
  /** In deviations of earlier changes. */
  change: number
  /** Of the region's outcomes in a window before; null without any. */
  share: number | null
  degrees: number
}

/** Earlier starts overlap, so that they count as few; null where they are fewer than two. */
function changeAtStart(before: readonly Pair[], during: readonly Pair[]): Change | null {
  const t = during.length
  const starts = before.length - 2 * t + 1
  if (t < MIN_DAYS || starts < 2 * t) return null
  const slope = slopeBesidesGrowth(before)
  const sums = [0]
  for (const pair of [...before, ...during]) sums.push(sums.at(-1)! + pair.treatment - slope * pair.control)
  const changeAt = (start: number) => (sums[start + t]! - 2 * sums[start]! + sums[start - t]!) / t
  let squares = 0
  for (let start = t; start < t + starts; start++) squares += changeAt(start) ** 2
  const size = before.slice(-t).reduce((sum, pair) => sum + pair.treatment, 0) / t
  if (squares === 0) return null
  const degrees = Math.max(2, (STARTS_PER_WINDOW * starts) / t)
  const change = changeAt(before.length)
  return { change: change / Math.sqrt(squares / starts), share: size > 0 ? change / size : null, degrees }
}

/** So many starts within one window's length are worth as much as independent ones; less would not do if days wander. */
const STARTS_PER_WINDOW = 0.6

/** How the treated regions follow the others from day to day, growth at another speed left out. */
function slopeBesidesGrowth(pairs: readonly Pair[]): number {
  const [x, y] = [
    withoutLine(pairs.map(({ control }) => control)),
    withoutLine(pairs.map((pair) => pair.treatment)),
  ]
  const spread = x.reduce((sum, value) => sum + value ** 2, 0)
  return spread === 0 ? 0 : x.reduce((sum, value, index) => sum + value * y[index]!, 0) / spread
}

function withoutLine(values: readonly number[]): number[] {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  const slope = values.reduce((sum, value, index) => sum + (index - middle) * value, 0) / spread
  return values.map((value, index) => value - mean - slope * (index - middle))
}
