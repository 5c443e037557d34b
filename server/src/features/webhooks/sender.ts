/**
 * Sends what is due. A sender holds whole subscriptions under a lease, so a delivery needs no claim
 * of its own and the requests in flight to one endpoint can be counted. Each held subscription has
 * its own few slots, so one that hangs keeps none of the others waiting.
 */
import type { Service } from '../../context.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { attemptDelivery } from './attempt.ts'
import { type Loaded, loadDue, type ReadyDelivery } from './load.ts'
import {
  abandonQueues,
  claimQueues,
  type HeldQueue,
  holdQueues,
  lookForQueues,
  readWakes,
  releaseQueues,
} from './queues.ts'
import { nextAttemptAt, paceOf } from './rules.ts'
import {
  cancelDeliveries,
  cancelPending,
  disable,
  nextDue,
  type Settled,
  settleDeliveries,
} from './settle.ts'

export type SenderOptions = {
  pollMs?: number
  /** A dead sender's subscriptions are taken over this long after its last sign of life. */
  leaseMs?: number
  /** 0 to 1, for the spread of retries. */
  chance?: () => number
}

export type Sender = {
  start(): void
  /** Looks now; these subscriptions have something new. */
  wake(subscriptionIds?: readonly string[]): void
  stop(graceMs?: number): Promise<void>
}

type Lane = {
  id: string
  profileId: string
  wakes: number
  busy: Set<string>
  inFlight: number
  failures: number
  /** Something may be due. */
  look: boolean
  lookAgainAt: number
  notBefore: number
  loading: boolean
  held: boolean
  wroteGoodAt: number
}

const MOST_LANES = 2000
const MOST_IN_FLIGHT = 500
const MOST_LOADS = 4
const MOST_UNSETTLED = 3000
const SETTLE_AT_ONCE = 500
const SETTLE_AFTER_MS = 4
const LOOK_AGAIN_MS = 1000
const WORD_OF_SUCCESS_MS = 1000
const RETRY_MS = 500
const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')

