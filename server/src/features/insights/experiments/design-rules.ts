/**
 * Designs a geo study from the past of the profile's own regions. Regions are drawn by lot, and the power is what the
 * read-out of such studies finds in earlier weeks with an effect planted into them. The same past gives the same design.
 */
import { seededRandom } from '../../../platform/seeded-random.ts'
import { DURATIONS, type designRefusals } from './contract.ts'
import { changesOf, type Measured, placeboRatio, ratioTo } from './placebo-rules.ts'
import { type Checks, decide, geoReading, type Pair, provesCause } from './rules.ts'

/** Outcomes per day, the oldest first; all regions have the same days. */
export type RegionSeries = { region: string; days: readonly number[] }
export type Assignment = { treated: string[]; control: string[] }

/** As it is stored with a study. */
export type StoredDesign = {
  metric: 'payments' | 'conversions'
  days: number
  detectable: number
  power: number
  byLot: boolean
}

export const POWER = 0.8
/** So many of the planted effects have to be found: windows of one past are alike, and the future is less like them. */
const PLANTED_POWER = 0.95
export const PAST_DAYS = 364
/** What the read-out sees of the days before a study, and the part that its regression uses. */
export const READ_DAYS = 182
const REGRESSION_DAYS = 56
/** A placebo in time needs four lengths of the study before it. */
const LENGTHS_BEFORE = 4
/** One of three is treated, and four controls show how far regions move by themselves. */
const BLOCK = 3
const MIN_REGIONS = 6
const MIN_CONTROL = 4
/** Where fewer outcomes have a region, those that have one may be of other people. */
const MIN_KNOWN_SHARE = 0.5
const MAX_REGIONS = 60
/** A region with fewer outcomes a day adds noise only. */
const MIN_PER_DAY = 0.5
const MIN_WINDOWS = 4
const MAX_STARTS = 8
const LOTS = 5
const EFFECTS = [0.02, 0.03, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1] as const
/** A past that shows effects where none were planted supports no design. */
const MAX_FALSE = 0.1

export type DesignOption = {
  days: number
  /** Null where no effect up to a doubling is found often enough. */
  detectable: number | null
  windows: number
  /** Share of windows with a verdict although nothing was planted. */
  falseVerdicts: number
}

/** Regions with enough outcomes, the largest first; names decide between equals. */
export function usableRegions(regions: readonly RegionSeries[]): RegionSeries[] {
  return regions
    .filter(({ days }) => sum(days) >= MIN_PER_DAY * days.length && days.length > 0)
    .toSorted((a, b) => sum(b.days) - sum(a.days) || (a.region < b.region ? -1 : 1))
    .slice(0, MAX_REGIONS)
}

/** Of each three regions of like size one is drawn; those left over are control. */
function drawLot(regions: readonly RegionSeries[], seed: string, lot = 0): Assignment {
  const random = seededRandom('geo design', seed, lot)
  const treated = new Set<string>()
  for (let at = 0; at + BLOCK <= regions.length; at += BLOCK)
    treated.add(random.pick(regions.slice(at, at + BLOCK)).region)
  return {
    treated: regions.map(({ region }) => region).filter((region) => treated.has(region)),
    control: regions.map(({ region }) => region).filter((region) => !treated.has(region)),
  }
}

type DesignRefusal = (typeof designRefusals)[number]

/** What the past lacks for any design; null where it can be tried. */
export function refusalOf(
  past: { outcomes: number; known: number; days: number },
  regions: readonly RegionSeries[],
  { treated, control }: Assignment,
): DesignRefusal | null {
  if (past.known === 0) return 'no_regions'
  if (past.known < MIN_KNOWN_SHARE * past.outcomes) return 'regions_unknown'
  if (regions.length < MIN_REGIONS || treated.length === 0 || control.length < MIN_CONTROL)
    return 'too_few_regions'
  return startsOf(past.days, DURATIONS[0]).length < MIN_WINDOWS ? 'past_too_short' : null
}

/** What a study of this length would find; none where the past is too short for it. */
export function designOption(
  regions: readonly RegionSeries[],
  assignments: readonly Assignment[],
  days: number,
): DesignOption[] {
  const starts = startsOf(regions[0]?.days.length ?? 0, days)
  if (starts.length < MIN_WINDOWS) return []
  const sides = assignments.map((assignment) => toSides(regions, assignment))
  return [
    toOption(
      days,
      sides.flatMap((one) => starts.map((start) => smallestFound(one, start, days))),
    ),
  ]
}

