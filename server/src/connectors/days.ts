/** Calendar days as YYYY-MM-DD strings; no zone is involved once a day is named. */
import { localDay, localMinute } from '../contract/zones.ts'

const dayMs = 86_400_000

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10)

/** How many days the second lies after the first. */
export const daysBetween = (first: string, second: string): number =>
  Math.round((Date.parse(`${second}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / dayMs)

/** Every day from the first to the last, both included. */
export const dayRange = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(first, last) + 1) }, (_, index) => addDays(first, index))

/** 0 is Sunday. */
export const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

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
