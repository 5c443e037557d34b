/** Calendar functions of the sandbox: days are `YYYY-MM-DD`, time zones come from the runtime. */
export const DAY_MS = 86_400_000

/** True if the text is a valid calendar day. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Whole days since 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS

const dayAt = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10)

export const addDays = (day: string, days: number): string => dayAt(dayNumber(day) + days)

/** Both ends included. */
export function listDays(from: string, to: string): string[] {
  const first = dayNumber(from)
  const count = Math.max(0, dayNumber(to) - first + 1)
  return Array.from({ length: count }, (_, index) => dayAt(first + index))
}

/** Days from `first` to `second`. */
export const daysBetween = (first: string, second: string): number => dayNumber(second) - dayNumber(first)

/** 0 is Sunday; day number 0 was a Thursday. */
export const weekday = (day: string): number => (dayNumber(day) + 4) % 7

type Clock = { day: string; minute: number }
type Zone = { format: Intl.DateTimeFormat; lastMinute: number; last: Clock }
const zones = new Map<string, Zone>()

/** Local day and minutes since midnight. */
function readClock(at: Date, timezone: string): Clock {
  let zone = zones.get(timezone)
  if (zone === undefined) {
    // Swedish writes `YYYY-MM-DD HH:MM`.
    const style = { dateStyle: 'short', timeStyle: 'short' } as const
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...style })
    zone = { format, lastMinute: Number.NaN, last: { day: '', minute: 0 } }
    zones.set(timezone, zone)
  }
  // Cached: reports of many days read the same minute thousands of times, and formatting is slow.
  const minute = Math.floor(at.getTime() / 60_000)
  if (minute !== zone.lastMinute) {
    const text = zone.format.format(at)
    zone.lastMinute = minute
    zone.last = {
      day: text.slice(0, 10),
      minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)),
    }
  }
  return zone.last
}

export const localDay = (at: Date, timezone: string): string => readClock(at, timezone).day

/** Whole minutes since the local midnight. */
export const localMinute = (at: Date, timezone: string): number => readClock(at, timezone).minute

export type LocalTime = {
  day: string
  /** Share of the day that has passed. */
  passed: number
}

export function localTime(at: Date, timezone: string): LocalTime {
  const { day, minute } = readClock(at, timezone)
  return { day, passed: minute / 1440 }
}
