/**
 * Drives the pipeline. A profile is processed as soon as this process has committed events of it. In addition, the queue
 * is polled for profiles with waiting events, to process those of other processes and of processes that died.
 */

import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { acrossProfiles, type DataNode, type Nodes, pollNodes } from '../../../platform/db/nodes.ts'
import type { Log } from '../../../platform/log.ts'
import type { Processor } from '../../../platform/ports.ts'
import type { Handover } from '../../facts/events/handover.ts'
import { processBatch } from './process.ts'

const POLL_MS = 500
/** Concurrent profiles per node. Per node, so that an unresponsive node does not block the others. */
const PARALLEL = 2
/** Pause of a profile after a failure. */
const FAILED_MS = 1000
/** Minimum delay before retrying a profile that another process has locked for a batch. */
const LOCKED_MS = 10
/**
 * Minimum time between the starts of two batches of a profile. Under load, hundreds of events then share the statements
 * and rollup rows of a batch; figures are still visible well within a second.
 */
const PAUSE_MS = 400
/** A larger batch doubles the pause: it happens only under heavy load. */
const LARGE_BATCH = 1000

export function pauseAfterBatch(eventCount: number, pauseMs: number): number {
  return eventCount > LARGE_BATCH ? 2 * pauseMs : pauseMs
}

export function createProcessor(parts: {
  nodes: Nodes
  clock: Clock
  log: Log
  identityPepper: KeyObject
  handover?: Handover
  /** Called after a batch of the profile was committed. */
  onProcessed?: (profileId: string) => void
  pauseMs?: number
  /** Concurrent profiles per node. */
  parallel?: number
}): Processor {
  const { nodes, log, pauseMs = PAUSE_MS, parallel = PARALLEL } = parts
  /** Waiting profiles by node, first in first out. */
  const waiting = new Map<string, Set<string>>()
  const running = new Map<string, Map<string, Promise<void>>>()
  const paused = new Map<string, NodeJS.Timeout>()
  let stopped = false

  function wake(profileId: string): void {
    if (stopped) return
    const node = nodes.of(profileId)
    if (!(node instanceof Promise)) queueOn(node, profileId)
    else
      node.then(
        (resolved) => queueOn(resolved, profileId),
        (error: unknown) => log.warn('node not found', { profile_id: profileId, error }),
      )
  }

  function queueOn(node: DataNode, profileId: string): void {
    addWaiting(node, profileId)
    startWaiting(node)
  }

  function addWaiting(node: DataNode, profileId: string): void {
    const queued = waiting.get(node.name) ?? new Set()
    waiting.set(node.name, queued.add(profileId))
  }

  function startWaiting(node: DataNode): void {
    if (stopped) return
    const busy = running.get(node.name) ?? new Map<string, Promise<void>>()
    running.set(node.name, busy)
    const queued = waiting.get(node.name) ?? []
    for (const profileId of queued) {
      if (busy.size >= parallel) return
      if (busy.has(profileId) || paused.has(profileId)) continue
      waiting.get(node.name)?.delete(profileId)
      const work = processOnce(node, profileId)
        .catch((error: unknown) => {
          log.error('processing failed', { profile_id: profileId, node: node.name, error })
          pauseProfile(node, profileId, FAILED_MS)
        })
        .finally(() => {
          busy.delete(profileId)
          startWaiting(node)
        })
      busy.set(profileId, work)
    }
  }

  async function processOnce(node: DataNode, profileId: string): Promise<void> {
    const started = performance.now()
    const { backgroundDb: db } = await nodes.shardOf(profileId)
    const processed = await processBatch({ ...parts, db }, profileId)
    if (processed === null) return retryLocked(node, profileId)
    if (processed.taken === 0) return
    parts.onProcessed?.(profileId)
    if (!processed.isDrained) addWaiting(node, profileId)
    else
      pauseProfile(node, profileId, pauseAfterBatch(processed.taken, pauseMs) - (performance.now() - started))
  }

  /** Events may have arrived after the other process read its batch, so retry later, but not on every new event. */
  function retryLocked(node: DataNode, profileId: string): void {
    addWaiting(node, profileId)
    pauseProfile(node, profileId, Math.max(LOCKED_MS, pauseMs / 4))
  }

  function pauseProfile(node: DataNode, profileId: string, ms: number): void {
    if (ms <= 0 || stopped) return
    const timer = setTimeout(() => {
      paused.delete(profileId)
      startWaiting(node)
    }, ms)
    paused.set(profileId, timer)
  }

  async function pollNode(node: DataNode): Promise<void> {
    const { rows } = await acrossProfiles(
      node,
      (table) => sql<{ profile_id: string }>`
        select distinct profile_id from ${table('event_queue')} limit 1000`,
    ).execute(node.backgroundDb)
    for (const row of rows) wake(row.profile_id)
  }

  /** An unavailable node is polled again later and does not block the others. */
  const poller = pollNodes(nodes, POLL_MS, pollNode, (error, node) =>
    log.warn('event queue poll failed', { node: node.name, error }),
  )

  return {
    wake,
    start() {
      poller.start()
    },
    async stop() {
      stopped = true
      poller.stop()
      for (const timer of paused.values()) clearTimeout(timer)
      await Promise.all([...running.values()].flatMap((busy) => [...busy.values()]))
    },
    async settled(profileId) {
      for (;;) {
        const node = await nodes.of(profileId)
        await running.get(node.name)?.get(profileId)
        const { backgroundDb: db } = await nodes.shardOf(profileId)
        const processed = await processBatch({ ...parts, db }, profileId)
        if (processed === null) await pause(LOCKED_MS)
        // Events that arrived after the call need not be waited for.
        else if (processed.isDrained) return
      }
    },
  }
}
