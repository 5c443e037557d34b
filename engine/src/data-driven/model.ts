/**
 * The data-driven model of one profile: shares are Shapley values of the fitted conversion rates, credit is in integer
 * minor units, intervals are a bootstrap over groups of people with a fixed seed. Deterministic.
 */
import { splitMinor } from '../split.ts'
import { shapley, sizeOf, toShares } from './coalitions.ts'
import { fitValue, type PathTotals, pathKey, type Value } from './value.ts'

/** Number of groups that people are divided into by a hash; the bootstrap samples groups. */
export const PERSON_GROUPS = 40
/** Paths with more channels, and rare sets beyond the limit, are divided by main effects instead of Shapley values. */
const MAX_EXACT_CHANNELS = 8
const MAX_EXACT_SETS = 512
const DRAWS = 200
const LEVEL = 0.95
const WEIGHT_UNITS = 1_000_000_000
export const CREDIT_UNITS = 1_000_000

/** `set` is a bit mask of channels, `last` a channel index. */
export type VisitCell = {
  group: number
  period: 'train' | 'gap' | 'test'
  set: number
  last: number
  visits: number
  conversions: number
}
export type Sale = { set: number; last: number; amountMinor: number }
/** `credit` in millionths of a payment. */
type ChannelCredit = { credit: number; amountMinor: number }

type Weigh = (set: number, last: number) => readonly number[]

/** Integer weights per channel of a path, cached per path. */
function weigher(value: Value, channelCount: number, exactSets: ReadonlySet<number>): Weigh {
  const cache = new Map<number, readonly number[]>()
  return (set, last) => {
    const key = pathKey(set, last)
    const weights = cache.get(key) ?? weightsOf(set, last)
    cache.set(key, weights)
    return weights
  }

  function weightsOf(set: number, last: number): number[] {
    const path = Array.from({ length: channelCount }, (_, channel) => channel).filter(
      (channel) => (set >> channel) & 1,
    )
    const contributions = exactSets.has(set)
      ? shapley(path, (part) => value.rateOf(maskOf(part), last))
      : path.map((channel) => value.effectOf(channel, channel === last))
    const shares = toShares(contributions, path.indexOf(last))
    const weights = Array.from({ length: channelCount }, () => 0)
    for (const [at, channel] of path.entries()) weights[channel] = Math.round(shares[at]! * WEIGHT_UNITS)
    return weights
  }
}

const maskOf = (channels: readonly number[]): number =>
  channels.reduce((mask, channel) => mask | (1 << channel), 0)

/** The sets with the most sales that are small enough for exact Shapley values. */
function chooseExactSets(sales: readonly Sale[]): Set<number> {
  const counts = new Map<number, number>()
  for (const { set } of sales) counts.set(set, (counts.get(set) ?? 0) + 1)
  const small = [...counts].filter(([set]) => sizeOf(set) <= MAX_EXACT_CHANNELS)
  small.sort(([a, most], [b, more]) => more - most || a - b)
  return new Set(small.slice(0, MAX_EXACT_SETS).map(([set]) => set))
}

export function totalsOf(cells: Iterable<VisitCell>): PathTotals {
  const totals: PathTotals = new Map()
  for (const { set, last, visits, conversions } of cells)
    addTo(totals, pathKey(set, last), visits, conversions)
  return totals
}

function addTo(totals: PathTotals, path: number, visits: number, conversions: number): void {
  const total = totals.get(path)
  if (total === undefined) totals.set(path, { visits, conversions })
  else {
    total.visits += visits
    total.conversions += conversions
  }
}

/** Credit per channel; the sum equals the sales. */
export function creditSales(
  cells: readonly VisitCell[],
  sales: readonly Sale[],
  channelCount: number,
): ChannelCredit[] {
  const weigh = weigher(fitValue(totalsOf(cells), channelCount), channelCount, chooseExactSets(sales))
  const credits = Array.from({ length: channelCount }, () => ({ credit: 0, amountMinor: 0 }))
  for (const { set, last, amountMinor } of sales) {
    const weights = weigh(set, last)
    const amounts = splitMinor(amountMinor, weights)
    const parts = splitMinor(CREDIT_UNITS, weights)
    for (const [channel, credit] of credits.entries()) {
      credit.amountMinor += amounts[channel]!
      credit.credit += parts[channel]!
    }
  }
  return credits
}

/** Bootstrap intervals of the credit per channel: rates are fitted on resampled groups of people, the sales stay the same. */
export function creditIntervals(
  cells: readonly VisitCell[],
  sales: readonly Sale[],
  channelCount: number,
): { lowMinor: number; highMinor: number }[] {
  const exactSets = chooseExactSets(sales)
  const byGroup = Array.from({ length: PERSON_GROUPS }, (_, group) =>
    totalsOf(cells.filter((cell) => cell.group === group)),
  )
  const paths = new Map<number, Sale>()
  for (const { set, last, amountMinor } of sales) {
    const key = pathKey(set, last)
    paths.set(key, { set, last, amountMinor: amountMinor + (paths.get(key)?.amountMinor ?? 0) })
  }
  const random = seeded(0x5eed)
  const drawn = Array.from({ length: channelCount }, () => new Float64Array(DRAWS))
  for (let draw = 0; draw < DRAWS; draw++) {
    const weigh = weigher(fitValue(drawGroups(byGroup, random), channelCount), channelCount, exactSets)
    for (const { set, last, amountMinor } of paths.values())
      for (const [channel, weight] of weigh(set, last).entries())
        drawn[channel]![draw]! += (amountMinor * weight) / WEIGHT_UNITS
  }
  const tail = Math.floor(((1 - LEVEL) / 2) * DRAWS)
  return drawn.map((amounts) => {
    amounts.sort()
    return { lowMinor: Math.round(amounts[tail]!), highMinor: Math.round(amounts[DRAWS - 1 - tail]!) }
  })
}

function drawGroups(byGroup: readonly PathTotals[], random: () => number): PathTotals {
  const times = byGroup.map(() => 0)
  for (let draw = 0; draw < byGroup.length; draw++) times[Math.floor(random() * byGroup.length)]! += 1
  const drawn: PathTotals = new Map()
  for (const [group, totals] of byGroup.entries()) {
    const weight = times[group]!
    if (weight === 0) continue
    for (const [path, { visits, conversions }] of totals)
      addTo(drawn, path, visits * weight, conversions * weight)
  }
  return drawn
}

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
