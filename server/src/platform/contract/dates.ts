/** Days are `YYYY-MM-DD` strings; arithmetic is done on day numbers, whole days since 1970-01-01. */
import { BoundedCache } from '../bounded-cache.ts'

export const DAY_MS = 86_400_000
const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the text is a valid calendar day. */
export function isDay(text: string): boolean {
  const match = dayForm.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const length = month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0)
  return year >= 1 && day >= 1 && day <= length
}

const MAX_DAY_TEXTS = 40_000
const dayNumbers = new BoundedCache<string, number>(MAX_DAY_TEXTS)
const dayTexts = new BoundedCache<number, string>(MAX_DAY_TEXTS)

/** The day must be valid. */
export function dayNumber(day: string): number {
  let number = dayNumbers.get(day)
  if (number === undefined) {
    number = Date.parse(`${day}T00:00:00Z`) / DAY_MS
    dayNumbers.set(day, number)
  }
  return number
}

export function dayAt(number: number): string {
  let text = dayTexts.get(number)
  if (text === undefined) {
    text = new Date(number * DAY_MS).toISOString().slice(0, 10)
    dayTexts.set(number, text)
  }
  return text
}

export function addDays(day: string, days: number): string {
  return dayAt(dayNumber(day) + days)
}

/** Both ends included. */
export function listDays(from: string, to: string): string[] {
  const first = dayNumber(from)
  const count = Math.max(0, dayNumber(to) - first + 1)
  return Array.from({ length: count }, (_, index) => dayAt(first + index))
}

export type MonthBucket = { month: string; from: string; to: string }

/** Months overlapping the range, clipped to it; `month` is `YYYY-MM`. */
export function listMonths(from: string, to: string): MonthBucket[] {
  const buckets: MonthBucket[] = []
  let start = from
  while (start <= to) {
    const month = start.slice(0, 7)
    const end = addDays(firstOfNextMonth(month), -1)
    buckets.push({ month, from: start, to: end < to ? end : to })
    start = addDays(end, 1)
  }
  return buckets
}

function firstOfNextMonth(month: string): string {
  return addDays(`${month}-28`, 4).slice(0, 8).concat('01')
}

export const MAX_DAYS_IN_RANGE = 366

export type DateRange = { from: string; to: string; days: number }

/** Date range rule of all reports: both ends required, valid days, in order, at most 366 days. */
export function parseDateRange(
  from: string | undefined,
  to: string | undefined,
): { ok: true; range: DateRange } | { ok: false; field: 'date_from' | 'date_to'; problem: string } {
  if (!from || !to)
    return {
      ok: false,
      field: from ? 'date_to' : 'date_from',
      problem: 'required; send both the first and the last day',
    }
  for (const [name, day] of [
    ['date_from', from],
    ['date_to', to],
  ] as const) {
    if (!isDay(day)) return { ok: false, field: name, problem: 'not a date of the form YYYY-MM-DD' }
  }
  const days = dayNumber(to) - dayNumber(from) + 1
  if (days < 1) return { ok: false, field: 'date_from', problem: 'after the last day' }
  if (days > MAX_DAYS_IN_RANGE)
    return { ok: false, field: 'date_to', problem: `the range is longer than ${MAX_DAYS_IN_RANGE} days` }
  return { ok: true, range: { from, to, days } }
}
