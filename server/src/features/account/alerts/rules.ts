/**
 * When an alert fires. A rule is evaluated once per closed day, in order. It fires on the first breach and not again
 * until the figure recovered past a margin and 7 days, or as many as it sums, passed. Few payments are no evidence, and a change that the
 * profile often shows is none either, so that noise stays silent. Pure.
 */
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import type { AlertFigure } from './contract.ts'

export type Metric = 'spend' | 'revenue' | 'roas' | 'cac' | 'conversions'
/** `threshold` is in minor units, thousandths of a ROAS, payments, or thousandths of a change. */
export type Threshold = {
  metric: Metric
  direction: 'above' | 'below'
  comparison: 'value' | 'change'
  threshold: number
  windowDays: number
  minConversions: number
}

/** The sums of one day or of several. `revenue` and `conversions` are a campaign's credited ones if the rule has one. */
export type DaySums = {
  spend: number
  revenue: number
  conversions: number
  credited: number
  creditedConversions: number
  /** Facts without an exchange rate, of each kind of money. */
  unratedSpend: number
  unratedRevenue: number
  unratedCredited: number
}
export type Series = ReadonlyMap<string, DaySums>

const nothing: DaySums = {
  spend: 0,
  revenue: 0,
  conversions: 0,
  credited: 0,
  creditedConversions: 0,
  unratedSpend: 0,
  unratedRevenue: 0,
  unratedCredited: 0,
}

/** The figure has to come back this many percent further than the threshold. */
const VALUE_MARGIN = 10
const CHANGE_MARGIN = 25
const REPEAT_GAP_DAYS = 7
/** A change is unusual if at most this share of the earlier ones was as large. */
const USUAL_SHARE = 0.02
const HISTORY_DAYS = 84
const MIN_HISTORY = 14
const CALM_DAYS = 2
/** Closed days in a row that decide nothing, after which a rule that fires ends. */
export const END_DAYS = 14

/** Days before the evaluated one that a figure can read. */
export const READ_DAYS = HISTORY_DAYS + 3 * 28

/** Values in the units of the threshold; the contract's shape with decimals is made where it is shown. */
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

export function figureOf(series: Series, rule: Threshold, day: string): Figure {
  const { windowDays } = rule
  const from = addDays(day, 1 - windowDays)
  const { now, before } = windowsOf(series, rule, day)
  const value = figureValue(now, rule.metric)
  const valueBefore = figureValue(before, rule.metric)
  const conversions = evidenceOf(now, rule.metric)
  const conversionsBefore = evidenceOf(before, rule.metric)
  const change = changeOf(value, valueBefore)
  const figure = { from, to: day, value, before: valueBefore, change, conversions, conversionsBefore }
  const unknown = (reason: AlertFigure['reason']): Figure => ({
    ...figure,
    verdict: 'unknown',
    reason,
    checkIds: [],
  })
  const lacksRate = (sums: DaySums) => unratedOf(sums, rule.metric) > 0
  if (lacksRate(now) || (rule.comparison === 'change' && lacksRate(before)))
    return unknown('exchange_rate_missing')
  if (isTooFew(rule, conversions, conversionsBefore)) return unknown('too_few_conversions')
  const judged = (verdict: Figure['verdict'], reason: Figure['reason'] = null): Figure => ({
    ...figure,
    verdict,
    reason,
    checkIds: [],
  })
  // Spend without any payment is a cost per payment above every threshold, and risen from whatever it was.
  const isEndless = rule.metric === 'cac' && value === null && now.spend > 0
  if (isEndless && (rule.comparison === 'value' || valueBefore !== null))
    return judged(rule.direction === 'above' ? 'breach' : 'clear')
  if (rule.comparison === 'value') {
    if (value === null) return unknown('no_spend')
    return judged(verdictOf(value, rule.threshold, rule.direction, VALUE_MARGIN))
  }
  if (change === null) return unknown('nothing_to_compare')
  const signed = rule.direction === 'above' ? change : -change
  const verdict = verdictOf(signed, rule.threshold, 'above', CHANGE_MARGIN)
  if (verdict !== 'breach') return judged(verdict)
  const earlier = earlierChanges(series, rule, day)
  if (earlier.length < MIN_HISTORY) return unknown('too_little_history')
  const asLarge = earlier.filter((one) => (rule.direction === 'above' ? one : -one) >= signed).length
  return asLarge > earlier.length * USUAL_SHARE ? judged('between', 'usual_change') : judged('breach')
}

