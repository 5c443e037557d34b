/** Records events at a steady rate and measures how long each takes to reach the receiver. */
import type { OutboxEvent } from '@whence/server/features/facts/outbox/record.ts'
import { recordAll } from './webhooks-world.ts'

/**
 * Records `make(n)` at a steady rate, in batches. Returns the time at which each event was recorded, by id, and the
 * longest delay behind the schedule. It does not wait for earlier writes: a slow moment must count for every event that
 * it delays.
 */
export async function recordSteadily(
  { rate, seconds, batch }: { rate: number; seconds: number; batch: number },
  make: (n: number) => OutboxEvent & { id: string },
  wake: (profileId: string) => void,
): Promise<{ sent: Map<string, number>; lateMs: number }> {
  let lateMs = 0
  const sent = new Map<string, number>()
  const writes: Promise<void>[] = []
  const start = performance.now()
  for (let n = 0; n < rate * seconds; n += batch) {
    const wait = start + (n / rate) * 1000 - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    lateMs = Math.max(lateMs, performance.now() - start - (n / rate) * 1000)
    const events = Array.from({ length: batch }, (_, i) => make(n + i))
    const at = performance.timeOrigin + performance.now()
    for (const event of events) sent.set(event.id, at)
    writes.push(recordAll(events).then(() => new Set(events.map((event) => event.profileId)).forEach(wake)))
  }
  await Promise.all(writes)
  return { sent, lateMs }
}

/** Sorted delays. Fails if an event never arrived. */
export function delaysOf(sent: ReadonlyMap<string, number>, arrivals: ReadonlyMap<string, number>): number[] {
  const delays = [...sent].flatMap(([id, at]) => (arrivals.has(id) ? [arrivals.get(id)! - at] : []))
  if (delays.length !== sent.size) throw new Error(`${sent.size - delays.length} events did not arrive`)
  return delays.sort((a, b) => a - b)
}

export const share = (sorted: ArrayLike<number>, part: number) => sorted[Math.floor(sorted.length * part)]!
