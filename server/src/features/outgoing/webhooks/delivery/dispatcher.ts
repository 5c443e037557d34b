/** Drives events out: fans out each profile that has recorded something new, then sends. */
import { sql } from 'kysely'
import type { Dispatcher, Service } from '../../../../context.ts'
import { type Db, databaseNow } from '../../../../platform/db/database.ts'
import { pollNodes } from '../../../../platform/db/nodes.ts'
import { fanOut, listLagging } from './fanout.ts'
import { createSender, type SenderOptions } from './sender.ts'

/** A small sample of the columns that conditions name: payloads help the planner nothing and are most of the work. */
async function learnQueue(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local default_statistics_target = 20`.execute(tx)
    await sql`analyze webhook_deliveries (profile_id, id, subscription_id, status, next_attempt_at, number)`.execute(
      tx,
    )
  })
}

/** Of each node: one that does not answer keeps only its own waiting. */
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
        () => line(profileId),
        (error: unknown) => log.warn('webhook fan-out put off', { error }),
      )
    } else line(profileId)
  }

  function line(profileId: string): void {
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
      const work = tellSome(profileId)
        .catch((error: unknown) => log.error('webhook fan-out failed', { profile_id: profileId, error }))
        .finally(() => {
          running.delete(profileId)
          next()
        })
      running.set(profileId, { node, work })
    }
  }

  /** One batch; a profile with more goes to the end of the line. */
  async function tellSome(profileId: string): Promise<void> {
    // By the clock that senders go by: what a process ahead of it enqueues would wait for as long as that.
    const node = await service.nodes.of(profileId)
    const { patientDb } = await service.nodes.shardOf(profileId)
    const now = await databaseNow(node.patientDb)
    const { more, deliveries, subscriptionIds } = await fanOut(patientDb, profileId, now)
    if (more) wake(profileId)
    sender.wake(subscriptionIds)
    sinceAnalyze += deliveries
    if (sinceAnalyze < ANALYZE_AFTER) return
    sinceAnalyze = 0
    await learnQueue(db)
  }

  const looker = pollNodes(
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
      looker.start()
    },
    async stop(graceMs) {
      stopped = true
      looker.stop()
      await Promise.all(Array.from(running.values(), ({ work }) => work))
      await sender.stop(graceMs)
    },
  }
}
