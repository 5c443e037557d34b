/**
 * Group commit of incoming events. Events that arrive during a profile's write are written together with the next one, so
 * concurrent senders share a commit. A sender gets its response after the commit. The queue is bounded; when it is full,
 * senders must retry.
 */

import { ApiError } from '../../../platform/contract/errors.ts'
import { isInvalidValue } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Ingest, IngestStatus } from '../../../platform/ports.ts'
import type { NewEvent } from './stored.ts'

export type WriteEvents = (profileId: string, events: readonly NewEvent[]) => Promise<IngestStatus[]>

const MAX_QUEUED = 50_000
const MAX_PER_WRITE = 2000

/** The events of one `add` call; resolves when the last one is written. */
type Group = {
  statuses: IngestStatus[]
  left: number
  settle(statuses: IngestStatus[]): void
  fail(error: unknown): void
}
type QueuedWrite = { event: NewEvent; group: Group; index: number }
type Lane = { queue: QueuedWrite[]; writing: boolean }

/** `afterCommit` is called after each write that changed something. */
export function createIngest(
  write: WriteEvents,
  afterCommit: (profileId: string) => void,
  log: Log,
): Ingest<NewEvent> {
  const lanes = new Map<string, Lane>()
  const idle = new Set<() => void>()
  let waiting = 0

  async function writeBatch(profileId: string, batch: readonly QueuedWrite[]): Promise<void> {
    try {
      const statuses = await write(
        profileId,
        batch.map((entry) => entry.event),
      )
      for (const [index, entry] of batch.entries()) settle(entry, statuses[index]!)
      if (statuses.some(isWritten)) afterCommit(profileId)
    } catch (error) {
      const senders = [...Map.groupBy(batch, (entry) => entry.group).values()]
      if (senders.length > 1 && isInvalidValue(error)) {
        // Bisect, so that only the sender of that value fails.
        const half = senders.length >> 1
        await writeBatch(profileId, senders.slice(0, half).flat())
        await writeBatch(profileId, senders.slice(half).flat())
      } else for (const entry of batch) entry.group.fail(error)
    }
  }

  async function run(profileId: string, lane: Lane): Promise<void> {
    lane.writing = true
    // Yield, so that senders of the same tick share the first write.
    await undefined
    while (lane.queue.length > 0) {
      const batch = takeDistinct(lane)
      await writeBatch(profileId, batch)
      waiting -= batch.length
    }
    lane.writing = false
    lanes.delete(profileId)
    if (waiting === 0) for (const resolve of idle) resolve()
  }

  return {
    add(profileId, events) {
      if (waiting + events.length > MAX_QUEUED)
        return Promise.reject(
          new ApiError('service_unavailable', 'Too many events are waiting to be written. Retry shortly.', {
            retryAfter: 1,
          }),
        )
      const lane = lanes.get(profileId) ?? { queue: [], writing: false }
      lanes.set(profileId, lane)
      waiting += events.length
      const settled = new Promise<IngestStatus[]>((settle, fail) => {
        const group = { statuses: [], left: events.length, settle, fail }
        for (const [index, event] of events.entries()) lane.queue.push({ event, group, index })
        if (events.length === 0) settle([])
      })
      if (!lane.writing)
        run(profileId, lane).catch((error: unknown) => log.error('ingest stopped', { error }))
      return settled
    },
    drain: () =>
      waiting === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            const done = () => {
              idle.delete(done)
              resolve()
            }
            idle.add(done)
          }),
    waiting: () => waiting,
  }
}

const isWritten = (status: IngestStatus) => status === 'accepted' || status === 'updated'

function settle({ group, index }: QueuedWrite, status: IngestStatus): void {
  group.statuses[index] = status
  group.left -= 1
  if (group.left === 0) group.settle(group.statuses)
}

/** The next batch, with each event at most once: a later version waits for the next write, so that it sees the first. */
function takeDistinct(lane: Lane): QueuedWrite[] {
  const seen = new Set<string>()
  const batch: QueuedWrite[] = []
  const remaining: QueuedWrite[] = []
  for (const entry of lane.queue) {
    if (batch.length < MAX_PER_WRITE && !seen.has(entry.event.id)) batch.push(entry)
    else remaining.push(entry)
    seen.add(entry.event.id)
  }
  lane.queue = remaining
  return batch
}
