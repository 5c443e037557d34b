/** The days that a report covers, and the days it is compared with. Pure. */
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'

export const periods = ['last_7_days', 'last_28_days', 'last_30_days', 'last_month', 'custom'] as const
export type Period = (typeof periods)[number]
export type Days = { from: string; to: string }

const lengths = { last_7_days: 7, last_28_days: 28, last_30_days: 30 } as const

/** Whole days up to yesterday, or the previous calendar month, in the profile's time zone. */
export function periodDays(period: Exclude<Period, 'custom'>, now: Date, timezone: string): Days {
  const today = localDay(now, timezone)
  if (period === 'last_month') return previousMonth(today)
  return { from: addDays(today, -lengths[period]), to: addDays(today, -1) }
}

function previousMonth(day: string): Days {
  const to = addDays(`${day.slice(0, 8)}01`, -1)
  return { from: `${to.slice(0, 8)}01`, to }
}

/** The preceding period of the same length; for a whole calendar month, the previous month. */
export function daysBefore({ from, to }: Days): Days {
  const isMonth =
    from.endsWith('-01') && addDays(to, 1).endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)
  if (isMonth) return previousMonth(from)
  const length = dayNumber(to) - dayNumber(from) + 1
  return { from: addDays(from, -length), to: addDays(from, -1) }
}
