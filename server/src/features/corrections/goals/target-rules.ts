/** Progress of a goal towards its target, from closed days only. Pure. */
import { addDays, dayNumber, listDays } from '../../../platform/contract/dates.ts'

export type Metric = 'count' | 'value' | 'cac' | 'roas'
export type Period = 'week' | 'month'
/** `target` is a count, minor units, or thousandths of a ROAS. */
export type Target = { metric: Metric; period: Period; target: number }
export type TargetDay = {
  day: string
  count: number
  valueMinor: number
  spendMinor: number
  unrated: number
}
export type Progress = {
  from: string
  to: string
  /** The last closed day; null on the first day of the period. */
  through: string | null
  actual: number | null
  expected: number | null
  status: 'ahead' | 'on_track' | 'behind' | 'too_early' | 'unknown'
}

/** Days before the period that the weekday pattern is calculated from. */
export const SHAPE_DAYS = 56
/** Outcomes, actual or expected, below which the status is `too_early`. */
const MIN_OUTCOMES = 5
/** Money gets a status after this many closed days, regardless of the number of outcomes. */
const LONG_DAYS = 7
const TOLERANCE = 0.1

/** Monday to Sunday, or the calendar month. */
export function periodOf(period: Period, today: string): { from: string; to: string } {
  if (period === 'week') {
    // Day 0 was a Thursday.
    const from = addDays(today, -((dayNumber(today) + 3) % 7))
    return { from, to: addDays(from, 6) }
  }
  const from = `${today.slice(0, 7)}-01`
  const next = addDays(from, 31)
  return { from, to: addDays(`${next.slice(0, 7)}-01`, -1) }
}

/** `adDataThrough`: the last day with complete ad data; metrics that need spend end there. */
export function progressOf(
  target: Target,
  days: readonly TargetDay[],
  today: string,
  adDataThrough = addDays(today, -1),
): Progress {
  const { from, to } = periodOf(target.period, today)
  const needsSpend = target.metric === 'cac' || target.metric === 'roas'
  const yesterday = addDays(today, -1)
  const through = needsSpend && adDataThrough < yesterday ? adDataThrough : yesterday
  if (through < from) return { from, to, through: null, actual: null, expected: null, status: 'too_early' }
  const closedDays = days.filter(({ day }) => day >= from && day <= through)
  const sum = (measure: (row: TargetDay) => number) =>
    closedDays.reduce((total, row) => total + measure(row), 0)
  const count = sum((row) => row.count)
  const value = sum((row) => row.valueMinor)
  const spend = sum((row) => row.spendMinor)
  const span = { from, to, through }
  if (target.metric !== 'count' && sum((row) => row.unrated) > 0)
    return { ...span, actual: null, expected: null, status: 'unknown' }
  if (needsSpend && spend <= 0) return { ...span, actual: null, expected: target.target, status: 'too_early' }
  if (target.metric === 'cac') {
    // A lower cost is better. The outcomes that the spend should have brought count as evidence too.
    const expectedCount = spend / target.target
    const actual = count === 0 ? null : Math.round(spend / count)
    return {
      ...span,
      actual,
      expected: target.target,
      status: statusOf(count / expectedCount, Math.max(count, expectedCount)),
    }
  }
  if (target.metric === 'roas') {
    const actual = Math.round((value * 1000) / spend)
    return { ...span, actual, expected: target.target, status: statusOf(actual / target.target, count) }
  }
  const actual = target.metric === 'count' ? count : value
  const expected = Math.round(target.target * shareOf(target.metric, days, { from, to, through }))
  const isLong = dayNumber(through) - dayNumber(from) + 1 >= LONG_DAYS
  const evidence = target.metric === 'count' ? Math.max(expected, count) : isLong ? MIN_OUTCOMES : count
  return {
    ...span,
    actual,
    expected,
    status: statusOf(expected === 0 ? null : actual / expected, evidence),
  }
}

function statusOf(ratio: number | null, evidence: number): Progress['status'] {
  if (ratio === null || evidence < MIN_OUTCOMES) return 'too_early'
  if (ratio >= 1 + TOLERANCE) return 'ahead'
  return ratio >= 1 - TOLERANCE ? 'on_track' : 'behind'
}

/** The share of the target that is due by now. Weekdays are weighted as in the weeks before, equally if any has no data. */
function shareOf(
  metric: 'count' | 'value',
  days: readonly TargetDay[],
  { from, to, through }: { from: string; to: string; through: string },
): number {
  const weights = Array.from({ length: 7 }, () => 0)
  for (const row of days)
    if (row.day < from && row.day >= addDays(from, -SHAPE_DAYS))
      weights[dayNumber(row.day) % 7]! += Math.max(0, metric === 'count' ? row.count : row.valueMinor)
  const hasAllWeekdays = weights.every((weight) => weight > 0)
  const sum = (list: readonly string[]) =>
    list.reduce((total, day) => total + (hasAllWeekdays ? weights[dayNumber(day) % 7]! : 1), 0)
  return sum(listDays(from, through)) / sum(listDays(from, to))
}
