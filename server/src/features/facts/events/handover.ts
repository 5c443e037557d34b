/**
 * In-memory cache of events that this process has committed and that wait to be processed, so that the processor need
 * not read them back. Another process, or this one after a restart, reads the table.
 */
import { timeOf } from './rules.ts'
import type { NewEvent, StoredEvent } from './stored.ts'

/** Above this, the oldest groups are evicted: another process may have processed them. */
const MAX_EVENTS = 50_000

export type Handover = {
  /** Call it after the commit. */
  keep(groupId: string, events: readonly NewEvent[]): void
  /** Removes and returns the group's events by id. */
  take(groupId: string): ReadonlyMap<string, StoredEvent> | undefined
}

export function createHandover(maxEvents = MAX_EVENTS): Handover {
  const groups = new Map<string, readonly NewEvent[]>()
  let eventCount = 0

  function remove(groupId: string): readonly NewEvent[] | undefined {
    const events = groups.get(groupId)
    if (events === undefined) return undefined
    groups.delete(groupId)
    eventCount -= events.length
    return events
  }

  return {
    keep(groupId, events) {
      groups.set(groupId, events)
      eventCount += events.length
      for (const oldest of groups.keys()) {
        if (eventCount <= maxEvents) return
        remove(oldest)
      }
    },
    take(groupId) {
      const events = remove(groupId)
      return events && new Map(events.map((event) => [event.id, toStored(event)]))
    },
  }
}

/** Keeps nothing. */
export const noHandover: Handover = { keep() {}, take: () => undefined }

function toStored(event: NewEvent): StoredEvent {
  return { ...event, occurredAt: timeOf(event) }
}
