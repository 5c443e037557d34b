/**
 * Sends due deliveries. A sender leases whole subscriptions (`leases.ts`), so single deliveries need no claim and the
 * requests in flight to one endpoint can be counted (`lanes.ts`). Each turn loads due deliveries, attempts them and passes
 * the results to the attempt writer.
 */
import type { Service } from '../../../../context.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { concurrencyFor, nextAttemptAt } from '../rules.ts'
import { attemptDelivery } from './attempt.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import {
  applyStoredFailures,
  discardReadAhead,
  hasSlot,
  type Lane,
  type LoadResult,
  recordResponse,
} from './lane.ts'
import { createLanes, loadOfManyProfiles, loadOfOneProfile, type ProfileTurn, type Turn } from './lanes.ts'
import { createLeases } from './leases.ts'
import { type Loaded, loadDue, type QueueRead, type ReadyDelivery } from './load.ts'
import { cancelDeliveries, cancelPending, disable, type Settled, settleDeliveries } from './save-attempts.ts'

export type SenderOptions = {
  pollMs?: number
  /** The subscriptions of a crashed sender are taken over this long after it last renewed their leases. */
  leaseMs?: number
  /** Random number from 0 to 1, for the jitter of retries. */
  chance?: () => number
}

export type Sender = {
  start(): void
  /** Wakes subscriptions with new deliveries; without ids, polls all. */
  wake(subscriptionIds: readonly string[]): void
  stop(graceMs?: number): Promise<void>
}

const WRITE_SUCCESS_EVERY_MS = 1000
const RETRY_MS = 500

