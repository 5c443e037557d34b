/**
 * Designs a geo study from the history of the profile's own regions. Regions are assigned at random; power is estimated
 * by simulating effects in earlier weeks and evaluating them like a study. The same history gives the same design.
 */
import { seededRandom } from '../../../platform/seeded-random.ts'
import { DURATIONS, type designRefusals } from './contract.ts'
import {
  type MeasuredChange,
  placeboRatio,
  regionChangeRatio,
  regionChanges,
  widenByPlacebos,
} from './placebo-rules.ts'
import { type Checks, decide, geoReading, type Pair, provesCause } from './rules.ts'

/** Outcomes per day, oldest first; all regions have the same days. */
export type RegionSeries = { region: string; days: readonly number[] }
export type Assignment = { treated: string[]; control: string[] }

/** The design as stored with a study. */
export type StoredDesign = {
  metric: 'payments' | 'conversions'
  days: number
  detectable: number
  power: number
  byLot: boolean
}

export const POWER = 0.8
/** Required share of detected simulated effects. Above POWER: windows of one history are more alike than the future. */
const SIMULATED_POWER = 0.95
export const PAST_DAYS = 364
/** Days before a study used by its evaluation, and by the regression within it. */
export const READ_DAYS = 182
const REGRESSION_DAYS = 56
/** A placebo test in time needs a history of four times the study's length. */
const LENGTHS_BEFORE = 4
/** One region of each block is treated. Four control regions are needed to measure how far regions move without a study. */
const BLOCK = 3
const MIN_REGIONS = 6
const MIN_CONTROL = 4
/** If fewer outcomes have a region, those with one may not be representative. */
const MIN_KNOWN_SHARE = 0.5
const MAX_REGIONS = 60
/** A region with fewer outcomes per day only adds noise. */
const MIN_PER_DAY = 0.5
const MIN_WINDOWS = 4
const MAX_STARTS = 8
const ASSIGNMENTS = 5
const EFFECTS = [0.02, 0.03, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1] as const
/** A history with more false verdicts than this does not support a design. */
const MAX_FALSE_VERDICTS = 0.1

export type DesignOption = {
  days: number
  /** Null if no effect up to a doubling is detected often enough. */
  detectable: number | null
  windows: number
  /** Share of windows with a verdict without a simulated effect. */
  falseVerdicts: number
}

/** Regions with enough outcomes, largest first; ties are broken by name. */
export function usableRegions(regions: readonly RegionSeries[]): RegionSeries[] {
  return regions
    .filter(({ days }) => sum(days) >= MIN_PER_DAY * days.length && days.length > 0)
    .toSorted((a, b) => sum(b.days) - sum(a.days) || (a.region < b.region ? -1 : 1))
    .slice(0, MAX_REGIONS)
}

/** Treats one of every three regions of similar size; the others and an incomplete last block are control. */
function randomAssignment(regions: readonly RegionSeries[], seed: string, draw = 0): Assignment {
  const random = seededRandom('geo design', seed, draw)
  const treated = new Set<string>()
  for (let at = 0; at + BLOCK <= regions.length; at += BLOCK)
    treated.add(random.pick(regions.slice(at, at + BLOCK)).region)
  return {
    treated: regions.map(({ region }) => region).filter((region) => treated.has(region)),
    control: regions.map(({ region }) => region).filter((region) => !treated.has(region)),
  }
}

type DesignRefusal = (typeof designRefusals)[number]

/** Why the history supports no design; null if one can be simulated. */
export function designRefusal(
  past: { outcomes: number; withRegion: number; days: number },
  regions: readonly RegionSeries[],
  { treated, control }: Assignment,
): DesignRefusal | null {
  if (past.withRegion === 0) return 'no_regions'
  if (past.withRegion < MIN_KNOWN_SHARE * past.outcomes) return 'regions_unknown'
  if (regions.length < MIN_REGIONS || treated.length === 0 || control.length < MIN_CONTROL)
    return 'too_few_regions'
  return startsOf(past.days, DURATIONS[0]).length < MIN_WINDOWS ? 'past_too_short' : null
}

