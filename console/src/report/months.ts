import { addDays, dayNumber } from '@whence/server/platform/contract/dates.ts'

/** Six weeks, starting on Monday, that contain the month. */
export function monthGrid(month: string): string[] {
  const first = `${month}-01`
  // 1970-01-01 was a Thursday.
  const sinceMonday = (dayNumber(first) + 3) % 7
  return Array.from({ length: 42 }, (_, index) => addDays(first, index - sinceMonday))
}

/** The same day of another month, or the month's last day; never after today. */
export function shiftMonth(day: string, months: number, today: string): string {
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  const month = `${Math.floor(total / 12)}-${String((total % 12) + 1).padStart(2, '0')}`
  const last = monthGrid(month)
    .filter((date) => date.startsWith(month))
    .at(-1)!
  const sameDay = `${month}-${day.slice(8)}`
  const clamped = sameDay > last ? last : sameDay
  return clamped > today ? today : clamped
}
