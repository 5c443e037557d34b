/**
 * Drives the pipeline: a profile is processed as soon as this process has committed events of it,
 * and every few moments all profiles with waiting events are looked up, so that another process's
 * events, or those of one that died, are never left lying.
 */
import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { acrossProfiles, type DataNode, type Nodes, pollNodes } from '../../../platform/db/nodes.ts'
import type { Log } from '../../../platform/log.ts'
import type { Handover } from '../../facts/events/handover.ts'
import { processBatch } from './process.ts'

const LOOK_EVERY_MS = 500
/** Profiles at a time, of each node: one node that does not answer must not hold up the others. */
const PARALLEL = 2
/** After a failure the profile is left alone for so long. */
const FAILED_MS = 1000
/** Another process has the profile's lock, for a batch's time. */
const LOCKED_MS = 10
/**
 * The least time from one batch of a profile to the next: under load hundreds of events then share
 * the statements and rollup rows of a batch, and a number is still seen well within a second.
 */
const REST_MS = 400
/** After a batch of more events than this many, the rest is twice as long: that many come only under heavy load. */
const MANY = 1000

export function pauseAfterBatch(taken: number, pauseMs: number): number {
  return taken > MANY ? 2 * pauseMs : pauseMs
}

export type Processor = {
  wake(profileId: string): void
  /** Looks for waiting events of every profile from now on. */
  start(): void
  stop(): Promise<void>
  /** Settles when no event of the profile waits that was waiting when this was queried. */
  settled(profileId: string): Promise<void>
}

export function createProcessor(parts: {
  nodes: Nodes
  clock: Clock
  log: Log
  identityPepper: KeyObject
  handover?: Handover
  /** A batch of the profile has committed. */
  onProcessed?: (profileId: string) => void
  pauseMs?: number
  /** How many profiles at a time, of each node. */
  parallel?: number
}): Processor {
  const { nodes, log, pauseMs = REST_MS, parallel = PARALLEL } = parts
  /** By node, in the order they came. */
  const waiting = new Map<string, Set<string>>()
  const running = new Map<string, Map<string, Promise<void>>>()
  const resting = new Map<string, NodeJS.Timeout>()
  let stopped = false

  function wake(profileId: string): void {
    if (stopped) return
    const node = nodes.of(profileId)
    if (!(node instanceof Promise)) queueOn(node, profileId)
    else
      node.then(
        (found) => queueOn(found, profileId),
        (error: unknown) => log.warn('node not found', { profile_id: profileId, error }),
      )
  }

  function queueOn(node: DataNode, profileId: string): void {
    wait(node, profileId)
    next(node)
  }

  function wait(node: DataNode, profileId: string): void {
    const queued = waiting.get(node.name) ?? new Set()
    waiting.set(node.name, queued.add(profileId))
  }

  function next(node: DataNode): void {
    if (stopped) return
    const busy = running.get(node.name) ?? new Map<string, Promise<void>>()
    running.set(node.name, busy)
    const queued = waiting.get(node.name) ?? []
    for (const profileId of queued) {
      if (busy.size >= parallel) return
      if (busy.has(profileId) || resting.has(profileId)) continue
      waiting.get(node.name)?.delete(profileId)
      const work = processOnce(node, profileId)
        .catch((error: unknown) => {
          log.error('processing failed', { profile_id: profileId, node: node.name, error })
          rest(node, profileId, FAILED_MS)
        })
        .finally(() => {
          busy.delete(profileId)
          next(node)
        })
      busy.set(profileId, work)
    }
  }

  async function processOnce(node: DataNode, profileId: string): Promise<void> {
    const started = performance.now()
    const { patientDb: db } = await nodes.shardOf(profileId)
    const processed = await processBatch({ ...parts, db }, profileId)
    if (processed === null) return waitForOther(node, profileId)
    if (processed.taken === 0) return
    parts.onProcessed?.(profileId)
    if (!processed.isDrained) wait(node, profileId)
    else rest(node, profileId, pauseAfterBatch(processed.taken, pauseMs) - (performance.now() - started))
  }

  /** What came after the other process took its batch is this one's to take, but not to ask for with every event. */
  function waitForOther(node: DataNode, profileId: string): void {
    wait(node, profileId)
    rest(node, profileId, Math.max(LOCKED_MS, pauseMs / 4))
  }

  function rest(node: DataNode, profileId: string, ms: number): void {
    if (ms <= 0 || stopped) return
    const timer = setTimeout(() => {
      resting.delete(profileId)
      next(node)
    }, ms)
    resting.set(profileId, timer)
  }

  async function look(node: DataNode): Promise<void> {
    const { rows } = await acrossProfiles(
      node,
      (table) => sql<{ profile_id: string }>`
        select distinct profile_id from ${table('event_queue')} limit 1000`,
    ).execute(node.patientDb)
    for (const row of rows) wake(row.profile_id)
  }

  /** A node that is away is looked at again later, and keeps no one from the others. */
  const looker = pollNodes(nodes, LOOK_EVERY_MS, look, (error, node) =>
    log.warn('waiting events not looked up', { node: node.name, error }),
  )

  return {
    wake,
    start() {
      looker.start()
    },
    async stop() {
      stopped = true
      looker.stop()
      for (const rest of resting.values()) clearTimeout(rest)
      await Promise.all([...running.values()].flatMap((busy) => [...busy.values()]))
    },
    async settled(profileId) {
      for (;;) {
        const node = await nodes.of(profileId)
        await running.get(node.name)?.get(profileId)
        const { patientDb: db } = await nodes.shardOf(profileId)
        const processed = await processBatch({ ...parts, db }, profileId)
        if (processed === null) await pause(LOCKED_MS)
        // What has come since was not there when this was queried.
        else if (processed.isDrained) return
      }
    },
  }
}
