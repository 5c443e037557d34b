/**
 * A lane: one subscription that a sender holds under a lease, as a state machine:
 *
 *   ready    deliveries may be due: the lane requests a turn, but not before `notBefore`
 *   loading  its turn: due deliveries are being read from the database
 *   empty    the queue was read to its end: nothing is due
 *   paused   the subscription is paused: nothing is sent, deliveries are kept
 *
 *   leased ─→ ready ──turn──→ loading ──more, failed──→ ready
 *               ↑                ├──drained──→ empty ──┐
 *               └──── woken ─────┴──paused───→ paused ─┴─→ released after a quarter of a second
 *
 * A wake-up during a load is remembered, because the load may not see the new deliveries. A lane whose lease was lost
 * is dropped in any state, and its attempts are aborted.
 */
import { concurrencyFor } from '../rules.ts'

export type LaneState = 'ready' | 'loading' | 'empty' | 'paused'
/** Result of a load for one subscription; `more`: the queue may contain more than was loaded. */
export type LoadResult = 'more' | 'drained' | 'paused' | 'failed'
type LaneEvent = 'turn' | 'woken' | LoadResult

const transitions: Record<LaneState, Partial<Record<LaneEvent, LaneState>>> = {
  ready: { turn: 'loading', woken: 'ready' },
  loading: { woken: 'loading', more: 'ready', failed: 'ready', drained: 'empty', paused: 'paused' },
  empty: { woken: 'ready' },
  paused: { woken: 'ready' },
}

/** Position of a delivery in its subscription's queue: history comes after all live deliveries, then by time. */
export type QueuePosition = { historical: boolean; dueAt: Date; id: string }

/** State of the endpoint, derived from its last responses. */
type Endpoint = {
  failures: number
  /** `fast`: occupied slots will be free when a load ends, so a load may read for all of them. */
  health: 'unproven' | 'responding' | 'fast'
}

/** Read position in the queue. */
type Reading = {
  /** Everything up to this position was loaded since the last read from the start. */
  after: QueuePosition | null
  fromStartAt: number
}

export type Lane = {
  readonly id: string
  readonly profileId: string
  state: LaneState
  /** The queue row's wake-up counter when it was last read. */
  wakes: number
  wokenWhileLoading: boolean
  endpoint: Endpoint
  reading: Reading
  /** Deliveries in flight, or ended with a result that is not written yet. */
  open: Map<string, QueuePosition>
  inFlight: number
  /** No turn is requested before this time, after failures of the endpoint or a failed load. */
  notBefore: number
  pollAt: number
  /** 0 while deliveries are open. */
  idleSince: number
  successWrittenAt: number
  /** Aborts the attempts in flight. */
  readonly abort: AbortController
}

const FAST_MS = 50
const FROM_START_MS = 1000
const POLL_MS = 1000
/** An empty subscription is held this long, so that occasional deliveries do not release and claim it each time. */
const LINGER_MS = 250

export function newLane(queue: { subscription_id: string; profile_id: string; wakes: number }): Lane {
  return {
    id: queue.subscription_id,
    profileId: queue.profile_id,
    state: 'ready',
    wakes: queue.wakes,
    wokenWhileLoading: false,
    endpoint: { failures: 0, health: 'unproven' },
    reading: { after: null, fromStartAt: 0 },
    open: new Map(),
    inFlight: 0,
    notBefore: 0,
    pollAt: 0,
    idleSince: 0,
    successWrittenAt: 0,
    abort: new AbortController(),
  }
}

function transition(lane: Lane, event: LaneEvent): void {
  const next = transitions[lane.state][event]
  if (next === undefined) throw new Error(`Event '${event}' is invalid for a lane in state '${lane.state}'`)
  lane.state = next
}

export function startLoad(lane: Lane): void {
  transition(lane, 'turn')
  lane.wokenWhileLoading = false
}

export function endLoad(lane: Lane, result: LoadResult, wallMs: number): void {
  transition(lane, result === 'drained' && lane.wokenWhileLoading ? 'more' : result)
  lane.pollAt = wallMs + POLL_MS
}

/** Called when deliveries may have become due. */
export function wakeLane(lane: Lane): void {
  if (lane.state === 'loading') lane.wokenWhileLoading = true
  transition(lane, 'woken')
  lane.idleSince = 0
}

/** Without wake-ups, an empty lane with open attempts polls once a second; an idle one is released after a while. */
export function idleAction(lane: Lane, wallMs: number): 'poll' | 'release' | 'none' {
  if (lane.state !== 'empty' && lane.state !== 'paused') return 'none'
  if (!isIdle(lane)) {
    lane.idleSince = 0
    return lane.state === 'empty' && wallMs >= lane.pollAt ? 'poll' : 'none'
  }
  if (lane.idleSince === 0) lane.idleSince = wallMs
  return wallMs - lane.idleSince >= LINGER_MS ? 'release' : 'none'
}

export function isIdle(lane: Lane): boolean {
  return (lane.state === 'empty' || lane.state === 'paused') && lane.inFlight === 0 && lane.open.size === 0
}

export const isProven = (lane: Lane): boolean => lane.endpoint.health !== 'unproven'

export function recordResponse(lane: Lane, response: { ok: boolean; durationMs: number }): void {
  lane.endpoint = response.ok
    ? { failures: 0, health: response.durationMs <= FAST_MS ? 'fast' : 'responding' }
    : { failures: lane.endpoint.failures + 1, health: 'unproven' }
}

/** Applies the stored failure count, for a sender without a recent response of the endpoint. */
export function applyStoredFailures(lane: Lane, consecutiveFailures: number): void {
  if (!isProven(lane)) lane.endpoint.failures = Math.max(lane.endpoint.failures, consecutiveFailures)
}

export function hasSlot(lane: Lane): boolean {
  return lane.inFlight < concurrencyFor(lane.endpoint.failures).inFlight
}

/** 0 until half of the slots are free, because a query for a single delivery would cost more than the delivery. */
export function freeSlots(lane: Lane, wallMs: number): number {
  if (lane.state !== 'ready' || wallMs < lane.notBefore) return 0
  const slots = concurrencyFor(lane.endpoint.failures).inFlight
  const free = slots - lane.inFlight
  if (free < Math.ceil(slots / 2)) return 0
  return lane.endpoint.health === 'fast' ? slots : free
}

/** Deliveries were read ahead but no slot was free: they remain in the queue and are read again. */
export function discardReadAhead(lane: Lane): void {
  lane.reading.after = null
  if (lane.endpoint.health === 'fast') lane.endpoint.health = 'responding'
}

/**
 * A long queue is read from the last position, so that few open deliveries have to be excluded. Deliveries that are
 * inserted before that position are found by a read from the start, at most a second later.
 */
export function readFrom(lane: Lane, wallMs: number): { after: QueuePosition | null; open: string[] } {
  if (wallMs >= lane.reading.fromStartAt) lane.reading.after = null
  const { after } = lane.reading
  if (after === null) {
    lane.reading.fromStartAt = wallMs + FROM_START_MS
    return { after, open: [...lane.open.keys()] }
  }
  const behind = [...lane.open.values()].filter((position) => isBehind(position, after))
  return { after, open: behind.map(({ id }) => id) }
}

function isBehind(position: QueuePosition, after: QueuePosition): boolean {
  if (position.historical !== after.historical) return position.historical
  const difference = position.dueAt.getTime() - after.dueAt.getTime()
  return difference > 0 || (difference === 0 && position.id > after.id)
}
