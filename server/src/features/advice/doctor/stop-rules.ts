/**
 * Whether the daily counts of an event stopped or dropped at the end of a series. The expected number comes from the
 * days before, by weekday, with their own day-to-day variance; a drop is reported if so few events are improbable. Pure.
 */
import { varianceOfSum } from '../../../platform/statistics/dispersion.ts'

/** Minimum number of days before a drop, which the expected number is taken from. */
export const BASE_DAYS = 14
/** At most this share of the expected number is left. */
const REMAINING = 0.4
/** Natural logarithm of the largest probability of a drop by chance: once in 100,000 days of one event. */
const MAX_LOG_CHANCE = Math.log(1e-5)
/** A weekday's own level counts as much as the average level once the average would lead to this many events. */
const WEEKDAY_PRIOR = 5
/** Slow waves whose variance is measured; the same number for each tail, so that tails can be compared. */
const WAVES = 4
/** A single day may be a holiday, with a tenth of the usual events: it counts only if a holiday would have this many. */
const HOLIDAY_LEVEL = 0.1
const MIN_ON_HOLIDAY = 5
/** A stop that is not found within two weeks counts as not noticed. */
const NOTICED_WITHIN_DAYS = 14

export type Drop = { days: number; missing: number }

/**
 * `series`: events per day, oldest first. The most improbable tail, if one is improbable enough; after a complete stop
 * all days without an event.
 */
export function findDrop(series: readonly number[]): Drop | undefined {
  const counts = series.slice(
    Math.max(
      0,
      series.findIndex((count) => count > 0),
    ),
  )
  if (counts.at(-1)! > Math.max(1, REMAINING * Math.max(...counts))) return undefined
  let found: (Drop & { logChance: number }) | undefined
  for (let days = 1; days <= counts.length - BASE_DAYS; days++) {
    const drop = assessTail(counts.slice(0, -days), counts.slice(-days))
    if (drop !== undefined && (found === undefined || drop.logChance < found.logChance))
      found = { ...drop, days }
  }
  if (found === undefined) return undefined
  const quiet = counts.length - 1 - counts.findLastIndex((count) => count > 0)
  return { days: Math.max(found.days, quiet), missing: found.missing }
}

/** Whether a complete stop after these days would be found within two weeks. */
export function wouldNoticeStop(series: readonly number[]): boolean {
  const base = series.slice(
    Math.max(
      0,
      series.findIndex((count) => count > 0),
    ),
  )
  return (
    base.length >= BASE_DAYS && assessTail(base, Array<number>(NOTICED_WITHIN_DAYS).fill(0)) !== undefined
  )
}

function assessTail(base: readonly number[], tail: readonly number[]) {
  const usual = usualDays(base)
  const expected = tail.map((_, index) => usual.meanOf(base.length + index))
  const [mean, count] = [sum(expected), sum(tail)]
  if (tail.length === 1 && mean * HOLIDAY_LEVEL < MIN_ON_HOLIDAY) return undefined
  if (mean === 0 || !isLowThroughout(tail, expected)) return undefined
  if (count >= REMAINING * weakestWindow(base, usual.meanOf, tail.length, mean)) return undefined
  const logChance = logChanceOfAtMost(count, mean, usual.dispersion * (1 + mean / sum(base)))
  return logChance <= MAX_LOG_CHANCE ? { missing: Math.round(mean) - count, logChance } : undefined
}

/** If events came back on the last days, the drop is over; one stray event is not a return. */
function isLowThroughout(tail: readonly number[], expected: readonly number[]): boolean {
  let [count, mean] = [0, 0]
  for (let index = tail.length - 1; index >= 0; index--) {
    count += tail[index]!
    mean += expected[index]!
    if (count > Math.max(1, REMAINING * mean)) return false
  }
  return true
}

/** The fewest events in as many successive days of the base, of those in which at least half as many were expected. */
function weakestWindow(
  base: readonly number[],
  meanOf: (index: number) => number,
  days: number,
  mean: number,
): number {
  let weakest = Number.POSITIVE_INFINITY
  for (let start = 0; start + days <= base.length; start++) {
    const expected = sum(base.slice(start, start + days).map((_, index) => meanOf(start + index)))
    if (expected >= mean / 2) weakest = Math.min(weakest, sum(base.slice(start, start + days)))
  }
  return weakest
}

/** Expected number of a day by its weekday, and the variance of sums of days relative to a Poisson count. */
function usualDays(base: readonly number[]) {
  const average = sum(base) / base.length
  const ofWeekday = Array.from({ length: 7 }, (_, weekday) => {
    const days = base.filter((_, index) => index % 7 === weekday)
    return (average * (sum(days) + WEEKDAY_PRIOR)) / (average * days.length + WEEKDAY_PRIOR)
  })
  const meanOf = (index: number) => ofWeekday[index % 7]!
  const residuals = base.map((count, index) => count - meanOf(index))
  const expected = sum(base.map((_, index) => meanOf(index)))
  const daily = sum(residuals.map((residual) => residual ** 2)) / expected
  const persistent = varianceOfSum(residuals, WAVES).variance / expected
  return { meanOf, dispersion: Math.max(1, daily, persistent) }
}

/** Upper bound (Chernoff) of the probability that a negative binomial count is at most `count`, as a logarithm. */
function logChanceOfAtMost(count: number, mean: number, dispersion: number): number {
  const size = mean / (dispersion - 1)
  const ofCount = count === 0 ? 0 : count * Math.log(count / mean)
  return (count + size) * Math.log((count + size) / (mean + size)) - ofCount
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
