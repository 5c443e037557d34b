/**
 * The subscriptions that a sender holds, and the order of their turns. Each has its own slots, so an endpoint that hangs
 * does not delay others. Profiles take turns in the order of their requests.
 */
import {
  endLoad,
  freeSlots,
  isProven,
  type Lane,
  type LoadResult,
  newLane,
  type QueuePosition,
  readFrom,
  startLoad,
} from './lane.ts'

export type Turn = { lane: Lane; limit: number; after: QueuePosition | null; open: string[] }
/** A profile's turn: its subscriptions with free slots. */
export type ProfileTurn = { profileId: string; node: string; turns: Turn[] }

/** Concurrent loads per node, and maximum number of profiles per load. */
export type LoadShape = { concurrent: number; profiles: number }
/** Distributed tables are queried per profile, because a profile's rows are on one node. */
export const loadOfOneProfile: LoadShape = { concurrent: 4, profiles: 1 }
/** Two: one queries the database while the other's deliveries are sent. Further requests accumulate for the next load. */
export const loadOfManyProfiles: LoadShape = { concurrent: 2, profiles: 50 }
/** No further profile is added to a load of this size. */
const FULL_LOAD = 200
const MAX_IN_FLIGHT = 1000
/** Shared limit of endpoints without a recent success, so that capacity remains however many of them hang. */
const MAX_IN_FLIGHT_UNPROVEN = 500
const MAX_UNWRITTEN = 5000

export type Lanes = ReturnType<typeof createLanes>

/** Loads are limited per node, so a node that does not respond blocks only its own loads. */
export function createLanes(onRequest: () => void, shape: LoadShape, nodeOf?: (profileId: string) => string) {
  const lanes = new Map<string, Lane>()
  /** Lanes that requested a turn, by profile. */
  const requests = new Map<string, Set<Lane>>()
  const loadingProfiles = new Set<string>()
  const loads = new Map<string, number>()
  let inFlight = 0
  let unproven = 0

  /** Requests a turn, if deliveries may be due. */
  function requestTurn(lane: Lane): void {
    if (lane.state !== 'ready' || lanes.get(lane.id) !== lane) return
    const waiting = requests.get(lane.profileId)
    if (waiting === undefined) requests.set(lane.profileId, new Set([lane]))
    else waiting.add(lane)
    onRequest()
  }

  function nextTurns(
    profileId: string,
    waiting: Set<Lane>,
    capacity: { all: number; unproven: number },
  ): Turn[] {
    const turns: Turn[] = []
    const wallMs = Date.now()
    for (const lane of waiting) {
      const free = freeSlots(lane, wallMs)
      if (free <= 0) {
        waiting.delete(lane)
        continue
      }
      const limit = Math.min(free, capacity.all, isProven(lane) ? free : capacity.unproven)
      if (limit <= 0) continue
      capacity.all -= limit
      if (!isProven(lane)) capacity.unproven -= limit
      waiting.delete(lane)
      startLoad(lane)
      turns.push({ lane, limit, ...readFrom(lane, wallMs) })
    }
    if (waiting.size === 0) requests.delete(profileId)
    return turns
  }

  return {
    requestTurn,
    get: (id: string) => lanes.get(id),
    values: () => lanes.values(),
    size: () => lanes.size,
    add(queue: { subscription_id: string; profile_id: string; wakes: number }): void {
      const lane = newLane(queue)
      lanes.set(lane.id, lane)
      requestTurn(lane)
    },
    /** Aborts the lane's attempts, because another sender may hold the subscription from now on. */
    drop(id: string): void {
      const lane = lanes.get(id)
      if (lane === undefined) return
      lanes.delete(id)
      requests.get(lane.profileId)?.delete(lane)
      lane.abort.abort()
    },
    /** Starts the next load: profiles, their subscriptions and limits. Undefined if nothing is requested or capacity is exhausted. */
    nextLoad(unwritten: number): ProfileTurn[] | undefined {
      if (nodeOf === undefined && (loads.get('') ?? 0) >= shape.concurrent) return undefined
      const available = Math.min(MAX_IN_FLIGHT - inFlight, MAX_UNWRITTEN - unwritten)
      const capacity = { all: available, unproven: MAX_IN_FLIGHT_UNPROVEN - unproven }
      const load: ProfileTurn[] = []
      for (const [profileId, waiting] of requests) {
        if (loadingProfiles.has(profileId)) continue
        const node = nodeOf?.(profileId) ?? ''
        if ((loads.get(node) ?? 0) >= shape.concurrent || (load.length > 0 && load[0]!.node !== node))
          continue
        const turns = nextTurns(profileId, waiting, capacity)
        if (turns.length === 0) continue
        loadingProfiles.add(profileId)
        load.push({ profileId, node, turns })
        if (load.length >= shape.profiles || available - capacity.all >= FULL_LOAD) break
      }
      if (load.length === 0) return undefined
      const { node } = load[0]!
      loads.set(node, (loads.get(node) ?? 0) + 1)
      return load
    },
    endLoad(node = ''): void {
      loads.set(node, (loads.get(node) ?? 0) - 1)
      onRequest()
    },
    /** A lane without a result is loaded again. */
    endTurn({ profileId, turns }: ProfileTurn, results: ReadonlyMap<string, LoadResult> = new Map()): void {
      loadingProfiles.delete(profileId)
      const wallMs = Date.now()
      for (const { lane } of turns) {
        endLoad(lane, results.get(lane.id) ?? 'failed', wallMs)
        requestTurn(lane)
      }
      onRequest()
    },
    /** Counts an attempt as in flight; the returned function ends it. */
    startAttempt(lane: Lane, position: QueuePosition): () => void {
      const wasUnproven = !isProven(lane)
      lane.open.set(position.id, position)
      lane.inFlight++
      inFlight++
      if (wasUnproven) unproven++
      return () => {
        lane.inFlight--
        inFlight--
        if (wasUnproven) unproven--
        requestTurn(lane)
      }
    },
  }
}
