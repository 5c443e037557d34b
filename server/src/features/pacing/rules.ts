/**
 * Where a month's spend is going. Weekdays get weights, the level follows the last weeks and forgets by halves, and
 * days that platforms still restate are not believed. The interval is as wide as the past days say.
 */
import { addDays, dayNumber } from '../../contract/dates.ts'
import { studentTwoSided } from '../../statistics/distributions.ts'

export type DaySpend = { day: string; minor: number }

const HISTORY_DAYS = 56
const HALF_LIFE_DAYS = 7
/** Today is partial, and platforms restate the two days before it. */
export const UNSETTLED_DAYS = 3
const MIN_HISTORY_DAYS = 14
const INTERVAL_SHARE = 0.8

/** How far above a daily budget a platform goes: in a day, and over a week or a month. Sources: docs/decisions/0576. */
export type Caps = {
  dailyBudgetMinor: number
  perDay: number
  perWeek: number | null
  perMonth: number | null
}
export const capsOf: Record<string, Omit<Caps, 'dailyBudgetMinor'>> = {
  engine_ads: { perDay: 2, perWeek: null, perMonth: 30.4 },
  social_ads: { perDay: 1.75, perWeek: 7, perMonth: null },
}

export type Forecast = {
  projectedMinor: number
  lowMinor: number
  highMinor: number
  /** The part of the month's usual spend that its settled days hold; from 0 to 1. */
  expectedShare: number
  /** The last day that platforms no longer restate. */
  completeThrough: string
  /** What each day to come is expected to bring; of a day that is not settled at least what is reported. */
  days: DaySpend[]
}

export type MonthSoFar = {
  /** YYYY-MM */
  month: string
  today: string
  /** Everything that was spent, by day; days without spend may be absent. */
  all: readonly DaySpend[]
  /** Of the campaigns that still run: what a paused one spent says nothing of the days to come. */
  running: readonly DaySpend[]
  caps: Caps | null
}

/** Null where too little is known for a forecast. */
export function forecastMonth(args: MonthSoFar): Forecast | null {
  const { month, today } = args
  const days = daysOfMonth(month)
  const completeThrough = addDays(today, -UNSETTLED_DAYS)
  const spent = new Map(args.all.map(({ day, minor }) => [day, minor]))
  const settled = days.filter((day) => day <= completeThrough)
  const settledMinor = settled.reduce((sum, day) => sum + (spent.get(day) ?? 0), 0)
  const open = days.filter((day) => day > completeThrough)
  const model = fitSpend(args.running, completeThrough)
  const share = expectedShare(days, settled.length, model?.weights ?? null)
  if (open.length === 0)
    return {
      projectedMinor: settledMinor,
      lowMinor: settledMinor,
      highMinor: settledMinor,
      expectedShare: 1,
      completeThrough,
      days: [],
    }
  if (model === null) return null
  const coming = open.map((day) => {
    const expected = Math.min(model.level * weightOf(model.weights, day), dailyCap(args.caps))
    return { day, minor: Math.max(spent.get(day) ?? 0, expected) }
  })
  const expected = coming.reduce((sum, { minor }) => sum + minor, 0)
  const margin = studentTwoSided(INTERVAL_SHARE, model.degrees) * deviationOf(model, open)
  const reported = open.reduce((sum, day) => sum + (spent.get(day) ?? 0), 0)
  const most = Math.max(remainingCap(args.caps, open.length, settledMinor), reported)
  const within = (minor: number) => Math.round(settledMinor + Math.min(Math.max(minor, reported), most))
  return {
    projectedMinor: within(expected),
    lowMinor: within(expected - margin),
    highMinor: within(expected + margin),
    expectedShare: share,
    completeThrough,
    days: coming.map(({ day, minor }) => ({ day, minor: Math.round(minor) })),
  }
}

type SpendModel = {
  level: number
  /** Sunday first, mean 1. */
  weights: number[]
  /** Of one day against its expectation, as a share. */
  deviation: number
  /** How much more a run of days strays than independent days would. */
  memory: number
  degrees: number
}

function fitSpend(running: readonly DaySpend[], completeThrough: string): SpendModel | null {
  const byDay = new Map(running.map(({ day, minor }) => [day, minor]))
  const first = running.reduce<string | null>(
    (least, { day }) => (least === null || day < least ? day : least),
    null,
  )
  if (first === null) return null
  const known = Math.min(HISTORY_DAYS, dayNumber(completeThrough) - dayNumber(first) + 1)
  if (known < MIN_HISTORY_DAYS) return null
  const history = Array.from({ length: known }, (_, index) => {
    const day = addDays(completeThrough, index - known + 1)
    return { day, minor: byDay.get(day) ?? 0 }
  })
  if (history.every(({ minor }) => minor === 0)) return null
  const weights = weekdayWeights(history)
  const plain = history.map(({ day, minor }) => minor / weightOf(weights, day))
  const level = ewma(plain)
  const errors = aheadErrors(plain)
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1)
  return {
    level,
    weights,
    // An error against yesterday's level holds that level's own error too.
    deviation: Math.sqrt(variance / (1 + LEVEL_NOISE)),
    memory: memoryOf(errors, mean, variance),
    degrees: Math.max(3, errors.length - 1),
  }
}

