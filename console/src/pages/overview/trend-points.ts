import type { Point } from '../../charts/series.ts'
import { sumMoney } from '../../format/sums.ts'
import { dayText, rangeText } from '../../format/times.ts'

/** Amounts are null without an exchange rate. */
export type Day = { date: string; revenue: number | null; spend: number | null }

const MAX_DAYS = 62
const WEEK = 7

/** Compares days with those at the same position of the previous period; a long range is shown in weeks. */
export function trendPoints(days: readonly Day[], before: readonly Day[] | undefined): Point[] {
  const size = days.length > MAX_DAYS ? WEEK : 1
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const [from, to] = [index * size, (index + 1) * size]
    const part = days.slice(from, to)
    const past = before?.slice(from, to) ?? []
    return {
      label: dayText(part[0]!.date),
      title: periodText(part),
      days: { from: part[0]!.date, to: part.at(-1)!.date },
      values: {
        revenue: sumKnown(part.map((day) => day.revenue)),
        spend: sumKnown(part.map((day) => day.spend)),
        ...(past.length > 0 ? { revenueBefore: sumKnown(past.map((day) => day.revenue)) } : {}),
      },
      ...(past.length > 0 ? { dates: { revenueBefore: periodText(past) } } : {}),
    }
  })
}

/** Skips days without an exchange rate; if no day has one, the sum is null, not 0. */
function sumKnown(amounts: readonly (number | null)[]): number | null {
  const convertible = amounts.filter((amount) => amount !== null)
  return convertible.length === 0 ? null : sumMoney(convertible)
}

function periodText(part: readonly Day[]): string {
  return rangeText(part[0]!.date, part.at(-1)!.date)
}
