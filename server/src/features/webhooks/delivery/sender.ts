/**
 * Sends what is due. A sender holds whole subscriptions under a lease, so a delivery needs no claim
 * of its own and the requests in flight to one endpoint can be counted.
 */
import type { Service } from '../../../context.ts'
import { uuidv7 } from '../../../contract/ids.ts'
import { nextAttemptAt, paceOf } from '../rules.ts'
import { attemptDelivery } from './attempt.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { createLanes, hasSlot, isIdle, type Lane, LOOK_AGAIN_MS, type Turn } from './lanes.ts'
import { type Found, loadDue, type ReadyDelivery } from './load.ts'
import {
  abandonQueues,
  claimQueues,
  holdQueues,
  listNewWakes,
  lookForQueues,
  releaseQueues,
} from './queues.ts'
import {
  cancelDeliveries,
  cancelPending,
  disable,
  nextDue,
  type Settled,
  settleDeliveries,
} from './save-attempts.ts'

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

const MAX_LANES = 2000
/** A subscription that ran dry is kept this long: under a steady trickle it is not let go and claimed each time. */
const LINGER_MS = 250
const WORD_OF_SUCCESS_MS = 1000
const RETRY_MS = 500
const QUICK_MS = 50
/** Clocks of one deployment differ by less, and what was just enqueued by this one's is due at once. */
const DRIFT_MS = 1000
const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')

