import { sumMoney } from '../../format/sums.ts'
import { dayText } from '../../format/times.ts'

/** Null where no exchange rate is known. */
export type Day = { date: string; revenue: number | null; spend: number | null }
export type Point = { label: string; revenue: number; spend: number; revenueBefore: number | undefined }

const MAX_DAYS = 62
const WEEK = 7

/** Days lie over those of the period before by their place in it; a long range is told in weeks. */
export function trendPoints(days: readonly Day[], before: readonly Day[] | undefined): Point[] {
  const size = days.length > MAX_DAYS ? WEEK : 1
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const [from, to] = [index * size, (index + 1) * size]
    const part = days.slice(from, to)
    const past = before?.slice(from, to)
    return {
      label: pointLabel(part),
      revenue: sumMoney(part.map((day) => day.revenue ?? 0)),
      spend: sumMoney(part.map((day) => day.spend ?? 0)),
      revenueBefore: past && sumMoney(past.map((day) => day.revenue ?? 0)),
    }
  })
}

function pointLabel(part: readonly Day[]): string {
  const [first, last] = [part[0]!.date, part.at(-1)!.date]
  return first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`
}