/** The lot of the design first, then others of the same kind, so that its power is no lucky pick. */
export const lotsOf = (regions: readonly RegionSeries[], seed: string): Assignment[] =>
  Array.from({ length: LOTS }, (_, lot) => drawLot(regions, seed, lot))

/** Shortest first among those that find the effect asked for; without one, the most sensitive. */
export function chooseOption(options: readonly DesignOption[], effect?: number): DesignOption | null {
  const able = options.filter((option) => option.detectable !== null && option.falseVerdicts <= MAX_FALSE)
  const enough = effect === undefined ? undefined : able.find((option) => option.detectable! <= effect)
  return enough ?? able.toSorted((a, b) => a.detectable! - b.detectable! || a.days - b.days)[0] ?? null
}

/** The latest starts whose windows lie in the past, half a window apart. */
function startsOf(past: number, days: number): number[] {
  const starts: number[] = []
  const step = Math.ceil(days / 2)
  for (let start = past - days; start >= LENGTHS_BEFORE * days; start -= step) starts.push(start)
  return starts.slice(0, MAX_STARTS)
}

function toOption(days: number, found: readonly Smallest[]): DesignOption {
  const falseVerdicts = found.filter(({ isFalse }) => isFalse).length / found.length
  const needed = Math.ceil(PLANTED_POWER * found.length)
  const effects = found.map(({ effect }) => effect).toSorted((a, b) => a - b)
  const detectable = effects[needed - 1]!
  return {
    days,
    detectable: Number.isFinite(detectable) ? detectable : null,
    windows: found.length,
    falseVerdicts,
  }
}

/** Both sides summed by day, and each control region. */
type Sides = { pairs: readonly Pair[]; control: readonly (readonly number[])[] }

/** Of an assignment of these regions. */
export function toSides(regions: readonly RegionSeries[], { treated, control }: Assignment): Sides {
  const named = new Map(regions.map(({ region, days }) => [region, days]))
  const of = (names: readonly string[]) => names.map((name) => named.get(name)!)
  const sums = (list: readonly (readonly number[])[], day: number) =>
    list.reduce((total, days) => total + days[day]!, 0)
  const [own, others] = [of(treated), of(control)]
  return {
    pairs: (regions[0]?.days ?? []).map((_, day) => ({
      treatment: sums(own, day),
      control: sums(others, day),
    })),
    control: others,
  }
}

type Smallest = { effect: number; isFalse: boolean }

/** The smallest planted effect that the read-out of this window calls positive and proven. */
function smallestFound(sides: Sides, start: number, days: number): Smallest {
  const readWith = readerOf(sides, start, days)
  let low = 0
  let high: number = EFFECTS.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { verdict, proves } = readWith(EFFECTS[middle]!)
    if (verdict === 'positive' && proves) high = middle
    else low = middle + 1
  }
  return { effect: EFFECTS[low] ?? Number.POSITIVE_INFINITY, isFalse: readWith(0).proves }
}

/** As a study that ran from this day on is read, with an effect planted into its treated regions. */
export function readerOf({ pairs, control }: Sides, start: number, days: number) {
  const from = Math.max(0, start - READ_DAYS)
  const [before, during] = [pairs.slice(from, start), pairs.slice(start, start + days)]
  const changes = changesOf(
    control.map((one) => ({ before: one.slice(from, start), during: one.slice(start, start + days) })),
  )
  return (effect: number) =>
    readPairs(
      'outcomes',
      before,
      during.map((pair) => ({ ...pair, treatment: pair.treatment * (1 + effect) })),
      changes,
    )
}

export function readPairs(
  metric: string,
  before: readonly Pair[],
  during: readonly Pair[],
  changes: readonly Measured[],
) {
  const checks: Checks = {
    sampleRatioP: null,
    prePeriodOk: null,
    divergentDelivery: null,
    placeboRatio: placeboRatio(before, during),
    regionRatio: ratioTo(changes, before, during),
  }
  const reading = geoReading(metric, before.slice(-REGRESSION_DAYS), during)
  const { verdict } = decide('complete', checks, reading, 'geo')
  return { reading, checks, verdict, proves: provesCause('geo', verdict, checks) }
}

const sum = (days: readonly number[]): number => days.reduce((total, count) => total + count, 0)