function verdictOf(value: number, limit: number, direction: 'above' | 'below', margin: number) {
  const past = direction === 'above' ? value > limit : value < limit
  if (past) return 'breach'
  const back =
    direction === 'above' ? value * 100 <= limit * (100 - margin) : value * 100 >= limit * (100 + margin)
  return back ? 'clear' : 'between'
}

/**
 * Falling to few payments is the finding itself, so there the days before count too; a rise from few is none. The value
 * of a ratio of few payments is chance, so there only falling to none is.
 */
function isTooFew(rule: Threshold, now: number, before: number): boolean {
  const { metric, direction, comparison, minConversions } = rule
  if (metric === 'spend') return false
  const isDrop = metric === 'cac' ? direction === 'above' : direction === 'below'
  const isRatio = comparison === 'value' && (metric === 'roas' || metric === 'cac')
  return (isDrop && !(isRatio && now > 0) ? Math.max(now, before) : now) < minConversions
}

function windowsOf(series: Series, { windowDays }: Threshold, day: string) {
  // A Monday is compared with a Monday: weekends would fire every week.
  const back = windowDays === 1 ? 7 : windowDays
  return { now: sumOf(series, day, windowDays), before: sumOf(series, addDays(day, -back), windowDays) }
}

function sumOf(series: Series, to: string, days: number): DaySums {
  let sum = nothing
  for (let back = 0; back < days; back += 1) {
    const row = series.get(addDays(to, -back))
    if (row === undefined) continue
    sum = {
      spend: sum.spend + row.spend,
      revenue: sum.revenue + row.revenue,
      conversions: sum.conversions + row.conversions,
      credited: sum.credited + row.credited,
      creditedConversions: sum.creditedConversions + row.creditedConversions,
      unratedSpend: sum.unratedSpend + row.unratedSpend,
      unratedRevenue: sum.unratedRevenue + row.unratedRevenue,
      unratedCredited: sum.unratedCredited + row.unratedCredited,
    }
  }
  return sum
}

function figureValue(sums: DaySums, metric: Metric): number | null {
  switch (metric) {
    case 'spend':
      return sums.spend
    case 'revenue':
      return sums.revenue
    case 'conversions':
      return sums.conversions
    case 'roas':
      return sums.spend === 0 ? null : Math.round((sums.credited * 1000) / sums.spend)
    case 'cac':
      return sums.creditedConversions === 0 ? null : Math.round(sums.spend / sums.creditedConversions)
  }
}

/** Facts without an exchange rate that the figure needs. */
function unratedOf(sums: DaySums, metric: Metric): number {
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

/** Payments that the figure is made of. */
function evidenceOf(sums: DaySums, metric: Metric): number {
  return metric === 'roas' || metric === 'cac' ? sums.creditedConversions : sums.conversions
}

function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before <= 0 ? null : Math.round(((now - before) * 1000) / before)
}

/** Of days whose window does not overlap with the evaluated one. */
function earlierChanges(series: Series, rule: Threshold, day: string): number[] {
  const changes: number[] = []
  for (let back = rule.windowDays; back < rule.windowDays + HISTORY_DAYS; back += 1) {
    const { now, before } = windowsOf(series, rule, addDays(day, -back))
    const change = changeOf(figureValue(now, rule.metric), figureValue(before, rule.metric))
    if (change !== null) changes.push(change)
  }
  return changes
}

/** `calmDays`: of findings those without any, of a threshold that fires those that decided nothing. */
export type RuleState = { state: 'ok' | 'firing'; firedOn: string | null; calmDays: number }
/** `ended`: no more data, so it is unknown whether it recovered. */
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

/** A check that was not open before fires also while others are; closed ones recover after two days without any. */
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

/** What a rule would have done on these days, from a quiet start. */
export function replay(series: Series, rule: Threshold, days: readonly string[]) {
  let state: RuleState = { state: 'ok', firedOn: null, calmDays: 0 }
  const fired: { day: string; recoveredOn: string | null; figure: Figure }[] = []
  let unknownDays = 0
  for (const day of days) {
    const figure = figureOf(series, rule, day)
    if (figure.verdict === 'unknown') unknownDays += 1
    const { after, change } = step(state, figure, rule.windowDays)
    state = after
    if (change === 'fired') fired.push({ day, recoveredOn: null, figure })
    if (change === 'recovered' || change === 'ended') fired.at(-1)!.recoveredOn = day
  }
  return { fired, unknownDays }
}
