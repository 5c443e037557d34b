/** Delivers events: fans out each profile with new events, then wakes the sender. */
import { sql } from 'kysely'
import type { Dispatcher, Service } from '../../../../context.ts'
import { type Db, databaseNow } from '../../../../platform/db/database.ts'
import { pollNodes } from '../../../../platform/db/nodes.ts'
import { fanOut, listLagging } from './fanout.ts'
import { createSender, type SenderOptions } from './sender.ts'

/** Analyzes a small sample of the columns used in conditions. Payloads are omitted: they cost most and do not help the planner. */
async function analyzeQueue(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local default_statistics_target = 20`.execute(tx)
    await sql`analyze webhook_deliveries (profile_id, id, subscription_id, status, next_attempt_at, number)`.execute(
      tx,
    )
  })
}

/** Fan-outs per node, so a node that does not respond blocks only its own profiles. */
const MAX_PARALLEL = 2
const ANALYZE_AFTER = 20_000

export function createDispatcher(
  service: Pick<Service, 'db' | 'nodes' | 'keyring' | 'publicHttp' | 'log'>,
  options: SenderOptions & { lookMs?: number } = {},
): Dispatcher {
  const { db, log } = service
  const { lookMs = 200 } = options
  const sender = createSender(service, options)
  const waiting = new Set<string>()
  const running = new Map<string, { node: string; work: Promise<void> }>()
  let stopped = true
  let sinceAnalyze = 0

  function wake(profileId: string): void {
    if (stopped) return
    const node = service.nodes.of(profileId)
    if (node instanceof Promise) {
      node.then(
        () => enqueue(profileId),
        (error: unknown) => log.warn('webhook fan-out delayed', { error }),
      )
    } else enqueue(profileId)
  }

  function enqueue(profileId: string): void {
    if (stopped) return
    waiting.add(profileId)
    next()
  }

  function next(): void {
    const busy = new Map<string, number>()
    for (const { node } of running.values()) busy.set(node, (busy.get(node) ?? 0) + 1)
    for (const profileId of waiting) {
      if (running.size >= MAX_PARALLEL * service.nodes.list().length) return
      const node = service.nodes.nameOf(profileId)
      if (running.has(profileId) || (busy.get(node) ?? 0) >= MAX_PARALLEL) continue
      busy.set(node, (busy.get(node) ?? 0) + 1)
      waiting.delete(profileId)
      const work = fanOutBatch(profileId)
        .catch((error: unknown) => log.error('webhook fan-out failed', { profile_id: profileId, error }))
        .finally(() => {
          running.delete(profileId)
          next()
        })
      running.set(profileId, { node, work })
    }
  }

  /** Fans out one batch; a profile with more events is queued again at the end. */
  async function fanOutBatch(profileId: string): Promise<void> {
    // The database clock, as in the senders: with a process clock that is ahead, deliveries would wait for the difference.
    const node = await service.nodes.of(profileId)
    const { backgroundDb } = await service.nodes.shardOf(profileId)
    const now = await databaseNow(node.backgroundDb)
    const { more, deliveries, subscriptionIds } = await fanOut(backgroundDb, profileId, now)
    if (more) wake(profileId)
    sender.wake(subscriptionIds)
    sinceAnalyze += deliveries
    if (sinceAnalyze < ANALYZE_AFTER) return
    sinceAnalyze = 0
    await analyzeQueue(db)
  }

  const poller = pollNodes(
    service.nodes,
    lookMs,
    async (node) => {
      for (const profileId of await listLagging(node)) wake(profileId)
    },
    (error, node) => log.warn('webhook outbox poll failed', { node: node.name, error }),
  )

  return {
    wake,
    start() {
      if (!stopped) return
      stopped = false
      sender.start()
      poller.start()
    },
    async stop(graceMs) {
      stopped = true
      poller.stop()
      await Promise.all(Array.from(running.values(), ({ work }) => work))
      await sender.stop(graceMs)
    },
  }
}
