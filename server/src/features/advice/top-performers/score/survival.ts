/** Lifespans of ads of a peer group (Kaplan–Meier estimator); ads that still run are censored. */

export type Lifetime = { days: number; ended: boolean }

const MIN_ADS = 8
const MIN_ENDS = 5
/** Predictions are capped at this age. */
const MAX_DAYS = 365

/**
 * Median remaining days by age; null if too few ads have ended, or if survival from this age on does not fall to one
 * half.
 */
export function medianRemaining(lifetimes: readonly Lifetime[]): (age: number) => number | null {
  if (lifetimes.length < MIN_ADS || lifetimes.filter(({ ended }) => ended).length < MIN_ENDS)
    return () => null
  const steps = survivalSteps(lifetimes)
  const medians = new Map<number, number | null>()
  return (age) => {
    if (!medians.has(age)) medians.set(age, medianAfter(steps, age))
    return medians.get(age)!
  }
}

type Step = { days: number; kept: number }

/** The share of ads at risk at each length that continued. */
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
