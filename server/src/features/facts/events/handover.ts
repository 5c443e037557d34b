/**
 * Events that this process has committed and that wait to be processed. Anyone who processes their group takes them from
 * here instead of reading them back; another process, or this one after a restart, reads the table.
 */
import { timeOf } from './rules.ts'
import type { NewEvent, StoredEvent } from './stored.ts'

/** Past this many the oldest are read back: another process may have taken them, so that no one will ask. */
const MAX_KEPT = 50_000

export type Handover = {
  /** After the commit. */
  keep(groupId: string, events: readonly NewEvent[]): void
  /** The group's events by id; it is forgotten. */
  take(groupId: string): ReadonlyMap<string, StoredEvent> | undefined
}

export function createHandover(most = MAX_KEPT): Handover {
  const groups = new Map<string, readonly NewEvent[]>()
  let kept = 0

  function forget(groupId: string): readonly NewEvent[] | undefined {
    const events = groups.get(groupId)
    if (events === undefined) return undefined
    groups.delete(groupId)
    kept -= events.length
    return events
  }

  return {
    keep(groupId, events) {
      groups.set(groupId, events)
      kept += events.length
      for (const oldest of groups.keys()) {
        if (kept <= most) return
        forget(oldest)
      }
    },
    take(groupId) {
      const events = forget(groupId)
      return events && new Map(events.map((event) => [event.id, toStored(event)]))
    },
  }
}

/** For callers that have nothing to hand over. */
export const noHandover: Handover = { keep() {}, take: () => undefined }

function toStored(event: NewEvent): StoredEvent {
  return { ...event, occurredAt: timeOf(event) }
}