/** Medians over the weeks of a day's share of its own week: a change of level in between does not bend them. */
function weekdayWeights(history: readonly DaySpend[]): number[] {
  const ratios: number[][] = Array.from({ length: 7 }, () => [])
  for (let index = 3; index < history.length - 3; index++) {
    const week = history.slice(index - 3, index + 4)
    const mean = week.reduce((sum, { minor }) => sum + minor, 0) / 7
    if (mean > 0) ratios[weekdayOf(history[index]!.day)]!.push(history[index]!.minor / mean)
  }
  const medians = ratios.map((list) => (list.length === 0 ? 1 : median(list)))
  const mean = medians.reduce((sum, value) => sum + value, 0) / 7
  // A weekday on which nothing ever runs keeps a trace, so that nothing is divided by zero.
  return medians.map((value) => Math.max(value / (mean || 1), 0.01))
}

const KEEP = 0.5 ** (1 / HALF_LIFE_DAYS)
/** The variance of the level, in variances of a day: the sum of its squared weights. */
const LEVEL_NOISE = (1 - KEEP) / (1 + KEEP)

function ewma(values: readonly number[]): number {
  let [sum, total] = [0, 0]
  for (const value of values) {
    sum = sum * KEEP + value
    total = total * KEEP + 1
  }
  return sum / total
}

/** Each day against the level of the days before it, as a share, once there is a week of them. */
function aheadErrors(plain: readonly number[]): number[] {
  return plain.flatMap((value, index) => {
    const before = index < 7 ? 0 : ewma(plain.slice(0, index))
    return before > 0 ? [value / before - 1] : []
  })
}

function memoryOf(errors: readonly number[], mean: number, variance: number): number {
  if (variance === 0) return 1
  let covariance = 0
  for (let index = 1; index < errors.length; index++)
    covariance += (errors[index]! - mean) * (errors[index - 1]! - mean)
  const found = covariance / (errors.length - 1) / variance
  // Independent days show one standard error by chance; only what lies beyond it widens the interval.
  const rho = Math.min(0.8, Math.max(0, found - 1 / Math.sqrt(errors.length)))
  return (1 + rho) / (1 - rho)
}

/**
 * Noise of the days to come, of the level, and of the weekday medians (a median of eight strays as a mean of five). Whole
 * weeks hold every weekday once, so that only what is beyond them feels the medians.
 */
function deviationOf(model: SpendModel, open: readonly string[]): number {
  const weights = open.map((day) => weightOf(model.weights, day))
  const ofDays = weights.reduce((sum, weight) => sum + weight ** 2, 0) * model.memory
  const ofLevel = weights.reduce((sum, weight) => sum + weight, 0) ** 2 * LEVEL_NOISE * model.memory
  const perWeekday = Array.from(
    { length: 7 },
    (_, weekday) => open.filter((day) => weekdayOf(day) === weekday).length,
  )
  const beyondWeeks = perWeekday.reduce((sum, count) => sum + (count - open.length / 7) ** 2, 0)
  const ofWeekdays = beyondWeeks * (Math.PI / 2 / 8)
  return model.level * model.deviation * Math.sqrt(ofDays + ofLevel + ofWeekdays)
}

function expectedShare(days: readonly string[], settled: number, weights: number[] | null): number {
  const weigh = (list: readonly string[]) =>
    list.reduce((sum, day) => sum + (weights === null ? 1 : weightOf(weights, day)), 0)
  return weigh(days.slice(0, settled)) / weigh(days)
}

const dailyCap = (caps: Caps | null): number =>
  caps === null ? Number.POSITIVE_INFINITY : caps.dailyBudgetMinor * caps.perDay

function remainingCap(caps: Caps | null, openDays: number, settledMinor: number): number {
  if (caps === null) return Number.POSITIVE_INFINITY
  const ofMonth =
    caps.perMonth === null
      ? Number.POSITIVE_INFINITY
      : Math.max(0, caps.dailyBudgetMinor * caps.perMonth - settledMinor)
  const ofWeeks =
    caps.perWeek === null
      ? Number.POSITIVE_INFINITY
      : Math.ceil(openDays / 7) * caps.dailyBudgetMinor * caps.perWeek
  return Math.min(ofMonth, ofWeeks, openDays * dailyCap(caps))
}

export type PacingStatus = 'under' | 'on' | 'over' | 'no_budget'

/** From 75–125 % at the month's beginning to 99–101 % at its end. */
export function statusOf(pacingPct: number | null, expectedShare: number): PacingStatus {
  if (pacingPct === null) return 'no_budget'
  const half = 25 - 24 * expectedShare
  if (pacingPct < 100 - half) return 'under'
  return pacingPct > 100 + half ? 'over' : 'on'
}

export function pacingOf(args: { budgetMinor: number | null; settledMinor: number; expectedShare: number }) {
  const { budgetMinor, settledMinor, expectedShare: share } = args
  if (budgetMinor === null || budgetMinor === 0) return null
  const due = budgetMinor * share
  return due === 0 ? 100 : (settledMinor / due) * 100
}

export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`
  const days: string[] = []
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day)
  return days
}

const weekdayOf = (day: string): number => (((dayNumber(day) + 4) % 7) + 7) % 7
const weightOf = (weights: readonly number[], day: string): number => weights[weekdayOf(day)]!

function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
