/** Summarises a window of arriving events. */
import type { ArrivedEvent } from './queries.ts'

export const WINDOW_MINUTES = 30
const ACTIVE_MINUTES = 5
const MAX_PAGES = 10
const MINUTE_MS = 60_000

/** The window starts at a whole minute, so that its minutes cover all of it. */
export function windowStart(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) - WINDOW_MINUTES + 1) * MINUTE_MS)
}

export function summarise(events: readonly ArrivedEvent[], now: Date) {
  const first = minuteOf(windowStart(now))
  const byMinute = Map.groupBy(events, (event) => minuteOf(event.occurred_at))
  const minutes = Array.from({ length: WINDOW_MINUTES }, (_, index) => {
    const minute = first + index
    const group = byMinute.get(minute) ?? []
    return {
      minute: new Date(minute * MINUTE_MS).toISOString(),
      events: group.length,
      visitors: visitorsOf(group),
    }
  })
  const since = now.getTime() - ACTIVE_MINUTES * MINUTE_MS
  const pages = counted(events, (event) => (event.path === '' ? '/' : event.path)).slice(0, MAX_PAGES)
  const channels = counted(events, (event) => event.channel)
  return {
    active_visitors: visitorsOf(events.filter((event) => event.occurred_at.getTime() > since)),
    events: events.length,
    minutes,
    pages: pages.map(([path, group]) => ({ path, views: group.length, visitors: visitorsOf(group) })),
    channels: channels.map(([channel, group]) => ({ channel, visits: group.length })),
  }
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS)

function visitorsOf(events: readonly ArrivedEvent[]): number {
  return new Set(events.flatMap((event) => event.visitor ?? [])).size
}

/** Most frequent first; ties by name. */
function counted(
  events: readonly ArrivedEvent[],
  nameOf: (event: ArrivedEvent) => string | null,
): [string, ArrivedEvent[]][] {
  const groups = [...Map.groupBy(events, nameOf)].flatMap(([name, group]) =>
    name === null ? [] : [[name, group] as [string, ArrivedEvent[]]],
  )
  return groups.sort(([a, group], [b, other]) => other.length - group.length || (a < b ? -1 : 1))
}
