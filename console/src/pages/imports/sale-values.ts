import { isDay } from '@whence/server/platform/contract/dates.ts'
import { parseMoney } from '@whence/server/platform/contract/money.ts'
import { dayBounds, localDay, localMinute } from '@whence/server/platform/contract/zones.ts'

/** A parsed value, or the problem with the text. */
export type Parsed<T> = { value: T } | { problem: string }

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]
export const dateExamples: Record<DateOrder, string> = {
  ymd: '2026-05-31',
  dmy: '31/05/2026',
  mdy: '05/31/2026',
}

const exact = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i
const parts =
  /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[T, ]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])m)?)?$/i

/** A time without an offset is in the profile's time zone. A day without a time becomes its last second, so that the sale follows that day's visits. */
export function readDate(text: string, order: DateOrder, timeZone: string): Parsed<string> {
  if (exact.test(text)) {
    const instant = new Date(text.replace(' ', 'T'))
    return Number.isNaN(instant.getTime()) ? noDate(order) : { value: instant.toISOString() }
  }
  const match = parts.exec(text)
  if (!match) return noDate(order)
  const [first, second, third] = [match[1]!, match[2]!, match[3]!]
  const [year, month, date] =
    first.length === 4
      ? [first, second, third]
      : order === 'dmy'
        ? [third, second, first]
        : order === 'mdy'
          ? [third, first, second]
          : ['', '', '']
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (year.length !== 4 || !isDay(day)) return noDate(order)
  const bounds = dayBounds(day, timeZone)
  if (match[4] === undefined) return { value: new Date(bounds.end.getTime() - 1000).toISOString() }
  const hour = toHour(Number(match[4]), match[7]?.toLowerCase())
  const minute = Number(match[5])
  const second60 = Number(match[6] ?? 0)
  if (hour > 23 || minute > 59 || second60 > 59) return { problem: 'is not a time of day such as 14:30' }
  return { value: atLocalTime(day, bounds.start, hour * 60 + minute, second60, timeZone) }
}

const noDate = (order: DateOrder) => ({ problem: `is not a date such as ${dateExamples[order]}` })

function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 99
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

/** On days with a clock change, the minutes since midnight differ from the clock. */
function atLocalTime(day: string, start: Date, minutes: number, seconds: number, timeZone: string): string {
  const guess = start.getTime() + minutes * 60_000
  const shift = localDay(guess, timeZone) === day ? minutes - localMinute(guess, timeZone) : 0
  return new Date(guess + shift * 60_000 + seconds * 1000).toISOString()
}

export type DecimalMark = '.' | ','

const withoutSigns = (text: string) =>
  text.replaceAll(/[\s\u00a0\u202f’']|[€$£¥]|^[A-Za-z]{3}|[A-Za-z]{3}$/g, '')

/** The amount without its minus sign or parentheses; null if it is not negative. */
export function unsigned(text: string): string | null {
  const digits = withoutSigns(text)
  return /^\(.*\)$|^[-−]|[-−]$/.test(digits) ? digits.replaceAll(/[()−-]/g, '') : null
}

/** `1,234.50` or `1.234,50`, with or without a currency sign. */
export function readAmount(text: string, mark: DecimalMark, currency: string): Parsed<string> {
  const digits = withoutSigns(text)
  const form = mark === '.' ? /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/ : /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/
  if (!form.test(digits))
    return { problem: `is not an amount such as ${mark === '.' ? '1,234.50' : '1.234,50'}` }
  const value = mark === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.')
  const parsed = parseMoney(value, currency)
  return parsed.ok ? { value } : { problem: parsed.message.replace('The amount ', '') }
}

export type Consent = 'granted' | 'denied'

export function readConsent(text: string): Parsed<Consent | null> {
  const word = text.toLowerCase()
  if (word === '') return { value: null }
  if (['granted', 'yes', 'y', 'true', '1', 'sí', 'si'].includes(word)) return { value: 'granted' }
  if (['denied', 'no', 'n', 'false', '0'].includes(word)) return { value: 'denied' }
  return { problem: 'must be yes or no' }
}
