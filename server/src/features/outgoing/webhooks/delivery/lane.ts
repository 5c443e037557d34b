/**
 * One subscription that a sender holds under a lease, as a state machine:
 *
 *   wanting  something may be due: it asks for a turn, unless it rests until `restUntil`
 *   loading  its turn: what is due is being read from the database
 *   dry      read to the end: nothing is due as far as this sender knows
 *   paused   the subscription is paused: nothing is sent, and nothing is lost
 *
 *   held ─→ wanting ──turn──→ loading ──more, failed──→ wanting
 *              ↑                 ├──drained──→ dry ────┐
 *              └──── woken ──────┴──paused───→ paused ─┴─→ released after a quarter of a second
 *
 * `woken` while loading is remembered: the load under way may not have seen what came in. A lane whose lease was lost
 * is dropped in any state, and its attempts are given up.
 */
import { concurrencyFor } from '../rules.ts'

export type LaneState = 'wanting' | 'loading' | 'dry' | 'paused'
/** How a load ended for one subscription; `more`: there may be more than it brought. */
export type LoadResult = 'more' | 'drained' | 'paused' | 'failed'
type LaneEvent = 'turn' | 'woken' | LoadResult

const transitions: Record<LaneState, Partial<Record<LaneEvent, LaneState>>> = {
  wanting: { turn: 'loading', woken: 'wanting' },
  loading: { woken: 'loading', more: 'wanting', failed: 'wanting', drained: 'dry', paused: 'paused' },
  dry: { woken: 'wanting' },
  paused: { woken: 'wanting' },
}

/** Where a delivery is in its subscription's queue. */
export type QueuePosition = { dueAt: Date; id: string }

/** What the endpoint's last answers say of it. */
type Endpoint = {
  failures: number
  /** `fast`: taken slots will be free when a load ends, so a load may ask for all of them. */
  health: 'unproven' | 'answering' | 'fast'
}

/** How far the queue was read. */
type Reading = {
  /** Everything up to here was loaded since the queue was last read from its start. */
  after: QueuePosition | null
  fromStartAt: number
}

export type Lane = {
  readonly id: string
  readonly profileId: string
  state: LaneState
  /** The count of wake-ups that the queue's row had when it was last looked at. */
  wakes: number
  wokenWhileLoading: boolean
  endpoint: Endpoint
  reading: Reading
  /** In flight, or ended and not yet written down. */
  open: Map<string, QueuePosition>
  inFlight: number
  /** Until then no turn is requested: the endpoint only fails, or the last load failed. */
  restUntil: number
  lookAgainAt: number
  /** 0 while something is open. */
  idleSince: number
  successWrittenAt: number
  /** Gives up the attempts that are under way. */
  readonly abandoned: AbortController
}

const FAST_MS = 50
const FROM_START_MS = 1000
const LOOK_AGAIN_MS = 1000
/** A subscription that ran dry is kept this long: under a steady trickle it is not let go and claimed each time. */
const LINGER_MS = 250

export function newLane(queue: { subscription_id: string; profile_id: string; wakes: number }): Lane {
  return {
    id: queue.subscription_id,
    profileId: queue.profile_id,
    state: 'wanting',
    wakes: queue.wakes,
    wokenWhileLoading: false,
    endpoint: { failures: 0, health: 'unproven' },
    reading: { after: null, fromStartAt: 0 },
    open: new Map(),
    inFlight: 0,
    restUntil: 0,
    lookAgainAt: 0,
    idleSince: 0,
    successWrittenAt: 0,
    abandoned: new AbortController(),
  }
}

function move(lane: Lane, event: LaneEvent): void {
  const next = transitions[lane.state][event]
  if (next === undefined) throw new Error(`A lane that is ${lane.state} takes no '${event}'`)
  lane.state = next
}

export function startLoad(lane: Lane): void {
  move(lane, 'turn')
  lane.wokenWhileLoading = false
}

export function endLoad(lane: Lane, result: LoadResult, wallMs: number): void {
  move(lane, result === 'drained' && lane.wokenWhileLoading ? 'more' : result)
  lane.lookAgainAt = wallMs + LOOK_AGAIN_MS
}

/** Something new may be due. */
export function wakeLane(lane: Lane): void {
  if (lane.state === 'loading') lane.wokenWhileLoading = true
  move(lane, 'woken')
  lane.idleSince = 0
}

/** Where nothing wakes it, a lane with attempts still open looks once a second; an idle one is released after a while. */
export function dueForLookOrRelease(lane: Lane, wallMs: number): 'look' | 'release' | 'neither' {
  if (lane.state !== 'dry' && lane.state !== 'paused') return 'neither'
  if (!isIdle(lane)) {
    lane.idleSince = 0
    return lane.state === 'dry' && wallMs >= lane.lookAgainAt ? 'look' : 'neither'
  }
  if (lane.idleSince === 0) lane.idleSince = wallMs
  return wallMs - lane.idleSince >= LINGER_MS ? 'release' : 'neither'
}

export function isIdle(lane: Lane): boolean {
  return (lane.state === 'dry' || lane.state === 'paused') && lane.inFlight === 0 && lane.open.size === 0
}

export const isProven = (lane: Lane): boolean => lane.endpoint.health !== 'unproven'

export function recordAnswer(lane: Lane, answer: { ok: boolean; durationMs: number }): void {
  lane.endpoint = answer.ok
    ? { failures: 0, health: answer.durationMs <= FAST_MS ? 'fast' : 'answering' }
    : { failures: lane.endpoint.failures + 1, health: 'unproven' }
}

/** What is stored of the endpoint's failures, for a sender that has not heard from it yet. */
export function learnFailures(lane: Lane, consecutiveFailures: number): void {
  if (!isProven(lane)) lane.endpoint.failures = Math.max(lane.endpoint.failures, consecutiveFailures)
}

export function hasSlot(lane: Lane): boolean {
  return lane.inFlight < concurrencyFor(lane.endpoint.failures).inFlight
}

/** Half of the slots, or more, are filled at a time: one question for one delivery would cost more than the delivery. */
export function freeSlots(lane: Lane, wallMs: number): number {
  if (lane.state !== 'wanting' || wallMs < lane.restUntil) return 0
  const slots = concurrencyFor(lane.endpoint.failures).inFlight
  const free = slots - lane.inFlight
  if (free < Math.ceil(slots / 2)) return 0
  return lane.endpoint.health === 'fast' ? slots : free
}

/** What was read ahead found no slot: it stays in the queue, and is read again when there is one. */
export function readAheadInVain(lane: Lane): void {
  lane.reading.after = null
  if (lane.endpoint.health === 'fast') lane.endpoint.health = 'answering'
}

/**
 * A long queue is read on from where it was left, which spares it the list of what is open. What joins the queue further
 * ahead meanwhile is found when it is read from the start, a second later at the most.
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
  const difference = position.dueAt.getTime() - after.dueAt.getTime()
  return difference > 0 || (difference === 0 && position.id > after.id)
}
