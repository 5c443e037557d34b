/** What a calendar and a clock in a zone show. */
import { dayNumber } from '../platform/contract/dates.ts'
import { localDay, localMinute } from '../platform/contract/zones.ts'

/** How many days the second is after the first. */
export const daysBetween = (first: string, second: string): number => dayNumber(second) - dayNumber(first)

/** 0 is Sunday; the days' numbers begin with a Thursday. */
export const weekday = (day: string): number => (dayNumber(day) + 4) % 7

export type LocalTime = {
  day: string
  /** The share of the day that is over. */
  passed: number
}

/** As a clock in the zone shows it. */
export const localTime = (at: Date, timezone: string): LocalTime => ({
  day: localDay(at, timezone),
  passed: localMinute(at, timezone) / 1440,
})