export function createSender(
  service: Pick<Service, 'db' | 'nodes' | 'keyring' | 'publicHttp' | 'log'>,
  options: SenderOptions = {},
): Sender {
  const { db, nodes, log } = service
  const { pollMs = 100, leaseMs = 30_000, chance = Math.random } = options
  const lanes = createLanes(
    serveSoon,
    nodes.isDistributed ? loadOfOneProfile : loadOfManyProfiles,
    nodes.isDistributed ? nodes.nameOf : undefined,
  )
  const leases = createLeases(db, nodes, lanes, {
    id: uuidv7(),
    ms: leaseMs,
    onError: (error) => warn('webhook subscriptions not released', error),
  })
  const attemptWriter = createAttemptWriter({
    write: async (batch, quiet) => settleDeliveries(await dbOf(batch[0]!.profileId), batch, quiet),
    singleProfileBatches: nodes.isDistributed,
    ...(nodes.isDistributed && { nodeOf: nodes.nameOf }),
    quietIn: (batch) => quietIn(batch, (id) => lanes.get(id)),
    settled: (batch) => {
      for (const entry of batch) lanes.get(entry.subscriptionId)?.open.delete(entry.id)
      serveSoon()
    },
    failed: (error) => warn('webhook attempts not written', error),
  })
  const tasks = new Set<Promise<void>>()
  const pollDelay = createDelay()
  let serving = false
  let stopping = false
  let loop: Promise<void> | undefined

  async function dbOf(profileId: string): Promise<Db> {
    return nodes.isDistributed ? (await nodes.shardOf(profileId)).backgroundDb : db
  }

  function warn(message: string, error: unknown): void {
    if (!stopping) log.warn(message, { error })
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await leases.poll()
        await pollDelay.wait(pollMs)
      } catch (error) {
        warn('webhook queues not polled', error)
        await pollDelay.wait(RETRY_MS)
      }
    }
  }

  function serveSoon(): void {
    if (serving || stopping) return
    serving = true
    setImmediate(() => {
      serving = false
      if (stopping) return
      for (;;) {
        const next = lanes.nextLoad(attemptWriter.unsettled())
        if (next === undefined) return
        track(load(next).finally(() => lanes.endLoad(next[0]!.node)))
      }
    })
  }

  function track(work: Promise<void>): void {
    tasks.add(work)
    void work.finally(() => tasks.delete(work))
  }

  /** Profiles whose load failed are retried after a delay. */
  async function load(parts: readonly ProfileTurn[]): Promise<void> {
    const handleFailure = (part: ProfileTurn, error: unknown) => {
      for (const { lane } of part.turns) lane.notBefore = Date.now() + RETRY_MS
      lanes.endTurn(part)
      warn('webhooks not loaded', error)
    }
    const loaded = await dbOf(parts[0]!.profileId)
      .then((dataDb) => loadDue({ db: dataDb, keyring: service.keyring }, { load: parts, now: leases.now() }))
      .catch((error: Error) => error)
    await Promise.all(
      parts.map(async (part) => {
        const result = loaded instanceof Error ? loaded : loaded.get(part.profileId)!
        if (result instanceof Error) handleFailure(part, result)
        else await serve(part, result).catch((error: unknown) => handleFailure(part, error))
      }),
    )
  }

  async function serve(part: ProfileTurn, { queues, refused, ready }: Loaded): Promise<void> {
    const { profileId, turns } = part
    const results = new Map<string, LoadResult>()
    for (const turn of turns) results.set(turn.lane.id, await applyQueueRead(turn, queues.get(turn.lane.id)!))
    if (refused.length > 0)
      await cancelDeliveries(await dbOf(profileId), { profileId, refused, now: leases.now() })
    const byId = new Map(turns.map(({ lane }) => [lane.id, lane]))
    for (const delivery of stopping ? [] : ready) {
      const lane = byId.get(delivery.subscriptionId)!
      if (hasSlot(lane)) {
        startDelivery(lane, delivery)
        continue
      }
      discardReadAhead(lane)
      results.set(lane.id, 'more')
    }
    lanes.endTurn(part, results)
  }

  async function applyQueueRead(
    { lane, limit, after }: Turn,
    { state, count, last }: QueueRead,
  ): Promise<LoadResult> {
    const isFull = count >= limit
    lane.reading.after = isFull ? last : null
    switch (state.kind) {
      case 'open':
        applyStoredFailures(lane, state.consecutiveFailures)
        // If the read did not begin at the start of the queue, the queue is read again from there.
        return isFull || after !== null ? 'more' : 'drained'
      case 'paused':
        return 'paused'
      case 'closed': {
        const { profileId, id } = lane
        const { reason } = state
        const now = leases.now()
        const dataDb = await dbOf(profileId)
        if (reason === 'grant_revoked')
          await disable(dataDb, { profileId, id, status: 'paused', reason, now })
        const cancelled = await cancelPending(dataDb, { profileId, subscriptionId: id, reason, now })
        return cancelled > 0 ? 'more' : 'drained'
      }
    }
  }

  function startDelivery(lane: Lane, delivery: ReadyDelivery): void {
    const { pauseMs } = concurrencyFor(lane.endpoint.failures)
    if (pauseMs > 0) lane.notBefore = Date.now() + pauseMs
    const end = lanes.startAttempt(lane, delivery)
    track(send(lane, delivery).finally(end))
  }

  async function send(lane: Lane, delivery: ReadyDelivery): Promise<void> {
    const at = leases.now()
    const result = await attemptDelivery(service.publicHttp, delivery, lane.abort.signal)
    if (result === undefined) {
      lane.open.delete(delivery.id)
      return
    }
    recordResponse(lane, result)
    const endedAt = leases.now()
    const attempt = delivery.attempts + 1
    const isGone = result.status === 410
    const next =
      result.ok || isGone ? undefined : nextAttemptAt(attempt, endedAt, result.retryAfterMs, chance())
    attemptWriter.add({
      profileId: delivery.profileId,
      subscriptionId: delivery.subscriptionId,
      id: delivery.id,
      number: delivery.number,
      recordedAt: delivery.recordedAt,
      status: result.ok ? 'delivered' : next === undefined ? 'failed' : 'pending',
      nextAttemptAt: next ?? null,
      entry: {
        attempt,
        at: at.toISOString(),
        response_status: result.status,
        error: result.error,
        duration_ms: result.durationMs,
      },
      endedAt,
      gone: isGone,
    })
  }

  return {
    start() {
      loop ??= run()
    },
    wake(subscriptionIds) {
      const wokenLanes = subscriptionIds.map((id) => lanes.get(id))
      for (const lane of wokenLanes) if (lane !== undefined) leases.wake(lane)
      if (wokenLanes.length === 0 || wokenLanes.includes(undefined)) pollDelay.end()
    },
    async stop(graceMs = 5000) {
      if (loop === undefined) return
      stopping = true
      pollDelay.end()
      await loop
      const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.all(tasks), grace])
      for (const lane of lanes.values()) lane.abort.abort()
      await Promise.all(tasks)
      await attemptWriter.drain()
      await leases.dropAll()
    },
  }
}

/** A success is written once a second per subscription instead of once per batch; after a failure, immediately. */
function quietIn(batch: readonly Settled[], laneOf: (id: string) => Lane | undefined): Set<string> {
  const quiet = new Set<string>()
  const wallMs = Date.now()
  const failedIds = new Set(
    batch.flatMap((entry) => (entry.status === 'delivered' ? [] : entry.subscriptionId)),
  )
  for (const id of new Set(batch.map((entry) => entry.subscriptionId))) {
    const lane = laneOf(id)
    if (lane === undefined) continue
    if (failedIds.has(id)) lane.successWrittenAt = 0
    else if (wallMs - lane.successWrittenAt < WRITE_SUCCESS_EVERY_MS) quiet.add(id)
    else lane.successWrittenAt = wallMs
  }
  return quiet
}

/** A delay that can be ended early. */
function createDelay(): { wait(ms: number): Promise<void>; end(): void } {
  let end = () => {}
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(done, ms)
        function done() {
          clearTimeout(timer)
          resolve()
        }
        end = done
      }),
    end: () => end(),
  }
}
