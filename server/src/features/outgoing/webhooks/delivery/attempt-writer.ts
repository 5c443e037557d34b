/** Writes the results of delivery attempts in batches, so that senders do not wait for the database. */
import type { Settled } from './save-attempts.ts'

const MAX_BATCH = 500
/** Attempts that end at about the same time share a statement and a commit. */
const BATCH_DELAY_MS = 15
const RETRY_MS = 500
/** Per node. Several, so that one prepares a batch while another waits for its commit. */
const WRITERS = 3
/** A writer takes about this much and leaves the rest to the others. */
const FAIR_SHARE = 150

export type AttemptWriter = {
  add(entry: Settled): void
  unsettled(): number
  /** Writes the remaining entries. Deliveries whose entry cannot be written are attempted again by the next lease holder. */
  drain(): Promise<void>
}

export function createAttemptWriter(on: {
  write(batch: readonly Settled[], quiet: ReadonlySet<string>): Promise<void>
  /** Subscriptions in the batch whose success need not be written, because one was just written. */
  quietIn(batch: readonly Settled[]): ReadonlySet<string>
  settled(batch: readonly Settled[]): void
  failed(error: unknown): void
  /** For distributed tables: profiles on different nodes share no commit, and a failing one does not block others. */
  singleProfileBatches?: boolean
  /** Each node has its own writers, so a node that does not respond blocks only its own entries. */
  nodeOf?: (profileId: string) => string
}): AttemptWriter {
  /** By profile. Only one writer at a time handles a profile, so attempts are written in the order in which they ended. */
  const waiting = new Map<string, Settled[]>()
  const busyProfiles = new Set<string>()
  const writers = new Set<Promise<void>>()
  const writersByNode = new Map<string, number>()
  let count = 0
  let isPausing = false
  let draining = false

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

  function start(): void {
    if (isPausing) return
    isPausing = true
    void pause(BATCH_DELAY_MS).then(() => {
      isPausing = false
      startWriters()
    })
  }

  function startWriters(): void {
    while (on.nodeOf !== undefined || writers.size < WRITERS) {
      const { node, batch } = takeBatch()
      if (batch.length === 0) return
      writersByNode.set(node, (writersByNode.get(node) ?? 0) + 1)
      const writer = write(batch).finally(() => {
        writers.delete(writer)
        writersByNode.set(node, writersByNode.get(node)! - 1)
        if (waiting.size > 0) start()
      })
      writers.add(writer)
    }
  }

  /** Takes entries of the first node that has a free writer. */
  function takeBatch(): { node: string; batch: Settled[] } {
    const batch: Settled[] = []
    let node = ''
    for (const [profileId, entries] of waiting) {
      if (busyProfiles.has(profileId)) continue
      const profileNode = on.nodeOf?.(profileId) ?? ''
      if ((writersByNode.get(profileNode) ?? 0) >= WRITERS || (batch.length > 0 && profileNode !== node))
        continue
      node = profileNode
      if (batch.length > 0 && batch.length + entries.length > MAX_BATCH) break
      busyProfiles.add(profileId)
      batch.push(...entries.splice(0, MAX_BATCH))
      if (entries.length === 0) waiting.delete(profileId)
      if (batch.length >= FAIR_SHARE || on.singleProfileBatches) break
    }
    return { node, batch }
  }

  async function write(batch: readonly Settled[]): Promise<void> {
    const profileIds = new Set(batch.map((entry) => entry.profileId))
    try {
      await on.write(batch, on.quietIn(batch))
      count -= batch.length
      on.settled(batch)
    } catch (error) {
      on.failed(error)
      if (draining) {
        count -= batch.length
        return
      }
      await pause(RETRY_MS)
      for (const [profileId, entries] of Map.groupBy(batch, (entry) => entry.profileId))
        waiting.set(profileId, [...entries, ...(waiting.get(profileId) ?? [])])
    } finally {
      for (const profileId of profileIds) busyProfiles.delete(profileId)
    }
  }

  return {
    add(entry) {
      count++
      const entries = waiting.get(entry.profileId)
      if (entries === undefined) waiting.set(entry.profileId, [entry])
      else entries.push(entry)
      start()
    },
    unsettled: () => count,
    async drain() {
      draining = true
      while (waiting.size > 0 || writers.size > 0) {
        startWriters()
        await Promise.all(writers)
      }
    },
  }
}
