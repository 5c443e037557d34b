/** How long ads of a cohort run (Kaplan and Meier): those that still run count for as long as they have been seen to. */

export type Lifetime = { days: number; ended: boolean }

const MIN_ADS = 8
const MIN_ENDS = 5
/** Beyond what was seen nothing is foretold. */
const MAX_DAYS = 365

/**
 * The median of the days still to come for an ad that has run `age` days; null where too few have ended, or where
 * fewer than half of those that reach this age were seen to end.
 */
export function medianRemaining(lifetimes: readonly Lifetime[], age: number): number | null {
  if (lifetimes.length < MIN_ADS || lifetimes.filter(({ ended }) => ended).length < MIN_ENDS) return null
  const sorted = lifetimes.toSorted((a, b) => a.days - b.days)
  let survival = 1
  let atRisk = sorted.length
  for (let at = 0; at < sorted.length; ) {
    const { days } = sorted[at]!
    let [ends, leaving] = [0, 0]
    for (; at < sorted.length && sorted[at]!.days === days; at++, leaving++) if (sorted[at]!.ended) ends++
    if (days > age) {
      survival *= 1 - ends / atRisk
      if (survival <= 0.5) return Math.min(MAX_DAYS, days) - age
    }
    atRisk -= leaving
  }
  return null
}
