/**
 * Sums of days, the figures over them, and whether the profile often shows a change of a figure of this size: alerts
 * and briefs share the decision. Pure.
 */
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'

export type Metric = 'spend' | 'revenue' | 'roas' | 'cac' | 'conversions'

/** Sums of one or several days. If the rule has a campaign, `revenue` and `conversions` are those credited to it. */
export type DaySums = {
  spend: number
  revenue: number
  conversions: number
  credited: number
  creditedConversions: number
  /** Number of facts without an exchange rate, per kind of money. */
  unratedSpend: number
  unratedRevenue: number
  unratedCredited: number
}
export type Series = ReadonlyMap<string, DaySums>

const zeroSums: DaySums = {
  spend: 0,
  revenue: 0,
  conversions: 0,
  credited: 0,
  creditedConversions: 0,
  unratedSpend: 0,
  unratedRevenue: 0,
  unratedCredited: 0,
}

/** A change is unusual if at most this share of earlier changes was as large. */
export const USUAL_SHARE = 0.02
export const HISTORY_DAYS = 84
export const MIN_HISTORY = 14

/** How many days before the evaluated day a figure can depend on. */
export const READ_DAYS = HISTORY_DAYS + 3 * 28

export function sumDays(series: Series, to: string, days: number): DaySums {
  let sum = zeroSums
  for (let daysBack = 0; daysBack < days; daysBack += 1) {
    const row = series.get(addDays(to, -daysBack))
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

/** A figure as an exact fraction: changes computed from rounded ratios would be wrong where the ratio is small. */
type Fraction = { amount: number; divisor: number }

export function exactFigure(sums: DaySums, metric: Metric): Fraction | null {
  const over = (amount: number, divisor: number) => (divisor <= 0 ? null : { amount, divisor })
  switch (metric) {
    case 'spend':
    case 'revenue':
    case 'conversions':
      return { amount: sums[metric], divisor: 1 }
    case 'roas':
      return over(sums.credited, sums.spend)
    case 'cac':
      return over(sums.spend, sums.creditedConversions)
  }
}

export function changeInThousandths(now: Fraction | null, before: Fraction | null): number | null {
  if (now === null || before === null || before.amount <= 0) return null
  const part = BigInt(now.amount) * BigInt(before.divisor) * 1000n
  const whole = BigInt(now.divisor) * BigInt(before.amount)
  return Number(roundedQuotient(part, whole)) - 1000
}

/** Half up, as `Math.round`; the divisor is positive. */
function roundedQuotient(amount: bigint, divisor: bigint): bigint {
  const doubled = 2n * amount + divisor
  const quotient = doubled / (2n * divisor)
  return doubled % (2n * divisor) < 0n ? quotient - 1n : quotient
}

/** Longer ranges do not fit into the days that are read. */
export const MAX_USUAL_DAYS = 28

/**
 * Whether the profile often shows a change of this size and direction between successive ranges of this length; false
 * if that is not known.
 */
export function isUsualChange(
  series: Series,
  metric: Metric,
  { from, to }: { from: string; to: string },
): boolean {
  const length = dayNumber(to) - dayNumber(from) + 1
  if (length > MAX_USUAL_DAYS) return false
  const changeUntil = (day: string) => {
    const figureUntil = (end: string) => exactFigure(sumDays(series, end, length), metric)
    return changeInThousandths(figureUntil(day), figureUntil(addDays(day, -length)))
  }
  const change = changeUntil(to)
  if (change === null || change === 0) return false
  const first = [...series.keys()].reduce((a, b) => (a < b ? a : b), to)
  const earlier: number[] = []
  for (let daysBack = length; daysBack < length + HISTORY_DAYS; daysBack += 1) {
    const day = addDays(to, -daysBack)
    const past = addDays(day, 1 - 2 * length) < first ? null : changeUntil(day)
    if (past !== null) earlier.push(past)
  }
  const asLarge = earlier.filter((past) => (change > 0 ? past >= change : past <= change)).length
  return earlier.length >= MIN_HISTORY && asLarge > earlier.length * USUAL_SHARE
}
