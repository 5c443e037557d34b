/**
 * Leases of a sender on subscriptions: claims those with due deliveries, renews the leases, and releases subscriptions
 * that have been idle for a while.
 */
import { type Db, isDatabaseUnavailable } from '../../../../platform/db/database.ts'
import { extendLeases } from '../../../../platform/db/lease.ts'
import type { DataNode, Nodes } from '../../../../platform/db/nodes.ts'
import { clockSkewMs } from '../rules.ts'
import { idleAction, isIdle, type Lane, wakeLane } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { checkQueues, claimQueues, dropLeases, listNewWakes, releaseQueues } from './queues.ts'
import { nextDue } from './save-attempts.ts'

const MAX_LANES = 2000
const PAUSED_UNTIL = new Date('9999-01-01T00:00:00Z')

/** Leases are stored in `db`, deliveries on the node of their profile. */
export function createLeases(
  db: Db,
  nodes: Nodes,
  lanes: Lanes,
  lease: { id: string; ms: number; onError(error: unknown): void },
) {
  /** Nodes with a release in progress. */
  const releasing = new Set<string>()
  let skewMs = 0
  let renewAt = 0

  const now = () => new Date(Date.now() + skewMs)

  async function claim(): Promise<void> {
    const askedAt = Date.now()
    const state = await checkQueues(db, now())
    const databaseMs = state.now.getTime() - state.offsetMs
    skewMs = state.offsetMs + clockSkewMs({ askedAt, answeredAt: Date.now(), databaseMs })
    const limit = MAX_LANES - lanes.size()
    if (!state.waiting || limit <= 0) return
    const queues = await claimQueues(db, { leaseId: lease.id, leaseMs: lease.ms, now: now(), limit })
    // Resolves the node of each subscription now, so that a lost node delays only its own subscriptions.
    for (const { profile_id } of queues) await nodes.of(profile_id)
    for (const queue of queues) lanes.add(queue)
  }

  async function renew(): Promise<void> {
    if (Date.now() < renewAt) return
    renewAt = Date.now() + lease.ms / 3
    if (lanes.size() === 0) return
    const leases = Array.from(lanes.values(), ({ id }) => ({ id, leaseId: lease.id }))
    const extended = await extendLeases(
      db,
      { table: 'webhook_queues', key: 'subscription_id' },
      leases,
      lease.ms,
    )
    for (const { id } of leases) if (!extended.has(id)) lanes.drop(id)
  }

  function wake(lane: Lane): void {
    wakeLane(lane)
    lanes.requestTurn(lane)
  }

  /** Wakes lanes with deliveries that may have become due, and releases lanes that have been idle for a while. */
  async function checkIdleLanes(): Promise<void> {
    const wallMs = Date.now()
    // Lanes whose `notBefore` has passed request their turn again.
    for (const lane of lanes.values()) lanes.requestTurn(lane)
    const inactive = [...lanes.values()].filter((lane) => lane.state === 'empty' || lane.state === 'paused')
    if (inactive.length === 0) return
    for (const [id, wakes] of await listNewWakes(db, lease.id, inactive)) {
      const lane = lanes.get(id)
      if (lane === undefined) continue
      lane.wakes = wakes
      wake(lane)
    }
    const idle: Lane[] = []
    for (const lane of inactive) {
      const action = idleAction(lane, wallMs)
      if (action === 'poll') wake(lane)
      else if (action === 'release') idle.push(lane)
    }
    if (idle.length === 0) return
    if (nodes.isDistributed) releaseByNode(idle)
    else await release(idle)
  }

  /** Runs in the background, because the poll must not wait for a node that does not respond. */
  function releaseByNode(idle: readonly Lane[]): void {
    for (const [node, ofNode] of Map.groupBy(idle, (lane) => nodes.nameOf(lane.profileId))) {
      if (releasing.has(node)) continue
      releasing.add(node)
      void release(ofNode)
        .catch(lease.onError)
        .finally(() => releasing.delete(node))
    }
  }

  /** When each lane's next delivery is due. Lanes whose node is unavailable are missing. */
  async function dueOf(lanes: readonly Lane[]): Promise<Map<string, Date | null>> {
    const dueTimes = new Map<string, Date | null>()
    const unavailable = new Set<DataNode>()
    for (const [profileId, ofProfile] of Map.groupBy(lanes, (lane) => lane.profileId)) {
      const node = await nodes.of(profileId)
      if (unavailable.has(node)) continue
      try {
        const { backgroundDb } = await nodes.shardOf(profileId)
        const next = await nextDue(backgroundDb, { profileId, ids: ofProfile.map((lane) => lane.id) })
        for (const { id } of ofProfile) dueTimes.set(id, next.get(id) ?? null)
      } catch (error) {
        if (!nodes.isDistributed || !isDatabaseUnavailable(error)) throw error
        unavailable.add(node)
      }
    }
    return dueTimes
  }

  async function release(idle: readonly Lane[]): Promise<void> {
    const dueTimes = await dueOf(idle)
    const releasable = idle.filter((lane) => isIdle(lane) && dueTimes.has(lane.id))
    const releases = releasable.map(({ id, wakes, state }) => {
      const dueAt = dueTimes.get(id) ?? null
      return { id, wakes, dueAt: dueAt !== null && state === 'paused' ? PAUSED_UNTIL : dueAt }
    })
    for (const { id } of releases) lanes.drop(id)
    const released = await releaseQueues(db, lease.id, releases)
    // Queues with new deliveries remain due and are claimed again.
    const notReleased = releases.filter((release) => !released.has(release.id)).map((release) => release.id)
    if (notReleased.length > 0) await dropLeases(db, lease.id, notReleased)
  }

  return {
    /** The service's time, by the database clock. */
    now,
    wake,
    async poll(): Promise<void> {
      await claim()
      await renew()
      await checkIdleLanes()
    },
    dropAll: () => dropLeases(db, lease.id),
  }
}
