/**
 * How long people take from the touch to the conversion. A click of yesterday has had one day to convert; counting it
 * like a click of last month would call every new ad bad. So clicks are weighted by the share of conversions that
 * can have come in by now.
 */
import { type ScoreWindow, windowDays } from './counts.ts'

/** Conversions by whole days since the touch; the last place holds all that took longer. */
export const MAX_LAG_DAYS = 60

/** So many conversions of a usual business stand next to the profile's own until it has enough. */
const ASSUMED_CONVERSIONS = 20
/** Of those 40 % convert on the day, and 40 % of the rest on each day after. */
const ASSUMED_DAILY_SHARE = 0.4

/** The share of conversions that came within `index` days of the touch. */
export function lagDistribution(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const distribution: number[] = []
  let seen = 0
  for (let days = 0; days <= MAX_LAG_DAYS; days++) {
    seen += counts[days] ?? 0
    const assumed = days === MAX_LAG_DAYS ? 1 : 1 - (1 - ASSUMED_DAILY_SHARE) ** (days + 1)
    distribution.push((seen + ASSUMED_CONVERSIONS * assumed) / (total + ASSUMED_CONVERSIONS))
  }
  return distribution
}

/** The days after which this share of conversions has come in; the longest where it never has. */
export function daysUntilShare(counts: readonly number[], share: number): number {
  const days = lagDistribution(counts).findIndex((within) => within >= share)
  return days === -1 ? MAX_LAG_DAYS : days
}

const shareWithin = (distribution: readonly number[], days: number): number =>
  days < 0 ? 0 : distribution[Math.min(days, MAX_LAG_DAYS)]!

/** Clicks older than this weigh nothing in a window (all in `lifetime`). */
export const MAX_CLICK_AGE = 28 + MAX_LAG_DAYS

/**
 * What a click of each age weighs in a window, in millionths; the last place is for all that are older. Credit is on the conversion's day, so the window
 * holds what its older clicks still brought and lacks what its newest will bring: F(age) − F(age − days).
 */
export function clickWeights(distribution: readonly number[], window: ScoreWindow): number[] {
  const days = windowDays[window]
  return Array.from({ length: MAX_CLICK_AGE + 2 }, (_, age) => {
    const before = days === null ? 0 : shareWithin(distribution, age - days)
    return Math.round((shareWithin(distribution, age) - before) * 1e6)
  })
}