export function createSender(
  service: Pick<Service, 'db' | 'keyring' | 'publicHttp' | 'log'>,
  options: SenderOptions = {},
): Sender {
  const { db, log } = service
  const { pollMs = 100, leaseMs = 30_000, chance = Math.random } = options
  const leaseId = uuidv7()
  const lanes = new Map<string, Lane>()
  const attempts = new Set<Promise<void>>()
  const given = new AbortController()
  const loadingProfiles = new Set<string>()
  let finished: Settled[] = []
  let unsettled = 0
  let inFlight = 0
  let flushing: Promise<void> | undefined
  let releasing: Promise<void> | undefined
  let skewMs = 0
  let beatAt = 0
  let nudge = () => {}
  let stopping = false
  let loop: Promise<void> | undefined

  const now = () => new Date(Date.now() + skewMs)
  const warn = (message: string, error: unknown) => {
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
        serve()
        await pause(pollMs)
      } catch (error) {
        warn('webhooks not looked for', error)
        await pause(RETRY_MS)
      }
    }
  }

  async function look(): Promise<void> {
    const seen = await lookForQueues(db)
    skewMs = seen.now.getTime() - Date.now()
    if (!seen.waiting || lanes.size >= MOST_LANES) return
    const limit = MOST_LANES - lanes.size
    for (const queue of await claimQueues(db, { leaseId, leaseMs, now: seen.now, limit })) hold(queue)
  }

  function hold(queue: HeldQueue): void {
    lanes.set(queue.subscription_id, {
      id: queue.subscription_id,
      profileId: queue.profile_id,
      wakes: queue.wakes,
      busy: new Set(),
      inFlight: 0,
      failures: 0,
      look: true,
      lookAgainAt: 0,
      notBefore: 0,
      loading: false,
      held: false,
      wroteGoodAt: 0,
    })
  }

  async function beat(): Promise<void> {
    beatAt = Date.now() + leaseMs / 3
    if (lanes.size === 0) return
    const kept = await holdQueues(db, { leaseId, leaseMs, ids: [...lanes.keys()] })
    for (const id of lanes.keys()) if (!kept.has(id)) lanes.delete(id)
  }

  /** Starts to load for every subscription with free slots, a profile at a time; those served go to the end of the line. */
  function serve(): void {
    if (stopping) return
    const wanted = new Map<string, { lane: Lane; limit: number }[]>()
    const wallMs = Date.now()
    let room = Math.min(MOST_IN_FLIGHT - inFlight, MOST_UNSETTLED - unsettled)
    for (const lane of lanes.values()) {
      if (!lane.look && !lane.held && wallMs >= lane.lookAgainAt) lane.look = true
      const limit = Math.min(freeSlots(lane, wallMs), room)
      if (limit <= 0 || loadingProfiles.has(lane.profileId)) continue
      const own = wanted.get(lane.profileId) ?? []
      if (own.length === 0 && loadingProfiles.size + wanted.size >= MOST_LOADS) continue
      own.push({ lane, limit })
      wanted.set(lane.profileId, own)
      room -= limit
    }
    for (const [profileId, own] of wanted) {
      for (const { lane } of own) {
        lanes.delete(lane.id)
        lanes.set(lane.id, lane)
        lane.loading = true
      }
      loadingProfiles.add(profileId)
      load(profileId, own).catch((error: unknown) => warn('webhooks not loaded', error))
    }
    releaseIdle()
  }

  /** Half of the slots are filled at a time: one question for one delivery would cost more than the delivery. */
  function freeSlots(lane: Lane, wallMs: number): number {
    if (!lane.look || lane.loading || wallMs < lane.notBefore) return 0
    const most = paceOf(lane.failures).inFlight
    const free = most - lane.inFlight
    return free >= Math.ceil(most / 2) ? free : 0
  }

  async function load(profileId: string, own: readonly { lane: Lane; limit: number }[]): Promise<void> {
    try {
      const asks = own.map(({ lane, limit }) => ({ id: lane.id, limit }))
      const busy = own.flatMap(({ lane }) => [...lane.busy])
      const loaded = await loadDue(service, { profileId, asks, busy, now: now() })
      for (const { lane, limit } of own) await take(lane, limit, loaded)
      if (loaded.refused.length > 0)
        await cancelDeliveries(db, { profileId, refused: loaded.refused, now: now() })
      const byId = new Map(own.map(({ lane }) => [lane.id, lane]))
      for (const delivery of loaded.ready) begin(byId.get(delivery.subscriptionId)!, delivery)
    } catch (error) {
      for (const { lane } of own) lane.notBefore = Date.now() + RETRY_MS
      throw error
    } finally {
      for (const { lane } of own) lane.loading = false
      loadingProfiles.delete(profileId)
      serve()
    }
  }

  async function take(lane: Lane, limit: number, loaded: Loaded): Promise<void> {
    const state = loaded.states.get(lane.id)!
    lane.held = state.kind === 'held'
    if (state.kind === 'open') lane.failures = state.consecutiveFailures
    lane.look = state.kind !== 'held' && (loaded.found.get(lane.id) ?? 0) >= limit
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
    lane.busy.add(delivery.id)
    lane.inFlight++
    inFlight++
    const attempt = send(lane, delivery)
    attempts.add(attempt)
    void attempt.finally(() => {
      attempts.delete(attempt)
      lane.inFlight--
      inFlight--
      serve()
    })
  }

  async function send(lane: Lane, delivery: ReadyDelivery): Promise<void> {
    const at = now()
    const result = await attemptDelivery(service.publicHttp, delivery, given.signal)
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
    unsettled++
    finished.push({
      profileId: delivery.profileId,
      subscriptionId: delivery.subscriptionId,
      id: delivery.id,
      number: delivery.number,
      eventType: delivery.eventType,
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
    settleSoon()
  }

  function settleSoon(): void {
    flushing ??= settleAll().finally(() => {
      flushing = undefined
      serve()
    })
  }

  async function settleAll(): Promise<void> {
    // Lets tries that end at about the same time share a commit; the receiver does not wait for it.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_AFTER_MS))
    while (finished.length > 0) {
      const batch = finished.slice(0, SETTLE_AT_ONCE)
      try {
        await settleDeliveries(db, batch, quietIn(batch))
      } catch (error) {
        warn('webhooks not settled', error)
        if (stopping) return
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
        continue
      }
      finished = finished.slice(batch.length)
      unsettled -= batch.length
      for (const entry of batch) lanes.get(entry.subscriptionId)?.busy.delete(entry.id)
      serve()
    }
  }

  /** A subscription that keeps succeeding is told so once a second, not once a batch. */
  function quietIn(batch: readonly Settled[]): Set<string> {
    const quiet = new Set<string>()
    const wallMs = Date.now()
    for (const id of new Set(batch.map((entry) => entry.subscriptionId))) {
      const lane = lanes.get(id)
      if (lane === undefined) continue
      if (lane.failures === 0 && wallMs - lane.wroteGoodAt < WORD_OF_SUCCESS_MS) quiet.add(id)
      else lane.wroteGoodAt = wallMs
    }
    return quiet
  }

  function isIdle(lane: Lane): boolean {
    return !lane.look && !lane.loading && lane.inFlight === 0 && lane.busy.size === 0
  }

  function releaseIdle(): void {
    if (releasing !== undefined || stopping) return
    const idle = [...lanes.values()].filter(isIdle)
    if (idle.length === 0) return
    releasing = release(idle)
      .catch((error: unknown) => warn('webhooks not released', error))
      .finally(() => {
        releasing = undefined
      })
  }

  async function release(idle: readonly Lane[]): Promise<void> {
    const due = new Map<string, Date>()
    for (const [profileId, own] of Map.groupBy(idle, (lane) => lane.profileId)) {
      const ids = own.map((lane) => lane.id)
      for (const [id, dueAt] of await nextDue(db, { profileId, ids })) due.set(id, dueAt)
    }
    const unchanged = idle.filter(isIdle)
    const releases = unchanged.map(({ id, wakes, held }) => {
      const dueAt = due.get(id) ?? null
      return { id, wakes, dueAt: dueAt !== null && held ? HELD_UNTIL : dueAt }
    })
    const gone = await releaseQueues(db, leaseId, releases)
    for (const id of gone) lanes.delete(id)
    const kept = unchanged.filter((lane) => !gone.has(lane.id))
    if (kept.length === 0) return
    const wakes = await readWakes(
      db,
      leaseId,
      kept.map((lane) => lane.id),
    )
    for (const lane of kept) {
      const fresh = wakes.get(lane.id)
      if (fresh === undefined) lanes.delete(lane.id)
      else Object.assign(lane, { wakes: fresh, look: true, held: false })
    }
    nudge()
  }

  return {
    start() {
      loop ??= run()
    },
    wake(subscriptionIds = []) {
      for (const id of subscriptionIds) {
        const lane = lanes.get(id)
        if (lane !== undefined) lane.look = true
      }
      nudge()
    },
    async stop(graceMs = 5000) {
      if (loop === undefined) return
      stopping = true
      nudge()
      await loop
      const patience = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.all(attempts), patience])
      given.abort()
      await Promise.all(attempts)
      await flushing
      await releasing
      if (finished.length > 0) await settleAll()
      await abandonQueues(db, leaseId)
    },
  }
}
