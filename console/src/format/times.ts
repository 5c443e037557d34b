import { addDays, dayNumber } from '@whence/server/platform/contract/dates.ts'

const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export function dayText(day: string, withYear = false): string {
  return (withYear ? longDay : shortDay).format(new Date(`${day}T00:00:00Z`))
}

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The month of a day. */
export function monthText(day: string): string {
  return month.format(new Date(`${day}T00:00:00Z`))
}

export function rangeText(from: string, to: string, withYear = true): string {
  if (from === to) return dayText(from, withYear)
  const sameYear = from.slice(0, 4) === to.slice(0, 4)
  return `${dayText(from, !sameYear)} – ${dayText(to, withYear || !sameYear)}`
}

export function instantText(instant: string | null | undefined, timeZone?: string): string {
  if (!instant) return '–'
  return new Intl.DateTimeFormat('en', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(instant))
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

/** `5 minutes ago`; put the exact time into a title. */
export function agoText(instant: string | null | undefined, now = Date.now()): string {
  if (!instant) return 'never'
  const elapsed = new Date(instant).getTime() - now
  const [unit, ms] = steps.find(([, size]) => Math.abs(elapsed) >= size) ?? ['second', 1000]
  return relative.format(Math.round(elapsed / ms), unit)
}

/** A duration: `45 s`, `12 min`, `3 h`, `2 days`. */
export function ageText(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} days`
}

/** Today in the given time zone. */
export function today(timeZone: string, now = new Date()): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return parts.format(now)
}

export type Range = { from: string; to: string }

/** The period of the same length immediately before. */
export function previousRange({ from, to }: Range): Range {
  const days = dayNumber(to) - dayNumber(from) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}
