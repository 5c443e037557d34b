/**
 * Which subscriptions a sender holds: it claims those with something due, keeps them by renewing the lease, and
 * releases those that have been idle for a while.
 */
import { type Db, isDatabaseUnavailable } from '../../../../platform/db/database.ts'
import { extendLeases } from '../../../../platform/db/lease.ts'
import type { DataNode, Nodes } from '../../../../platform/db/nodes.ts'
import { clockSkewMs } from '../rules.ts'
import { dueForLookOrRelease, isIdle, type Lane, wakeLane } from './lane.ts'
import type { Lanes } from './lanes.ts'
import { abandonQueues, claimQueues, listNewWakes, lookForQueues, releaseQueues } from './queues.ts'
import { nextDue } from './save-attempts.ts'

const MAX_LANES = 2000
const PAUSED_UNTIL = new Date('9999-01-01T00:00:00Z')

/** Who holds what is in `db`; what waits, with the profile's other rows. */
export function createLeases(
  db: Db,
  nodes: Nodes,
  lanes: Lanes,
  lease: { id: string; ms: number; onError(error: unknown): void },
) {
  /** Nodes of which some are just being released. */
  const releasing = new Set<string>()
  let skewMs = 0
  let renewAt = 0

  const now = () => new Date(Date.now() + skewMs)

  async function claim(): Promise<void> {
    const askedAt = Date.now()
    const seen = await lookForQueues(db, now())
    const databaseMs = seen.now.getTime() - seen.offsetMs
    skewMs = seen.offsetMs + clockSkewMs({ askedAt, answeredAt: Date.now(), databaseMs })
    const limit = MAX_LANES - lanes.size()
    if (!seen.waiting || limit <= 0) return
    const queues = await claimQueues(db, { leaseId: lease.id, leaseMs: lease.ms, now: now(), limit })
    // The holder of a subscription knows its node, so a lost node delays only its own subscriptions.
    for (const { profile_id } of queues) await nodes.of(profile_id)
    for (const queue of queues) lanes.hold(queue)
  }

  async function renew(): Promise<void> {
    if (Date.now() < renewAt) return
    renewAt = Date.now() + lease.ms / 3
    if (lanes.size() === 0) return
    const held = Array.from(lanes.values(), ({ id }) => ({ id, leaseId: lease.id }))
    const kept = await extendLeases(db, { table: 'webhook_queues', key: 'subscription_id' }, held, lease.ms)
    for (const { id } of held) if (!kept.has(id)) lanes.drop(id)
  }

  function wake(lane: Lane): void {
    wakeLane(lane)
    lanes.want(lane)
  }

  /** Looks again where something may have become due, and releases what has been idle for a while. */
  async function tidy(): Promise<void> {
    const wallMs = Date.now()
    // Those that had to rest ask again.
    for (const lane of lanes.values()) lanes.want(lane)
    const still = [...lanes.values()].filter((lane) => lane.state === 'dry' || lane.state === 'paused')
    if (still.length === 0) return
    for (const [id, wakes] of await listNewWakes(db, lease.id, still)) {
      const lane = lanes.get(id)
      if (lane === undefined) continue
      lane.wakes = wakes
      wake(lane)
    }
    const idle: Lane[] = []
    for (const lane of still) {
      const due = dueForLookOrRelease(lane, wallMs)
      if (due === 'look') wake(lane)
      else if (due === 'release') idle.push(lane)
    }
    if (idle.length === 0) return
    if (nodes.isDistributed) releaseByNode(idle)
    else await release(idle)
  }

  /** Next to the poll, which must not wait for a node that does not answer. */
  function releaseByNode(idle: readonly Lane[]): void {
    for (const [node, own] of Map.groupBy(idle, (lane) => nodes.nameOf(lane.profileId))) {
      if (releasing.has(node)) continue
      releasing.add(node)
      void release(own)
        .catch(lease.onError)
        .finally(() => releasing.delete(node))
    }
  }

  /** When the next of each lane is due; of profiles whose node is away nothing is known. */
  async function dueOf(lanes: readonly Lane[]): Promise<Map<string, Date | null>> {
    const due = new Map<string, Date | null>()
    const away = new Set<DataNode>()
    for (const [profileId, own] of Map.groupBy(lanes, (lane) => lane.profileId)) {
      const node = await nodes.of(profileId)
      if (away.has(node)) continue
      try {
        const { patientDb } = await nodes.shardOf(profileId)
        const next = await nextDue(patientDb, { profileId, ids: own.map((lane) => lane.id) })
        for (const { id } of own) due.set(id, next.get(id) ?? null)
      } catch (error) {
        if (!nodes.isDistributed || !isDatabaseUnavailable(error)) throw error
        away.add(node)
      }
    }
    return due
  }

  async function release(idle: readonly Lane[]): Promise<void> {
    const due = await dueOf(idle)
    const known = idle.filter((lane) => isIdle(lane) && due.has(lane.id))
    const releases = known.map(({ id, wakes, state }) => {
      const dueAt = due.get(id) ?? null
      return { id, wakes, dueAt: dueAt !== null && state === 'paused' ? PAUSED_UNTIL : dueAt }
    })
    for (const { id } of releases) lanes.drop(id)
    const gone = await releaseQueues(db, lease.id, releases)
    // What came in meanwhile is claimed again: the queue's row still says that it is due.
    const kept = releases.filter((release) => !gone.has(release.id)).map((release) => release.id)
    if (kept.length > 0) await abandonQueues(db, lease.id, kept)
  }

  return {
    /** The service's time, as the database sees it. */
    now,
    wake,
    async poll(): Promise<void> {
      await claim()
      await renew()
      await tidy()
    },
    abandon: () => abandonQueues(db, lease.id),
  }
}
