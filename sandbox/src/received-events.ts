/** Conversions received by an imitated ad platform, deduplicated within its window. */

export type HeldEvent = Record<string, unknown>

export function createReceivedEvents(now: () => Date, windowHours: number) {
  const events: HeldEvent[] = []
  const firstSeen = new Map<string, number>()
  return {
    /** True if the event is new. */
    add(key: string, event: HeldEvent): boolean {
      const at = now().getTime()
      const before = firstSeen.get(key)
      if (before !== undefined && at - before < windowHours * 3_600_000) return false
      firstSeen.set(key, at)
      events.push({ ...event, received_at: now().toISOString() })
      return true
    },
    list: (): HeldEvent[] => [...events],
  }
}