export function createSender(
  service: Pick<Service, 'db' | 'keyring' | 'publicHttp' | 'log'>,
  options: SenderOptions = {},
): Sender {
  const { db, log } = service
  const { pollMs = 100, leaseMs = 30_000, chance = Math.random } = options
  const leaseId = uuidv7()
  const lanes = createLanes(serveSoon)
  const attemptWriter = createAttemptWriter({
    write: (batch, quiet) => settleDeliveries(db, batch, quiet),
    quietIn,
    settled: (batch) => {
      for (const entry of batch) lanes.get(entry.subscriptionId)?.busy.delete(entry.id)
      serveSoon()
    },
    failed: (error) => warn('webhooks not settled', error),
  })
  const underWay = new Set<Promise<void>>()
  let skewMs = 0
  let beatAt = 0
  let serving = false
  let nudge = () => {}
  let stopping = false
  let loop: Promise<void> | undefined

  const now = () => new Date(Date.now() + skewMs)
  function warn(message: string, error: unknown): void {
    if (!stopping) log.warn(message, { error })
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms)
      function done() {
        clearTimeout(timer)
        resolve()
      }
      nudge = done
    })
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await look()
        if (Date.now() >= beatAt) await beat()
        await tidy()
        await pause(pollMs)
      } catch (error) {
        warn('webhooks not looked for', error)
        await pause(RETRY_MS)
      }
    }
  }

  async function look(): Promise<void> {
    const askedAt = Date.now()
    const seen = await lookForQueues(db, now())
    // An answer that took long says no better than this what time it was when the database looked.
    const unsureMs = (Date.now() - askedAt) / 2
    const driftMs = seen.now.getTime() - seen.offsetMs - (askedAt + unsureMs)
    skewMs = seen.offsetMs + (Math.abs(driftMs) > DRIFT_MS + unsureMs ? Math.round(driftMs) : 0)
    const limit = MAX_LANES - lanes.size()
    if (!seen.waiting || limit <= 0) return
    for (const queue of await claimQueues(db, { leaseId, leaseMs, now: now(), limit })) lanes.hold(queue)
  }

  async function beat(): Promise<void> {
    beatAt = Date.now() + leaseMs / 3
    if (lanes.size() === 0) return
    const ids = Array.from(lanes.values(), (lane) => lane.id)
    const kept = await holdQueues(db, { leaseId, leaseMs, ids })
    for (const id of ids) if (!kept.has(id)) lanes.drop(id)
  }

  /** Looks again where something may have become due, and lets go of what has been idle for a while. */
  async function tidy(): Promise<void> {
    const wallMs = Date.now()
    // Those that had to rest ask again.
    for (const lane of lanes.values()) lanes.want(lane)
    const dry = [...lanes.values()].filter((lane) => !lane.look && !lane.loading)
    if (dry.length === 0) return
    for (const [id, wakes] of await listNewWakes(db, leaseId, dry)) {
      const lane = lanes.get(id)
      if (lane !== undefined) lookAt(Object.assign(lane, { wakes, held: false }))
    }
    const idle: Lane[] = []
    for (const lane of dry) {
      if (!isIdle(lane)) {
        lane.idleSince = 0
        if (!lane.held && wallMs >= lane.lookAgainAt) lookAt(lane)
      } else if (lane.idleSince === 0) lane.idleSince = wallMs
      else if (wallMs - lane.idleSince >= LINGER_MS) idle.push(lane)
    }
    if (idle.length > 0) await release(idle)
  }

  function lookAt(lane: Lane): void {
    lane.look = true
    lane.woken = true
    lane.idleSince = 0
    lanes.want(lane)
  }

  async function release(idle: readonly Lane[]): Promise<void> {
    const due = new Map<string, Date>()
    for (const [profileId, own] of Map.groupBy(idle, (lane) => lane.profileId)) {
      const ids = own.map((lane) => lane.id)
      for (const [id, dueAt] of await nextDue(db, { profileId, ids })) due.set(id, dueAt)
    }
    const releases = idle.filter(isIdle).map(({ id, wakes, held }) => {
      const dueAt = due.get(id) ?? null
      return { id, wakes, dueAt: dueAt !== null && held ? HELD_UNTIL : dueAt }
    })
    for (const id of releases.map((release) => release.id)) lanes.drop(id)
    const gone = await releaseQueues(db, leaseId, releases)
    // What came in meanwhile is claimed anew: the queue's row still says that it is due.
    const kept = releases.filter((release) => !gone.has(release.id)).map((release) => release.id)
    if (kept.length > 0) await abandonQueues(db, leaseId, kept)
  }

  function serveSoon(): void {
    if (serving || stopping) return
    serving = true
    setImmediate(() => {
      serving = false
      if (stopping) return
      for (;;) {
        const next = lanes.takeTurn(attemptWriter.unsettled())
        if (next === undefined) return
        track(load(next.profileId, next.turns).catch((error: unknown) => warn('webhooks not loaded', error)))
      }
    })
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  async function load(profileId: string, turns: readonly Turn[]): Promise<void> {
    try {
      const { found, refused, ready } = await loadDue(service, { profileId, turns, now: now() })
      for (const turn of turns) await take(turn, found.get(turn.lane.id)!)
      if (refused.length > 0) await cancelDeliveries(db, { profileId, refused, now: now() })
      if (stopping) return
      const byId = new Map(turns.map(({ lane }) => [lane.id, lane]))
      for (const delivery of ready) {
        const lane = byId.get(delivery.subscriptionId)!
        if (hasSlot(lane)) begin(lane, delivery)
        // Read ahead for nothing: it stays where it is, and is read anew when there is a slot.
        else Object.assign(lane, { look: true, after: null, quick: false })
      }
    } catch (error) {
      for (const { lane } of turns) lane.notBefore = Date.now() + RETRY_MS
      throw error
    } finally {
      lanes.endTurn(profileId, turns)
    }
  }

  async function take({ lane, limit, after }: Turn, { state, count, last }: Found): Promise<void> {
    lane.held = state.kind === 'held'
    if (state.kind === 'open' && !lane.proven)
      lane.failures = Math.max(lane.failures, state.consecutiveFailures)
    const isFull = count >= limit
    // Where the end was reached from the middle, the line is read once more from its start.
    lane.look = state.kind === 'open' && (isFull || after !== null || lane.woken)
    lane.after = isFull ? last : null
    lane.lookAgainAt = Date.now() + LOOK_AGAIN_MS
    if (state.kind !== 'closed') return
    const { profileId, id } = lane
    const { reason } = state
    if (reason === 'grant_revoked') await disable(db, { profileId, id, status: 'paused', reason, now: now() })
    lane.look = (await cancelPending(db, { profileId, subscriptionId: id, reason, now: now() })) > 0
  }

  function begin(lane: Lane, delivery: ReadyDelivery): void {
    const { pauseMs } = paceOf(lane.failures)
    if (pauseMs > 0) lane.notBefore = Date.now() + pauseMs
    const end = lanes.occupy(lane, delivery)
    track(send(lane, delivery).finally(end))
  }

  async function send(lane: Lane, delivery: ReadyDelivery): Promise<void> {
    const at = now()
    const result = await attemptDelivery(service.publicHttp, delivery, lane.given.signal)
    if (result === undefined) {
      lane.busy.delete(delivery.id)
      return
    }
    const endedAt = now()
    const attempt = delivery.attempts + 1
    const gone = result.status === 410
    const next =
      result.ok || gone ? undefined : nextAttemptAt(attempt, endedAt, result.retryAfterMs, chance())
    lane.failures = result.ok ? 0 : lane.failures + 1
    lane.proven = result.ok
    lane.quick = result.ok && result.durationMs <= QUICK_MS
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

  /** A subscription that keeps succeeding is told so once a second, not once a batch; after a failure, at once. */
  function quietIn(batch: readonly Settled[]): Set<string> {
    const quiet = new Set<string>()
    const wallMs = Date.now()
    const failed = new Set(
      batch.flatMap((entry) => (entry.status === 'delivered' ? [] : entry.subscriptionId)),
    )
    for (const id of new Set(batch.map((entry) => entry.subscriptionId))) {
      const lane = lanes.get(id)
      if (lane === undefined) continue
      if (failed.has(id)) lane.wroteGoodAt = 0
      else if (wallMs - lane.wroteGoodAt < WORD_OF_SUCCESS_MS) quiet.add(id)
      else lane.wroteGoodAt = wallMs
    }
    return quiet
  }

  return {
    start() {
      loop ??= run()
    },
    wake(subscriptionIds) {
      const held = subscriptionIds.map((id) => lanes.get(id))
      for (const lane of held) if (lane !== undefined) lookAt(lane)
      if (held.length === 0 || held.includes(undefined)) nudge()
    },
    async stop(graceMs = 5000) {
      if (loop === undefined) return
      stopping = true
      nudge()
      await loop
      const patience = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.all(underWay), patience])
      for (const lane of lanes.values()) lane.given.abort()
      await Promise.all(underWay)
      await attemptWriter.drain()
      await abandonQueues(db, leaseId)
    },
  }
}
