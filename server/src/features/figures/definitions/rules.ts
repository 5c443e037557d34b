/** Pure arithmetic for reports: which stored sums cover a range, and ratios of exact amounts. */
import {
  type DateRange,
  dayAt,
  dayNumber,
  listDays,
  parseDateRange,
} from '../../../platform/contract/dates.ts'
import { spans } from '../../../platform/contract/day-spans.ts'
import { findExponent } from '../../../platform/contract/money.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'

export function readRange(query: {
  date_from?: string | undefined
  date_to?: string | undefined
}): DateRange | Refusal {
  const parsed = parseDateRange(query.date_from, query.date_to)
  if (parsed.ok) return parsed.range
  return new Refusal('invalid_date_range', `${parsed.problem}.`, { field: parsed.field })
}

export function readAsOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}

/** Stored sums that cover a range: those starting at `plus` less those starting at `minus`. A single day is a span of 1. */
export type Cover = { span: number; plus: string[]; minus: string[] }[]
type Days = Pick<DateRange, 'from' | 'to'>

const sizes = [...spans, 1]

/** Without overlap and subtraction, for sums that must distinguish null from zero. */
export function coverRange(range: Days, asOf?: Date): Cover {
  if (asOf !== undefined) return [{ span: 1, plus: listDays(range.from, range.to), minus: [] }]
  const cover = sizes.map((span) => ({ span, plus: [] as string[], minus: [] as string[] }))
  const last = dayNumber(range.to)
  for (let day = dayNumber(range.from); day <= last; ) {
    const at = day
    const fit = cover.find(({ span }) => at % span === 0 && at + span - 1 <= last)!
    fit.plus.push(dayAt(day))
    day += fit.span
  }
  return cover
}

/** The same range in fewer pieces: everything before its end less everything before its beginning. */
export function coverBySubtraction(range: Days, asOf?: Date): Cover {
  // As of an earlier time only single days are available.
  if (asOf !== undefined) return coverRange(range, asOf)
  const before = { end: dayNumber(range.to) + 1, beginning: dayNumber(range.from) }
  const base = Math.round(before.beginning / sizes[0]!) * sizes[0]!
  const reached = { end: base, beginning: base }
  const cover = sizes.map((span) => {
    const plus = new Set<number>()
    const minus = new Set<number>()
    for (const side of ['end', 'beginning'] as const) {
      const goal = Math.round(before[side] / span) * span
      const isForward = goal > reached[side] === (side === 'end')
      const [target, opposite] = isForward ? [plus, minus] : [minus, plus]
      const [low, high] = [Math.min(goal, reached[side]), Math.max(goal, reached[side])]
      for (let start = low; start < high; start += span) if (!opposite.delete(start)) target.add(start)
      reached[side] = goal
    }
    return { span, plus: [...plus].map(dayAt), minus: [...minus].map(dayAt) }
  })
  const plain = coverRange(range)
  return countPieces(cover) < countPieces(plain) ? cover : plain
}

export function countPieces(cover: Cover): number {
  return cover.reduce((count, { plus, minus }) => count + plus.length + minus.length, 0)
}

/** An exact quotient, rounded half away from zero, to six decimals by default; null for a divisor of 0. */
export function ratio(amount: number, divisor: number, decimals = 6): number | null {
  if (divisor === 0) return null
  const scale = 10 ** decimals
  const rounded = roundedQuotient(Math.abs(amount), Math.abs(divisor), scale)
  return (amount < 0 === divisor < 0 || rounded === 0 ? rounded : -rounded) / scale
}

/** `amount * scale / divisor` rounded half up to an integer; uses BigInt only if doubles are not exact. */
function roundedQuotient(amount: number, divisor: number, scale: number): number {
  const twice = 2 * amount * scale + divisor
  if (twice <= Number.MAX_SAFE_INTEGER) return (twice - (twice % (2 * divisor))) / (2 * divisor)
  const [top, bottom] = [BigInt(amount) * BigInt(scale), BigInt(divisor)]
  return Number((2n * top + bottom) / (2n * bottom))
}

/** An amount of money per unit, such as spend per click. */
export function moneyPer(amountMinor: number, units: number, currency: string): number | null {
  return ratio(amountMinor, units * 10 ** (findExponent(currency) ?? 2))
}

/** The rule by which a platform counts the conversions it reports. */
export function reportedBasis(platform: string): string {
  switch (platform) {
    case 'social':
      return '7d_click_1d_view'
    case 'engine':
      return 'conversion_action_settings'
    case 'shortvideo':
      return 'ad_group_settings'
    case 'microsoft':
      return 'conversion_goal_settings'
    case 'linkedin':
      return 'conversion_rule_settings'
    default:
      return 'as_imported'
  }
}
