/**
 * Drives the pipeline: a profile is processed as soon as this process has committed events of it,
 * and every few moments all profiles with waiting events are looked up, so that another process's
 * events, or those of one that died, are never left lying.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { Handover } from '../events/handover.ts'
import { processBatch } from './process.ts'

const LOOK_EVERY_MS = 500
const MAX_PARALLEL = 2
/** Another process has the profile's lock, for a batch's time. */
const LOCKED_MS = 10
/**
 * The least time from one batch of a profile to the next: under load hundreds of events then share
 * the statements and rollup rows of a batch, and a number is still seen well within a second.
 */
const REST_MS = 400
/** After a batch of more events than this many, the rest is twice as long: that many come only under heavy load. */
const MANY = 1000

export function restAfter(taken: number, restMs: number): number {
  return taken > MANY ? 2 * restMs : restMs
}

export type Processor = {
  wake(profileId: string): void
  /** Looks for waiting events of every profile from now on. */
  start(): void
  stop(): Promise<void>
  /** Settles when no event of the profile waits that was waiting when this was asked. */
  settled(profileId: string): Promise<void>
}

export function createProcessor(parts: {
  db: Db
  clock: Clock
  log: Log
  handover?: Handover
  /** A batch of the profile has committed. */
  onProcessed?: (profileId: string) => void
  restMs?: number
}): Processor {
  const { db, log, restMs = REST_MS } = parts
  const waiting = new Set<string>()
  const running = new Map<string, Promise<void>>()
  const resting = new Map<string, NodeJS.Timeout>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  function wake(profileId: string): void {
    if (stopped) return
    waiting.add(profileId)
    next()
  }

  function next(): void {
    if (stopped) return
    for (const profileId of waiting) {
      if (running.size >= MAX_PARALLEL) return
      if (running.has(profileId) || resting.has(profileId)) continue
      waiting.delete(profileId)
      const work = processOnce(profileId)
        .catch((error: unknown) => log.error('processing failed', { profile_id: profileId, error }))
        .finally(() => {
          running.delete(profileId)
          next()
        })
      running.set(profileId, work)
    }
  }

  async function processOnce(profileId: string): Promise<void> {
    const started = performance.now()
    const processed = await processBatch(parts, profileId)
    if (processed === null || processed.taken === 0) return
    parts.onProcessed?.(profileId)
    if (!processed.isDrained) waiting.add(profileId)
    else rest(profileId, restAfter(processed.taken, restMs) - (performance.now() - started))
  }

  function rest(profileId: string, ms: number): void {
    if (ms <= 0 || stopped) return
    const timer = setTimeout(() => {
      resting.delete(profileId)
      next()
    }, ms)
    resting.set(profileId, timer)
  }

  async function look(): Promise<void> {
    const { rows } = await sql<{
      profile_id: string
    }>`select distinct profile_id from event_queue limit 1000`.execute(db)
    for (const row of rows) wake(row.profile_id)
  }

  return {
    wake,
    start() {
      timer ??= setInterval(() => {
        look().catch((error: unknown) => log.warn('waiting events not looked up', { error }))
      }, LOOK_EVERY_MS)
      timer.unref()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      for (const rest of resting.values()) clearTimeout(rest)
      await Promise.all(running.values())
    },
    async settled(profileId) {
      for (;;) {
        await running.get(profileId)
        const processed = await processBatch(parts, profileId)
        if (processed === null) await pause(LOCKED_MS)
        // What has come since was not there when this was asked.
        else if (processed.isDrained) return
      }
    },
  }
}
