/**
 * The subscriptions that a sender holds, and whose turn it is. Each has a few slots of its own, so one
 * that hangs keeps none of the others waiting; profiles take turns, in the order in which they asked.
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
/** A profile's turn: those of its subscriptions that have room. */
export type ProfileTurn = { profileId: string; node: string; turns: Turn[] }

/** How many loads run at once on each node, and how many profiles share one. */
export type LoadShape = { atOnce: number; profiles: number }
/** Distributed tables are queried one profile at a time: its rows are on one node. */
export const loadOfOneProfile: LoadShape = { atOnce: 4, profiles: 1 }
/** With two, one is at work in the database while the other's deliveries are sent, and the rest gathers. */
export const loadOfManyProfiles: LoadShape = { atOnce: 2, profiles: 50 }
/** No further profile joins a load that may bring this much. */
const FULL_LOAD = 200
const MAX_IN_FLIGHT_OF_ALL = 1000
/** Endpoints that have not answered well lately share this much, so that however many hang, room is left. */
const MAX_IN_FLIGHT_OF_UNPROVEN = 500
const MAX_UNWRITTEN = 5000

export type Lanes = ReturnType<typeof createLanes>

/** A node that does not answer keeps its own loads waiting, and no one else's. */
export function createLanes(onWanted: () => void, shape: LoadShape, nodeOf?: (profileId: string) => string) {
  const lanes = new Map<string, Lane>()
  const ready = new Map<string, Set<Lane>>()
  const loadingProfiles = new Set<string>()
  const loads = new Map<string, number>()
  let inFlight = 0
  let unproven = 0

  /** Asks for a turn, if there may be something to send. */
  function want(lane: Lane): void {
    if (lane.state !== 'wanting' || lanes.get(lane.id) !== lane) return
    const own = ready.get(lane.profileId)
    if (own === undefined) ready.set(lane.profileId, new Set([lane]))
    else own.add(lane)
    onWanted()
  }

  function nextTurns(profileId: string, own: Set<Lane>, room: { all: number; unproven: number }): Turn[] {
    const turns: Turn[] = []
    const wallMs = Date.now()
    for (const lane of own) {
      const free = freeSlots(lane, wallMs)
      if (free <= 0) {
        own.delete(lane)
        continue
      }
      const limit = Math.min(free, room.all, isProven(lane) ? free : room.unproven)
      if (limit <= 0) continue
      room.all -= limit
      if (!isProven(lane)) room.unproven -= limit
      own.delete(lane)
      startLoad(lane)
      turns.push({ lane, limit, ...readFrom(lane, wallMs) })
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
      const lane = newLane(queue)
      lanes.set(lane.id, lane)
      want(lane)
    },
    /** Another may hold it from now on, so what is under way is given up. */
    drop(id: string): void {
      const lane = lanes.get(id)
      if (lane === undefined) return
      lanes.delete(id)
      ready.get(lane.profileId)?.delete(lane)
      lane.abandoned.abort()
    },
    /** The next profiles whose subscriptions may load, with how much each; undefined when all are busy or content. */
    takeLoad(unwritten: number): ProfileTurn[] | undefined {
      if (nodeOf === undefined && (loads.get('') ?? 0) >= shape.atOnce) return undefined
      const all = Math.min(MAX_IN_FLIGHT_OF_ALL - inFlight, MAX_UNWRITTEN - unwritten)
      const room = { all, unproven: MAX_IN_FLIGHT_OF_UNPROVEN - unproven }
      const load: ProfileTurn[] = []
      for (const [profileId, own] of ready) {
        if (loadingProfiles.has(profileId)) continue
        const node = nodeOf?.(profileId) ?? ''
        if ((loads.get(node) ?? 0) >= shape.atOnce || (load.length > 0 && load[0]!.node !== node)) continue
        const turns = nextTurns(profileId, own, room)
        if (turns.length === 0) continue
        loadingProfiles.add(profileId)
        load.push({ profileId, node, turns })
        if (load.length >= shape.profiles || all - room.all >= FULL_LOAD) break
      }
      if (load.length === 0) return undefined
      const { node } = load[0]!
      loads.set(node, (loads.get(node) ?? 0) + 1)
      return load
    },
    endLoad(node = ''): void {
      loads.set(node, (loads.get(node) ?? 0) - 1)
      onWanted()
    },
    /** A lane without a result is loaded again. */
    endTurn({ profileId, turns }: ProfileTurn, results: ReadonlyMap<string, LoadResult> = new Map()): void {
      loadingProfiles.delete(profileId)
      const wallMs = Date.now()
      for (const { lane } of turns) {
        endLoad(lane, results.get(lane.id) ?? 'failed', wallMs)
        want(lane)
      }
      onWanted()
    },
    /** Counts one attempt; the answer ends it. */
    occupy(lane: Lane, position: QueuePosition): () => void {
      const wasUnproven = !isProven(lane)
      lane.open.set(position.id, position)
      lane.inFlight++
      inFlight++
      if (wasUnproven) unproven++
      return () => {
        lane.inFlight--
        inFlight--
        if (wasUnproven) unproven--
        want(lane)
      }
    },
  }
}
