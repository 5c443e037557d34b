/**
 * Conversion lags. Yesterday's click has had one day to convert; counting it like a click of last month would make every
 * new ad look bad. So clicks are weighted by the share of their conversions expected to have arrived by now.
 */
import { type ScoreWindow, windowDays } from './counts.ts'

/** Counts are by whole days since the touch; the last entry includes all longer lags. */
export const MAX_LAG_DAYS = 60

/** Prior: this many assumed conversions of a typical business are added to the profile's own. */
const ASSUMED_CONVERSIONS = 20
/** In the prior, 40 % convert on the same day, and 40 % of the remainder on each following day. */
const ASSUMED_DAILY_SHARE = 0.4

/** Cumulative share of conversions within `index` days of the touch. */
export function lagDistribution(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const distribution: number[] = []
  let cumulative = 0
  for (let days = 0; days <= MAX_LAG_DAYS; days++) {
    cumulative += counts[days] ?? 0
    const assumed = days === MAX_LAG_DAYS ? 1 : 1 - (1 - ASSUMED_DAILY_SHARE) ** (days + 1)
    distribution.push((cumulative + ASSUMED_CONVERSIONS * assumed) / (total + ASSUMED_CONVERSIONS))
  }
  return distribution
}

/** Days until this share of conversions has arrived; MAX_LAG_DAYS if it is never reached. */
export function daysUntilShare(counts: readonly number[], share: number): number {
  const days = lagDistribution(counts).findIndex((within) => within >= share)
  return days === -1 ? MAX_LAG_DAYS : days
}

const shareWithin = (distribution: readonly number[], days: number): number =>
  days < 0 ? 0 : distribution[Math.min(days, MAX_LAG_DAYS)]!

/** Clicks older than this have no weight in a window (full weight in `lifetime`). */
export const MAX_CLICK_AGE = 28 + MAX_LAG_DAYS

/**
 * Weight of a click of each age in a window, in millionths; the last entry is for all older clicks. Credit is on the
 * conversion's day, so a window contains late conversions of older clicks and lacks those of its newest clicks:
 * F(age) − F(age − days).
 */
export function clickWeights(distribution: readonly number[], window: ScoreWindow): number[] {
  const days = windowDays[window]
  return Array.from({ length: MAX_CLICK_AGE + 2 }, (_, age) => {
    const before = days === null ? 0 : shareWithin(distribution, age - days)
    return Math.round((shareWithin(distribution, age) - before) * 1e6)
  })
}
