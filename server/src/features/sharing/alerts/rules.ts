/**
 * Decides when an alert fires. A rule is evaluated once per closed day, in order. It fires on the first breach, and again
 * only after the figure recovered past a margin and max(7, windowDays) days passed. Noise is filtered in two ways: a
 * minimum number of payments, and no alert for a change of a size that the profile often shows. Pure.
 */
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import {
  changeInThousandths,
  type DaySums,
  exactFigure,
  HISTORY_DAYS,
  type Metric,
  MIN_HISTORY,
  type Series,
  sumDays,
  USUAL_SHARE,
} from '../../figures/daily-sums/rules.ts'
import type { AlertFigure } from './contract.ts'

/** `threshold` is in minor units, thousandths of a ROAS, payments, or thousandths of a change. */
export type Threshold = {
  metric: Metric
  direction: 'above' | 'below'
  comparison: 'value' | 'change'
  threshold: number
  windowDays: number
  minConversions: number
}

/** Recovery margin in percent: how far past the threshold the figure has to return. */
const VALUE_MARGIN = 10
const CHANGE_MARGIN = 25
const REPEAT_GAP_DAYS = 7
const CALM_DAYS = 2
/** A firing rule ends after this many consecutive closed days without a verdict. */
export const END_DAYS = 14

/** Values in the units of the threshold; `toFigure` converts them to the contract's decimals. Stored as JSON. */
export type Figure = {
  from: string
  to: string
  value: number | null
  before: number | null
  /** In thousandths. */
  change: number | null
  conversions: number
  conversionsBefore: number
  verdict: AlertFigure['verdict']
  reason: AlertFigure['reason']
  checkIds: string[]
}

export function needsSpend({ metric }: Pick<Threshold, 'metric'>): boolean {
  return metric === 'spend' || metric === 'roas' || metric === 'cac'
}

export function evaluateFigure(series: Series, rule: Threshold, day: string): Figure {
  const { windowDays } = rule
  const from = addDays(day, 1 - windowDays)
  const { now, before } = compareWindows(series, rule, day)
  const value = roundedFigure(now, rule.metric)
  const valueBefore = roundedFigure(before, rule.metric)
  const conversions = countPayments(now, rule.metric)
  const conversionsBefore = countPayments(before, rule.metric)
  const change = changeInThousandths(exactFigure(now, rule.metric), exactFigure(before, rule.metric))
  const figure = { from, to: day, value, before: valueBefore, change, conversions, conversionsBefore }
  const unknown = (reason: AlertFigure['reason']): Figure => ({
    ...figure,
    verdict: 'unknown',
    reason,
    checkIds: [],
  })
  const lacksRate = (sums: DaySums) => countUnrated(sums, rule.metric) > 0
  if (lacksRate(now) || (rule.comparison === 'change' && lacksRate(before)))
    return unknown('exchange_rate_missing')
  if (isTooFew(rule, conversions, conversionsBefore)) return unknown('too_few_conversions')
  const withVerdict = (verdict: Figure['verdict'], reason: Figure['reason'] = null): Figure => ({
    ...figure,
    verdict,
    reason,
    checkIds: [],
  })
  // With spend but no payment the cost per payment is infinite: above every threshold, and higher than any value before.
  const isInfinite = rule.metric === 'cac' && value === null && now.spend > 0
  if (isInfinite && (rule.comparison === 'value' || valueBefore !== null))
    return withVerdict(rule.direction === 'above' ? 'breach' : 'clear')
  if (rule.comparison === 'value') {
    if (value === null) return unknown('no_spend')
    return withVerdict(compareWithThreshold(value, rule.threshold, rule.direction, VALUE_MARGIN))
  }
  if (change === null) return unknown('nothing_to_compare')
  const signed = rule.direction === 'above' ? change : -change
  const verdict = compareWithThreshold(signed, rule.threshold, 'above', CHANGE_MARGIN)
  if (verdict !== 'breach') return withVerdict(verdict)
  const earlier = earlierChanges(series, rule, day)
  if (earlier.length < MIN_HISTORY) return unknown('too_little_history')
  const asLarge = earlier.filter((past) => (rule.direction === 'above' ? past : -past) >= signed).length
  return asLarge > earlier.length * USUAL_SHARE
    ? withVerdict('between', 'usual_change')
    : withVerdict('breach')
}

function compareWithThreshold(value: number, limit: number, direction: 'above' | 'below', margin: number) {
  const isBreach = direction === 'above' ? value > limit : value < limit
  if (isBreach) return 'breach'
  const isClear =
    direction === 'above' ? value * 100 <= limit * (100 - margin) : value * 100 >= limit * (100 + margin)
  return isClear ? 'clear' : 'between'
}

/**
 * A drop to few payments is what the alert is for, so for drops the earlier period may supply the minimum; a rise from
 * few payments is not evaluated. The value of a ratio over few payments is chance, so for it only a drop to zero counts.
 */
