/**
 * Forecast of a month's spend: actual spend of settled days plus the spend model for the remaining days. The interval is
 * shown only if it passes a backtest on the account's own past.
 */
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import { type DaySpend, fitSpendModel, forecastSpend, type SpendModel, weekdayOf } from './spend-model.ts'

export type { DaySpend } from './spend-model.ts'

/** Days used to fit the model; the history is longer for the backtest. */
const FITTED_DAYS = 84
export const HISTORY_DAYS = 140
/** Today is partial, and platforms restate the two days before it. */
export const UNSETTLED_DAYS = 3
const MIN_HISTORY_DAYS = 14
const INTERVAL_SHARE = 0.8
const BACKTESTS = 6
const MIN_BACKTESTS = 4
const BACKTEST_HISTORY_DAYS = 28

/** How far a platform may overspend a daily budget: per day, week or month. Sources: docs/decisions/0578. */
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

/** Number of intervals tried on the account's past, and of those that contained the result. */
export type Backtest = { tried: number; held: number }

export type Forecast = {
  projectedMinor: number
  /** Null if the interval failed the backtest. */
  lowMinor: number | null
  highMinor: number | null
  backtest: Backtest
  /** The share of the month's usual spend that falls on its settled days, from 0 to 1. */
  expectedShare: number
  /** The last settled day: platforms still restate later days. */
  completeThrough: string
  /** Expected spend of each unsettled day; at least its reported spend. */
  days: DaySpend[]
}

export type MonthSoFar = {
  /** YYYY-MM */
  month: string
  today: string
  /** Total spend by day; days without spend may be absent. */
  all: readonly DaySpend[]
  /** Spend of campaigns that still run: only these predict the remaining days. */
  running: readonly DaySpend[]
  caps: Caps | null
}

/** Null with too little history. */
export function forecastMonth(args: MonthSoFar): Forecast | null {
  const days = daysOfMonth(args.month)
  const completeThrough = addDays(args.today, -UNSETTLED_DAYS)
  const spendByDay = new Map(args.all.map(({ day, minor }) => [day, minor]))
  const settled = days.filter((day) => day <= completeThrough)
  const settledMinor = settled.reduce((sum, day) => sum + (spendByDay.get(day) ?? 0), 0)
  const open = days.filter((day) => day > completeThrough)
  if (open.length === 0)
    return {
      projectedMinor: settledMinor,
      lowMinor: settledMinor,
      highMinor: settledMinor,
      backtest: { tried: 0, held: 0 },
      expectedShare: 1,
      completeThrough,
      days: [],
    }
  const history = historyOf(args.running, completeThrough)
  const model = history.length < MIN_HISTORY_DAYS ? null : fitSpendModel(history.slice(-FITTED_DAYS))
  if (model === null) return null
  const { days: expected, quantile } = forecastSpend(model, open, dailyCap(args.caps))
  const expectedDays = expected.map(({ day, minor }) => ({
    day,
    minor: Math.max(spendByDay.get(day) ?? 0, minor),
  }))
  const reported = open.reduce((sum, day) => sum + (spendByDay.get(day) ?? 0), 0)
  const maxOpenMinor = Math.max(remainingCap(args.caps, open.length, settledMinor), reported)
  const boundedTotal = (minor: number) =>
    Math.round(settledMinor + Math.min(Math.max(minor, reported), maxOpenMinor))
  const backtest = runBacktest(history, open.length)
  const isTrusted = backtest.tried < MIN_BACKTESTS || backtest.held >= backtest.tried / 2
  const projectedMinor = boundedTotal(expectedDays.reduce((sum, { minor }) => sum + minor, 0))
  const [low, high] = [(1 - INTERVAL_SHARE) / 2, (1 + INTERVAL_SHARE) / 2].map((share) =>
    boundedTotal(quantile(share)),
  )
  return {
    projectedMinor,
    lowMinor: isTrusted ? Math.min(low!, projectedMinor) : null,
    highMinor: isTrusted ? Math.max(high!, projectedMinor) : null,
    backtest,
    expectedShare: expectedShare(days, settled.length, model),
    completeThrough,
    days: expectedDays.map(({ day, minor }) => ({ day, minor: Math.round(minor) })),
  }
}

/** Every day from the first with spend, at most HISTORY_DAYS; absent days have spend 0. */
function historyOf(running: readonly DaySpend[], completeThrough: string): DaySpend[] {
  const byDay = new Map(running.map(({ day, minor }) => [day, minor]))
  const first = running.reduce<string | null>(
    (least, { day, minor }) => (minor > 0 && (least === null || day < least) ? day : least),
    null,
  )
  if (first === null) return []
  const dayCount = Math.min(HISTORY_DAYS, dayNumber(completeThrough) - dayNumber(first) + 1)
  return Array.from({ length: Math.max(0, dayCount) }, (_, index) => {
    const day = addDays(completeThrough, index - dayCount + 1)
    return { day, minor: byDay.get(day) ?? 0 }
  })
}

/** Runs the same method as of past days, a week apart, with a similar horizon. */
function runBacktest(history: readonly DaySpend[], openDays: number): Backtest {
  const horizon = Math.min(21, Math.max(7, openDays))
  const result = { tried: 0, held: 0 }
  for (let back = 0; back < BACKTESTS; back++) {
    const end = history.length - horizon - 7 * back
    if (end < BACKTEST_HISTORY_DAYS) break
    const model = fitSpendModel(history.slice(Math.max(0, end - FITTED_DAYS), end))
    if (model === null) continue
    const testDays = history.slice(end, end + horizon)
    const { quantile } = forecastSpend(
      model,
      testDays.map(({ day }) => day),
    )
    const truth = testDays.reduce((sum, { minor }) => sum + minor, 0)
    result.tried++
    if (truth >= quantile((1 - INTERVAL_SHARE) / 2) && truth <= quantile((1 + INTERVAL_SHARE) / 2))
      result.held++
  }
  return result
}

function expectedShare(days: readonly string[], settled: number, model: SpendModel): number {
  const weigh = (list: readonly string[]) =>
    list.reduce((sum, day) => sum + model.on[weekdayOf(day)]! * Math.exp(model.effects[weekdayOf(day)]!), 0)
  const all = weigh(days)
  return all === 0 ? settled / days.length : weigh(days.slice(0, settled)) / all
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

/** The tolerance narrows from 75–125 % at the beginning of the month to 99–101 % at its end. */
export function statusOf(pacingPct: number | null, expectedShare: number): PacingStatus {
  if (pacingPct === null) return 'no_budget'
  const half = 25 - 24 * expectedShare
  if (pacingPct < 100 - half) return 'under'
  return pacingPct > 100 + half ? 'over' : 'on'
}

export function pacingOf(args: { budgetMinor: number | null; settledMinor: number; expectedShare: number }) {
  const { budgetMinor, settledMinor, expectedShare: share } = args
  if (budgetMinor === null || budgetMinor === 0) return null
  const dueMinor = budgetMinor * share
  return dueMinor === 0 ? 100 : (settledMinor / dueMinor) * 100
}

export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`
  const days: string[] = []
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day)
  return days
}