/** The detectable effect of a study of this length; empty if the history is too short for it. */
export function designOption(
  regions: readonly RegionSeries[],
  assignments: readonly Assignment[],
  days: number,
): DesignOption[] {
  const starts = startsOf(regions[0]?.days.length ?? 0, days)
  if (starts.length < MIN_WINDOWS) return []
  const series = assignments.map((assignment) => toGroupSeries(regions, assignment))
  return [
    toOption(
      days,
      series.flatMap((groups) => starts.map((start) => smallestDetectable(groups, start, days))),
    ),
  ]
}

/** The assignment of the design, then further draws: power averaged over several is not the luck of one. */
export const randomAssignments = (regions: readonly RegionSeries[], seed: string): Assignment[] =>
  Array.from({ length: ASSIGNMENTS }, (_, draw) => randomAssignment(regions, seed, draw))

/** The shortest option that detects the requested effect; otherwise, or without one, the most sensitive. */
export function chooseOption(options: readonly DesignOption[], effect?: number): DesignOption | null {
  const valid = options.filter(
    (option) => option.detectable !== null && option.falseVerdicts <= MAX_FALSE_VERDICTS,
  )
  const sufficient = effect === undefined ? undefined : valid.find((option) => option.detectable! <= effect)
  return sufficient ?? valid.toSorted((a, b) => a.detectable! - b.detectable! || a.days - b.days)[0] ?? null
}

/** Starts of simulated studies within the history, latest first, half a window apart. */
function startsOf(past: number, days: number): number[] {
  const starts: number[] = []
  const step = Math.ceil(days / 2)
  for (let start = past - days; start >= LENGTHS_BEFORE * days; start -= step) starts.push(start)
  return starts.slice(0, MAX_STARTS)
}

function toOption(days: number, results: readonly WindowResult[]): DesignOption {
  const falseVerdicts = results.filter(({ isFalse }) => isFalse).length / results.length
  const needed = Math.ceil(SIMULATED_POWER * results.length)
  const effects = results.map(({ effect }) => effect).toSorted((a, b) => a - b)
  const detectable = effects[needed - 1]!
  return {
    days,
    detectable: Number.isFinite(detectable) ? detectable : null,
    windows: results.length,
    falseVerdicts,
  }
}

/** Treated and control group summed per day, and each control region. */
type GroupSeries = { pairs: readonly Pair[]; control: readonly (readonly number[])[] }

export function toGroupSeries(
  regions: readonly RegionSeries[],
  { treated, control }: Assignment,
): GroupSeries {
  const daysByRegion = new Map(regions.map(({ region, days }) => [region, days]))
  const seriesOf = (names: readonly string[]) => names.map((name) => daysByRegion.get(name)!)
  const sumOn = (list: readonly (readonly number[])[], day: number) =>
    list.reduce((total, days) => total + days[day]!, 0)
  const [treatedSeries, controlSeries] = [seriesOf(treated), seriesOf(control)]
  return {
    pairs: (regions[0]?.days ?? []).map((_, day) => ({
      treatment: sumOn(treatedSeries, day),
      control: sumOn(controlSeries, day),
    })),
    control: controlSeries,
  }
}

type WindowResult = { effect: number; isFalse: boolean }

/** The smallest simulated effect with a positive, proven verdict in this window, by binary search. */
function smallestDetectable(series: GroupSeries, start: number, days: number): WindowResult {
  const readWith = windowReader(series, start, days)
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

/** Evaluates the window like a study that started on this day, with an effect simulated in its treated regions. */
export function windowReader({ pairs, control }: GroupSeries, start: number, days: number) {
  const from = Math.max(0, start - READ_DAYS)
  const [before, during] = [pairs.slice(from, start), pairs.slice(start, start + days)]
  const changes = regionChanges(
    control.map((region) => ({
      before: region.slice(from, start),
      during: region.slice(start, start + days),
    })),
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
  changes: readonly MeasuredChange[],
) {
  const checks: Checks = {
    sampleRatioP: null,
    prePeriodOk: null,
    divergentDelivery: null,
    placeboRatio: placeboRatio(before, during),
    regionRatio: regionChangeRatio(changes, before, during),
  }
  const raw = geoReading(metric, before.slice(-REGRESSION_DAYS), during)
  const reading = raw && widenByPlacebos(raw, before, during, changes)
  const { verdict } = decide('complete', checks, reading, 'geo')
  return { reading, checks, verdict, proves: provesCause('geo', verdict, checks) }
}

const sum = (days: readonly number[]): number => days.reduce((total, count) => total + count, 0)
