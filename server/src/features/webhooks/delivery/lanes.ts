/**
 * The subscriptions that a sender holds, and whose turn it is. Each has a few slots of its own, so one
 * that hangs keeps none of the others waiting; profiles take turns, in the order in which they asked.
 */
import { paceOf } from '../rules.ts'

/** Where a delivery stands in its subscription's line. */
export type Place = { dueAt: Date; id: string }

export type Lane = {
  id: string
  profileId: string
  wakes: number
  /** In flight, or ended and not yet written down. */
  busy: Map<string, Place>
  inFlight: number
  failures: number
  /** The last try that ended was a success. */
  proven: boolean
  /** It also came at once, so slots that are taken now will be free when a load ends. */
  quick: boolean
  /** Something may be due. */
  look: boolean
  /** Something came in after the load under way began, which may not have seen it. */
  woken: boolean
  lookAgainAt: number
  notBefore: number
  loading: boolean
  /** Paused: nothing is sent, and nothing is lost. */
  held: boolean
  /** Everything up to here was loaded since the line was last read from its start. */
  after: Place | null
  fromStartAt: number
  wroteGoodAt: number
  idleSince: number
  /** Gives up the tries that are under way. */
  given: AbortController
}

export type Turn = { lane: Lane; limit: number; after: Place | null; busy: string[] }

const MAX_LOADS = 4
const MAX_IN_FLIGHT = 1000
/** Endpoints that have not answered well lately share this much, so that however many hang, room is left. */
const MAX_DOUBTFUL = 500
const MAX_UNSETTLED = 5000
const FROM_START_MS = 1000
export const LOOK_AGAIN_MS = 1000

export function createLanes(onWanted: () => void) {
  const lanes = new Map<string, Lane>()
  const ready = new Map<string, Set<Lane>>()
  const loadingProfiles = new Set<string>()
  let inFlight = 0
  let doubtful = 0

  /** Asks for a turn, if there may be something to send. */
  function want(lane: Lane): void {
    if (!lane.look || lane.loading || lanes.get(lane.id) !== lane) return
    const own = ready.get(lane.profileId)
    if (own === undefined) ready.set(lane.profileId, new Set([lane]))
    else own.add(lane)
    onWanted()
  }

  function nextTurns(profileId: string, own: Set<Lane>, room: { all: number; doubtful: number }): Turn[] {
    const turns: Turn[] = []
    const wallMs = Date.now()
    for (const lane of own) {
      const free = freeSlots(lane, wallMs)
      if (free <= 0) {
        own.delete(lane)
        continue
      }
      const limit = Math.min(free, room.all, lane.proven ? free : room.doubtful)
      if (limit <= 0) continue
      room.all -= limit
      if (!lane.proven) room.doubtful -= limit
      own.delete(lane)
      lane.loading = true
      lane.woken = false
      turns.push({ lane, limit, ...whereFrom(lane, wallMs) })
    }
    if (own.size === 0) ready.delete(profileId)
    return turns
  }

  return {
    want,
    get: (id: string) => lanes.get(id),
    values: () => lanes.values(),
    size: () => lanes.size,
    hold(queue: { subscription_id: string; profile_id: string; wakes: number }): void {
      const lane = newLane(queue.subscription_id, queue.profile_id, queue.wakes)
      lanes.set(lane.id, lane)
      want(lane)
    },
    /** Another may hold it from now on, so what is under way is given up. */
    drop(id: string): void {
      const lane = lanes.get(id)
      if (lane === undefined) return
      lanes.delete(id)
      ready.get(lane.profileId)?.delete(lane)
      lane.given.abort()
    },
    /** The next profile whose subscriptions may load, with how much each; undefined when all are busy or content. */
    takeTurn(unsettled: number): { profileId: string; turns: Turn[] } | undefined {
      if (loadingProfiles.size >= MAX_LOADS) return undefined
      const all = Math.min(MAX_IN_FLIGHT - inFlight, MAX_UNSETTLED - unsettled)
      for (const [profileId, own] of ready) {
        if (loadingProfiles.has(profileId)) continue
        const turns = nextTurns(profileId, own, { all, doubtful: MAX_DOUBTFUL - doubtful })
        if (turns.length === 0) continue
        loadingProfiles.add(profileId)
        return { profileId, turns }
      }
      return undefined
    },
    endTurn(profileId: string, turns: readonly Turn[]): void {
      loadingProfiles.delete(profileId)
      for (const { lane } of turns) {
        lane.loading = false
        want(lane)
      }
      onWanted()
    },
    /** Counts one try; the answer ends it. */
    occupy(lane: Lane, place: Place): () => void {
      const isDoubtful = !lane.proven
      lane.busy.set(place.id, place)
      lane.inFlight++
      inFlight++
      if (isDoubtful) doubtful++
      return () => {
        lane.inFlight--
        inFlight--
        if (isDoubtful) doubtful--
        want(lane)
      }
    },
  }
}

function newLane(id: string, profileId: string, wakes: number): Lane {
  return {
    id,
    profileId,
    wakes,
    busy: new Map(),
    inFlight: 0,
    failures: 0,
    proven: false,
    quick: false,
    look: true,
    woken: false,
    lookAgainAt: 0,
    notBefore: 0,
    loading: false,
    held: false,
    after: null,
    fromStartAt: 0,
    wroteGoodAt: 0,
    idleSince: 0,
    given: new AbortController(),
  }
}

/** Half of the slots, or more, are filled at a time: one question for one delivery would cost more than the delivery. */
function freeSlots(lane: Lane, wallMs: number): number {
  if (!lane.look || wallMs < lane.notBefore) return 0
  const most = paceOf(lane.failures).inFlight
  const free = most - lane.inFlight
  if (free < Math.ceil(most / 2)) return 0
  return lane.quick ? most : free
}

export function hasSlot(lane: Lane): boolean {
  return lane.inFlight < paceOf(lane.failures).inFlight
}

/**
 * A long line is read on from where it was left, which spares it the list of what is on its way. What
 * joins the line further ahead meanwhile is found when it is read from the start, a second later at the most.
 */
function whereFrom(lane: Lane, wallMs: number): Pick<Turn, 'after' | 'busy'> {
  if (wallMs >= lane.fromStartAt) lane.after = null
  const { after } = lane
  if (after === null) {
    lane.fromStartAt = wallMs + FROM_START_MS
    return { after, busy: [...lane.busy.keys()] }
  }
  return {
    after,
    busy: [...lane.busy.values()].filter((place) => isBehind(place, after)).map(({ id }) => id),
  }
}

function isBehind(place: Place, after: Place): boolean {
  const difference = place.dueAt.getTime() - after.dueAt.getTime()
  return difference > 0 || (difference === 0 && place.id > after.id)
}

export function isIdle(lane: Lane): boolean {
  return !lane.look && !lane.loading && lane.inFlight === 0 && lane.busy.size === 0
}