function isTooFew(rule: Threshold, now: number, before: number): boolean {
  const { metric, direction, comparison, minConversions } = rule
  if (metric === 'spend') return false
  const isDrop = metric === 'cac' ? direction === 'above' : direction === 'below'
  const isRatio = comparison === 'value' && (metric === 'roas' || metric === 'cac')
  return (isDrop && !(isRatio && now > 0) ? Math.max(now, before) : now) < minConversions
}

function compareWindows(series: Series, { windowDays }: Threshold, day: string) {
  // Compare a Monday with a Monday: otherwise weekends would fire every week.
  const offset = windowDays === 1 ? 7 : windowDays
  return { now: sumDays(series, day, windowDays), before: sumDays(series, addDays(day, -offset), windowDays) }
}

/** In the units of the threshold. */
function roundedFigure(sums: DaySums, metric: Metric): number | null {
  const figure = exactFigure(sums, metric)
  return figure && Math.round((figure.amount * (metric === 'roas' ? 1000 : 1)) / figure.divisor)
}

/** Number of facts without an exchange rate that the metric depends on. */
function countUnrated(sums: DaySums, metric: Metric): number {
  switch (metric) {
    case 'conversions':
      return 0
    case 'revenue':
      return sums.unratedRevenue
    case 'roas':
      return sums.unratedSpend + sums.unratedCredited
    default:
      return sums.unratedSpend
  }
}

/** Number of payments that the figure is based on. */
function countPayments(sums: DaySums, metric: Metric): number {
  return metric === 'roas' || metric === 'cac' ? sums.creditedConversions : sums.conversions
}

/** Changes on earlier days whose window does not overlap with the evaluated one. */
function earlierChanges(series: Series, rule: Threshold, day: string): number[] {
  const changes: number[] = []
  for (let daysBack = rule.windowDays; daysBack < rule.windowDays + HISTORY_DAYS; daysBack += 1) {
    const { now, before } = compareWindows(series, rule, addDays(day, -daysBack))
    const change = changeInThousandths(exactFigure(now, rule.metric), exactFigure(before, rule.metric))
    if (change !== null) changes.push(change)
  }
  return changes
}

/** `calmDays`: consecutive days without a finding, or, for a firing threshold, without a verdict. */
export type RuleState = { state: 'ok' | 'firing'; firedOn: string | null; calmDays: number }
/** `ended`: data stopped arriving, so it is unknown whether the figure recovered. */
export type Change = 'fired' | 'recovered' | 'ended' | null

export function step(
  before: RuleState,
  { to: day, verdict }: Pick<Figure, 'to' | 'verdict'>,
  windowDays: number,
): { after: RuleState; change: Change } {
  const gap = Math.max(REPEAT_GAP_DAYS, windowDays)
  const mayFire = before.firedOn === null || dayNumber(day) - dayNumber(before.firedOn) >= gap
  if (before.state === 'ok' && verdict === 'breach' && mayFire)
    return { after: { state: 'firing', firedOn: day, calmDays: 0 }, change: 'fired' }
  if (before.state === 'firing' && verdict === 'clear')
    return { after: { ...before, state: 'ok', calmDays: 0 }, change: 'recovered' }
  const calmDays = before.state === 'firing' && verdict === 'unknown' ? before.calmDays + 1 : 0
  if (calmDays >= END_DAYS) return { after: { ...before, state: 'ok', calmDays: 0 }, change: 'ended' }
  return { after: { ...before, calmDays }, change: null }
}

/** A newly opened check fires even while others are open. The rule recovers after two days without an open check. */
export function stepFinding(
  before: RuleState & { announced: readonly string[] },
  open: readonly string[],
  day: string,
): { after: RuleState & { announced: string[] }; change: Change } {
  const announced = [...new Set([...before.announced, ...open])].sort()
  const isNew = announced.length > before.announced.length
  if (isNew) return { after: { state: 'firing', firedOn: day, calmDays: 0, announced }, change: 'fired' }
  const calmDays = open.length === 0 ? before.calmDays + 1 : 0
  if (before.state === 'firing' && calmDays >= CALM_DAYS)
    return { after: { ...before, state: 'ok', calmDays: 0, announced: [] }, change: 'recovered' }
  return { after: { ...before, calmDays, announced }, change: null }
}

/** Simulates the rule over these days, starting as not firing. */
export function replay(series: Series, rule: Threshold, days: readonly string[]) {
  let state: RuleState = { state: 'ok', firedOn: null, calmDays: 0 }
  const fired: { day: string; recoveredOn: string | null; figure: Figure }[] = []
  let unknownDays = 0
  for (const day of days) {
    const figure = evaluateFigure(series, rule, day)
    if (figure.verdict === 'unknown') unknownDays += 1
    const { after, change } = step(state, figure, rule.windowDays)
    state = after
    if (change === 'fired') fired.push({ day, recoveredOn: null, figure })
    if (change === 'recovered' || change === 'ended') fired.at(-1)!.recoveredOn = day
  }
  return { fired, unknownDays }
}
