/** Computes the next due time of a schedule: a wall-clock time in a zone, across DST changes and month ends. Pure. */
import { addDays, DAY_MS, dayNumber } from '../../../platform/contract/dates.ts'
import { dayBounds, localDay, localMinute } from '../../../platform/contract/zones.ts'

export type Cadence = {
  cadence: 'daily' | 'weekly' | 'monthly'
  /** 1 is Monday. */
  weekday: number
  /** 1 to 31; shorter months use their last day. */
  day: number
  /** `HH:MM` */
  time: string
}

/** The first due time after `after`. Each due day has exactly one. */
export function nextRunAt(rule: Cadence, timezone: string, after: Date): Date {
  let day = localDay(after, timezone)
  for (;;) {
    if (isDueOn(rule, day)) {
      const at = wallClock(day, rule.time, timezone)
      if (at > after) return at
    }
    day = addDays(day, 1)
  }
}

function isDueOn({ cadence, weekday, day }: Cadence, date: string): boolean {
  if (cadence === 'daily') return true
  // 1970-01-01, day 0, was a Thursday.
  if (cadence === 'weekly') return ((dayNumber(date) + 3) % 7) + 1 === weekday
  const last = addDays(`${addDays(`${date.slice(0, 8)}28`, 4).slice(0, 8)}01`, -1)
  return Number(date.slice(8)) === Math.min(day, Number(last.slice(8)))
}

/**
 * The instant of a wall-clock time on that day. If the time occurs twice, the first; if a DST change skips it, the first
 * minute after the gap.
 */
function wallClock(day: string, time: string, timezone: string): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const targetMinute = hour * 60 + minute
  const { start, end } = dayBounds(day, timezone)
  // A zone's offset changes by at most three hours within a day, so the search can start three hours before the guess.
  const guess = start.getTime() + targetMinute * 60_000
  const from = Math.max(start.getTime(), guess - DAY_MS / 8)
  for (let ms = from; ms < end.getTime(); ms += 60_000)
    if (localMinute(ms, timezone) >= targetMinute) return new Date(ms)
  return new Date(end.getTime() - 60_000)
}
