/** Pure arithmetic of the reports: which stored sums cover a range, and ratios of exact amounts. */
import { type DateRange, dayAt, dayNumber, parseDateRange } from '../../contract/dates.ts'
import { ApiError } from '../../contract/errors.ts'
import { findExponent } from '../../contract/money.ts'
import { spans } from '../attribution/rollups.ts'

export function readRange(query: {
  date_from?: string | undefined
  date_to?: string | undefined
}): DateRange {
  const parsed = parseDateRange(query.date_from, query.date_to)
  if (!parsed.ok) throw new ApiError('invalid_date_range', `${parsed.message}.`)
  return parsed.range
}

/** Single days, and first days of whole spans, that make up the range without overlap. */
export type Cover = { days: string[]; starts: { span: number; starts: string[] }[] }

export function coverRange(range: Pick<DateRange, 'from' | 'to'>): Cover {
  const cover: Cover = { days: [], starts: spans.map((span) => ({ span, starts: [] })) }
  const last = dayNumber(range.to)
  let day = dayNumber(range.from)
  while (day <= last) {
    const at = day
    const fit = cover.starts.find(({ span }) => at % span === 0 && at + span - 1 <= last)
    if (fit === undefined) cover.days.push(dayAt(day))
    else fit.starts.push(dayAt(day))
    day += fit?.span ?? 1
  }
  return cover
}

/** An exact quotient, to six decimals, half away from zero; null without a divisor. */
export function ratio(amount: number, divisor: number): number | null {
  if (divisor === 0) return null
  const [top, bottom] = [BigInt(Math.abs(amount)) * 1_000_000n, BigInt(Math.abs(divisor))]
  const millionths = Number((2n * top + bottom) / (2n * bottom))
  return (amount < 0 === divisor < 0 || millionths === 0 ? millionths : -millionths) / 1_000_000
}

/** An amount of money per thing, such as spend per click. */
export function moneyPer(amountMinor: number, things: number, currency: string): number | null {
  return ratio(amountMinor, things * 10 ** (findExponent(currency) ?? 2))
}

/** Providers of connections and names of imports, as the platform that touches name by their click ids. */
export function platformOf(source: string | null): string {
  switch (source) {
    case 'social_ads':
      return 'social'
    case 'engine_ads':
      return 'engine'
    default:
      return source ?? 'unknown'
  }
}

/** How a platform counts what it reports. */
export function reportedBasis(platform: string): string {
  switch (platform) {
    case 'social':
      return '7d_click_1d_view'
    case 'engine':
      return 'conversion_action_settings'
    default:
      return 'as_imported'
  }
}
