/** Writes down how tries ended, many at a time; the receiver does not wait for it. */
import type { Settled } from './save-attempts.ts'

const SETTLE_AT_ONCE = 500
/** Lets tries that end at about the same time share a statement and a commit. */
const SETTLE_AFTER_MS = 15
const RETRY_MS = 500
/** Of each node. One waits for the disk while another is at work: with one alone, the sender waited for it. */
const WRITERS = 3
/** A writer leaves the rest to the others. */
const FAIR_SHARE = 150

export type AttemptWriter = {
  add(entry: Settled): void
  unsettled(): number
  /** Writes the rest; what still cannot be written is tried again by the next holder. */
  drain(): Promise<void>
}

export function createAttemptWriter(on: {
  write(batch: readonly Settled[], quiet: ReadonlySet<string>): Promise<void>
  /** Subscriptions in the batch that need no word of success: the last one was a moment ago. */
  quietIn(batch: readonly Settled[]): ReadonlySet<string>
  settled(batch: readonly Settled[]): void
  failed(error: unknown): void
  /** Profiles that lie on different nodes share no commit, and one that cannot be written holds up no other. */
  oneProfileAtOnce?: boolean
  /** Each node has writers of its own: one that does not answer keeps only its own waiting. */
  nodeOf?: (profileId: string) => string
}): AttemptWriter {
  /** By profile: one writer at a time settles a profile, so tries are written in the order in which they ended. */
  const waiting = new Map<string, Settled[]>()
  const taken = new Set<string>()
  const writers = new Set<Promise<void>>()
  const writing = new Map<string, number>()
  let count = 0
  let isPausing = false
  let draining = false

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

  function start(): void {
    if (isPausing) return
    isPausing = true
    void pause(SETTLE_AFTER_MS).then(() => {
      isPausing = false
      startWriters()
    })
  }

  function startWriters(): void {
    while (on.nodeOf !== undefined || writers.size < WRITERS) {
      const { node, batch } = takeBatch()
      if (batch.length === 0) return
      writing.set(node, (writing.get(node) ?? 0) + 1)
      const writer = write(batch).finally(() => {
        writers.delete(writer)
        writing.set(node, writing.get(node)! - 1)
        if (waiting.size > 0) start()
      })
      writers.add(writer)
    }
  }

  /** Of the first node that has a writer free. */
  function takeBatch(): { node: string; batch: Settled[] } {
    const batch: Settled[] = []
    let node = ''
    for (const [profileId, own] of waiting) {
      if (taken.has(profileId)) continue
      const its = on.nodeOf?.(profileId) ?? ''
      if ((writing.get(its) ?? 0) >= WRITERS || (batch.length > 0 && its !== node)) continue
      node = its
      if (batch.length > 0 && batch.length + own.length > SETTLE_AT_ONCE) break
      taken.add(profileId)
      batch.push(...own.splice(0, SETTLE_AT_ONCE))
      if (own.length === 0) waiting.delete(profileId)
      if (batch.length >= FAIR_SHARE || on.oneProfileAtOnce) break
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
      for (const [profileId, own] of Map.groupBy(batch, (entry) => entry.profileId))
        waiting.set(profileId, [...own, ...(waiting.get(profileId) ?? [])])
    } finally {
      for (const profileId of profileIds) taken.delete(profileId)
    }
  }

  return {
    add(entry) {
      count++
      const own = waiting.get(entry.profileId)
      if (own === undefined) waiting.set(entry.profileId, [entry])
      else own.push(entry)
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
