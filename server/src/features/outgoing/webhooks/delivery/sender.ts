/**
 * Sends what is due. A sender holds whole subscriptions under a lease (`leases.ts`), so a delivery needs no claim of its
 * own and the requests in flight to one endpoint can be counted (`lanes.ts`). In turns: load what is due, make the
 * attempts, hand their results to the attempt writer.
 */
import type { Service } from '../../../../context.ts'
import { uuidv7 } from '../../../../platform/contract/ids.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { concurrencyFor, nextAttemptAt } from '../rules.ts'
import { attemptDelivery } from './attempt.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { hasSlot, type Lane, type LoadResult, learnFailures, readAheadInVain, recordAnswer } from './lane.ts'
import { createLanes, loadOfManyProfiles, loadOfOneProfile, type ProfileTurn, type Turn } from './lanes.ts'
import { createLeases } from './leases.ts'
import { type Found, type Loaded, loadDue, type ReadyDelivery } from './load.ts'
import { cancelDeliveries, cancelPending, disable, type Settled, settleDeliveries } from './save-attempts.ts'

export type SenderOptions = {
  pollMs?: number
  /** A dead sender's subscriptions are taken over this long after its last sign of life. */
  leaseMs?: number
  /** 0 to 1, for the spread of retries. */
  chance?: () => number
}

export type Sender = {
  start(): void
  /** These subscriptions have something new; without any, looks who has. */
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
    oneProfileAtOnce: nodes.isDistributed,
    ...(nodes.isDistributed && { nodeOf: nodes.nameOf }),
    quietIn: (batch) => quietIn(batch, (id) => lanes.get(id)),
    settled: (batch) => {
      for (const entry of batch) lanes.get(entry.subscriptionId)?.open.delete(entry.id)
      serveSoon()
    },
    failed: (error) => warn('webhook attempts not written', error),
  })
  const underWay = new Set<Promise<void>>()
  const polls = createPause()
  let serving = false
  let stopping = false
  let loop: Promise<void> | undefined

  async function dbOf(profileId: string): Promise<Db> {
    return nodes.isDistributed ? (await nodes.shardOf(profileId)).patientDb : db
  }

  function warn(message: string, error: unknown): void {
    if (!stopping) log.warn(message, { error })
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await leases.poll()
        await polls.wait(pollMs)
      } catch (error) {
        warn('webhooks not looked for', error)
        await polls.wait(RETRY_MS)
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
        const next = lanes.takeLoad(attemptWriter.unsettled())
        if (next === undefined) return
        track(load(next).finally(() => lanes.endLoad(next[0]!.node)))
      }
    })
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  /** A profile whose load failed is loaded again after a while. */
  async function load(asked: readonly ProfileTurn[]): Promise<void> {
    const failed = (part: ProfileTurn, error: unknown) => {
      for (const { lane } of part.turns) lane.restUntil = Date.now() + RETRY_MS
      lanes.endTurn(part)
      warn('webhooks not loaded', error)
    }
    const loaded = await dbOf(asked[0]!.profileId)
      .then((own) => loadDue({ db: own, keyring: service.keyring }, { load: asked, now: leases.now() }))
      .catch((error: Error) => error)
    await Promise.all(
      asked.map(async (part) => {
        const own = loaded instanceof Error ? loaded : loaded.get(part.profileId)!
        if (own instanceof Error) failed(part, own)
        else await serve(part, own).catch((error: unknown) => failed(part, error))
      }),
    )
  }

  async function serve(part: ProfileTurn, { found, refused, ready }: Loaded): Promise<void> {
    const { profileId, turns } = part
    const results = new Map<string, LoadResult>()
    for (const turn of turns) results.set(turn.lane.id, await take(turn, found.get(turn.lane.id)!))
    if (refused.length > 0)
      await cancelDeliveries(await dbOf(profileId), { profileId, refused, now: leases.now() })
    const byId = new Map(turns.map(({ lane }) => [lane.id, lane]))
    for (const delivery of stopping ? [] : ready) {
      const lane = byId.get(delivery.subscriptionId)!
      if (hasSlot(lane)) {
        begin(lane, delivery)
        continue
      }
      readAheadInVain(lane)
      results.set(lane.id, 'more')
    }
    lanes.endTurn(part, results)
  }

  async function take({ lane, limit, after }: Turn, { state, count, last }: Found): Promise<LoadResult> {
    const isFull = count >= limit
    lane.reading.after = isFull ? last : null
    switch (state.kind) {
      case 'open':
        learnFailures(lane, state.consecutiveFailures)
        // Where the end was reached from the middle, the queue is read once more from its start.
        return isFull || after !== null ? 'more' : 'drained'
      case 'held':
        return 'paused'
      case 'closed': {
        const { profileId, id } = lane
        const { reason } = state
        const now = leases.now()
        const own = await dbOf(profileId)
        if (reason === 'grant_revoked') await disable(own, { profileId, id, status: 'paused', reason, now })
        const cancelled = await cancelPending(own, { profileId, subscriptionId: id, reason, now })
        return cancelled > 0 ? 'more' : 'drained'
      }
    }
  }

  function begin(lane: Lane, delivery: ReadyDelivery): void {
    const { pauseMs } = concurrencyFor(lane.endpoint.failures)
    if (pauseMs > 0) lane.restUntil = Date.now() + pauseMs
    const end = lanes.occupy(lane, delivery)
    track(send(lane, delivery).finally(end))
  }

  async function send(lane: Lane, delivery: ReadyDelivery): Promise<void> {
    const at = leases.now()
    const result = await attemptDelivery(service.publicHttp, delivery, lane.abandoned.signal)
    if (result === undefined) {
      lane.open.delete(delivery.id)
      return
    }
    recordAnswer(lane, result)
    const endedAt = leases.now()
    const attempt = delivery.attempts + 1
    const gone = result.status === 410
    const next =
      result.ok || gone ? undefined : nextAttemptAt(attempt, endedAt, result.retryAfterMs, chance())
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
      gone,
    })
  }

  return {
    start() {
      loop ??= run()
    },
    wake(subscriptionIds) {
      const held = subscriptionIds.map((id) => lanes.get(id))
      for (const lane of held) if (lane !== undefined) leases.wake(lane)
      if (held.length === 0 || held.includes(undefined)) polls.end()
    },
    async stop(graceMs = 5000) {
      if (loop === undefined) return
      stopping = true
      polls.end()
      await loop
      const patience = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.all(underWay), patience])
      for (const lane of lanes.values()) lane.abandoned.abort()
      await Promise.all(underWay)
      await attemptWriter.drain()
      await leases.abandon()
    },
  }
}

/** Subscriptions that keep succeeding are reported so once a second, not once a batch; after a failure, at once. */
function quietIn(batch: readonly Settled[], laneOf: (id: string) => Lane | undefined): Set<string> {
  const quiet = new Set<string>()
  const wallMs = Date.now()
  const failed = new Set(batch.flatMap((entry) => (entry.status === 'delivered' ? [] : entry.subscriptionId)))
  for (const id of new Set(batch.map((entry) => entry.subscriptionId))) {
    const lane = laneOf(id)
    if (lane === undefined) continue
    if (failed.has(id)) lane.successWrittenAt = 0
    else if (wallMs - lane.successWrittenAt < WRITE_SUCCESS_EVERY_MS) quiet.add(id)
    else lane.successWrittenAt = wallMs
  }
  return quiet
}

/** A wait that can be ended early. */
function createPause(): { wait(ms: number): Promise<void>; end(): void } {
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
