/**
 * Local days of IANA zones. `Intl` takes microseconds per lookup, so UTC offsets are cached per week: a single
 * number for a week without a clock change, otherwise a list of segments. No zone is known to have two changes that
 * cancel out within a week.
 */
import { DAY_MS, dayAt, dayNumber } from './dates.ts'

const WEEK_MS = 7 * DAY_MS

/** From `startMs`, local time is UTC plus `offsetMs`. */
type OffsetSegment = { startMs: number; offsetMs: number }
type Zone = { format: Intl.DateTimeFormat; weeks: Map<number, number | OffsetSegment[]> }

const zones = new Map<string, Zone>()
const zoneForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

/** Whether the text names a zone of the IANA database; a bare offset does not. */
export function isTimeZone(text: string): boolean {
  return findZone(text) !== undefined
}

/** The day on the wall calendar of the zone at the instant. */
export function localDay(instant: Date | number, zone: string): string {
  return dayAt(localDayNumber(instant, zone))
}

export function localDayNumber(instant: Date | number, zone: string): number {
  const ms = Number(instant)
  return Math.floor((ms + offsetMs(getZone(zone), ms)) / DAY_MS)
}

/** Whole minutes since the local midnight, as a clock in the zone shows them. */
export function localMinute(instant: Date | number, zone: string): number {
  const ms = Number(instant)
  const local = ms + offsetMs(getZone(zone), ms)
  return Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / 60_000)
}

/**
 * The half-open interval of a local day: 23, 24 or 25 hours, or empty for a day that the zone skipped. Successive days
 * have no gap and no overlap. If clocks went back across midnight (St John's, until 2011), the repeated hour belongs to
 * the later day.
 */
export function dayBounds(day: string, zone: string): { start: Date; end: Date } {
  const timeZone = getZone(zone)
  const number = dayNumber(day)
  return { start: new Date(startOfDay(timeZone, number)), end: new Date(startOfDay(timeZone, number + 1)) }
}

/** The instants from the start of `from` to the end of `to`. */
export function rangeBounds(from: string, to: string, zone: string): { start: Date; end: Date } {
  const timeZone = getZone(zone)
  return {
    start: new Date(startOfDay(timeZone, dayNumber(from))),
    end: new Date(startOfDay(timeZone, dayNumber(to) + 1)),
  }
}

/** The offsets from `from` to `to`: the first is that of `from`, each other one begins with a clock change. */
export function clockChanges(zone: string, from: Date, to: Date): readonly OffsetSegment[] {
  return segmentsBetween(getZone(zone), Number(from), Number(to))
}

/** The first instant whose local time has reached the day's midnight. */
function startOfDay(zone: Zone, number: number): number {
  const midnight = number * DAY_MS
  const segments = segmentsBetween(zone, midnight - DAY_MS, midnight + DAY_MS)
  for (const [index, segment] of segments.entries()) {
    const endMs = segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY
    if (endMs + segment.offsetMs > midnight) return Math.max(segment.startMs, midnight - segment.offsetMs)
  }
  throw new RangeError('The day is out of range')
}

function segmentsBetween(zone: Zone, fromMs: number, toMs: number): OffsetSegment[] {
  const segments: OffsetSegment[] = [{ startMs: fromMs, offsetMs: offsetMs(zone, fromMs) }]
  for (let week = Math.floor(fromMs / WEEK_MS); week * WEEK_MS <= toMs; week++) {
    const weekOffsets = weekOf(zone, week)
    const inWeek =
      typeof weekOffsets === 'number' ? [{ startMs: week * WEEK_MS, offsetMs: weekOffsets }] : weekOffsets
    for (const segment of inWeek) {
      if (segment.startMs > fromMs && segment.offsetMs !== segments.at(-1)!.offsetMs) segments.push(segment)
    }
  }
  return segments
}

function offsetMs(zone: Zone, ms: number): number {
  const weekOffsets = weekOf(zone, Math.floor(ms / WEEK_MS))
  if (typeof weekOffsets === 'number') return weekOffsets
  let index = weekOffsets.length - 1
  while (index > 0 && weekOffsets[index]!.startMs > ms) index--
  return weekOffsets[index]!.offsetMs
}

function weekOf(zone: Zone, week: number): number | OffsetSegment[] {
  let weekOffsets = zone.weeks.get(week)
  if (weekOffsets === undefined) {
    weekOffsets = readWeek(zone, week * WEEK_MS)
    zone.weeks.set(week, weekOffsets)
  }
  return weekOffsets
}

function readWeek(zone: Zone, startMs: number): number | OffsetSegment[] {
  const endMs = startMs + WEEK_MS
  const first = computeOffset(zone, startMs)
  const segments = [{ startMs, offsetMs: first }]
  while (segments.at(-1)!.offsetMs !== computeOffset(zone, endMs)) {
    const last = segments.at(-1)!
    let before = last.startMs
    let after = endMs
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000
      if (computeOffset(zone, middle) === last.offsetMs) before = middle
      else after = middle
    }
    segments.push({ startMs: after, offsetMs: computeOffset(zone, after) })
  }
  return segments.length === 1 ? first : segments
}

/** The formatter returns `MM/DD/YYYY, HH:MM:SS`. */
function computeOffset(zone: Zone, ms: number): number {
  const [month, day, year, hour, minute, second] = zone.format.format(ms).split(/\D+/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second) - ms
}

function findZone(name: string): Zone | undefined {
  const cached = zones.get(name)
  if (cached) return cached
  if (!zoneForm.test(name)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    const zone: Zone = { format, weeks: new Map() }
    zones.set(name, zone)
    return zone
  } catch {
    return undefined
  }
}

function getZone(name: string): Zone {
  const zone = findZone(name)
  if (!zone) throw new RangeError(`${JSON.stringify(name)} is not a time zone`)
  return zone
}
