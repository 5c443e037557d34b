/** How long ads of a peer group run (Kaplan and Meier): those that still run count for as long as they have been seen to. */

export type Lifetime = { days: number; ended: boolean }

const MIN_ADS = 8
const MIN_ENDS = 5
/** Beyond what was seen nothing is foretold. */
const MAX_DAYS = 365

/**
 * By how many days an ad has run, the median of the days still to come; null where too few have ended, or where fewer
 * than half of those that reach this age were seen to end.
 */
export function remainingBy(lifetimes: readonly Lifetime[]): (age: number) => number | null {
  if (lifetimes.length < MIN_ADS || lifetimes.filter(({ ended }) => ended).length < MIN_ENDS)
    return () => null
  const steps = survivalSteps(lifetimes)
  const known = new Map<number, number | null>()
  return (age) => {
    if (!known.has(age)) known.set(age, medianAfter(steps, age))
    return known.get(age)!
  }
}

type Step = { days: number; kept: number }

/** The share of those still running at each length that ran on. */
function survivalSteps(lifetimes: readonly Lifetime[]): Step[] {
  const sorted = lifetimes.toSorted((a, b) => a.days - b.days)
  const steps: Step[] = []
  let atRisk = sorted.length
  for (let at = 0; at < sorted.length; ) {
    const { days } = sorted[at]!
    let [ends, leaving] = [0, 0]
    for (; at < sorted.length && sorted[at]!.days === days; at++, leaving++) if (sorted[at]!.ended) ends++
    steps.push({ days, kept: 1 - ends / atRisk })
    atRisk -= leaving
  }
  return steps
}

function medianAfter(steps: readonly Step[], age: number): number | null {
  let survival = 1
  for (const { days, kept } of steps) {
    if (days <= age) continue
    survival *= kept
    if (survival <= 0.5) return Math.min(MAX_DAYS, days) - age
  }
  return null
}
