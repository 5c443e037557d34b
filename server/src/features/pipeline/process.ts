/**
 * Turns committed events into people, touches, conversions, credits and rollups, in one
 * transaction per batch. One batch of a profile runs at a time, whatever the number of processes.
 */
import type { Link, Node } from '@whence/engine'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { uuidList } from '../../db/bulk/columns.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { tryLockProfile } from '../../db/profile-lock.ts'
import { inParts } from '../../db/together.ts'
import { type NewCustomers, nobodyNew, toNewCustomers } from '../attribution/incremental/new-customers.ts'
import { recomputeCustomers } from '../attribution/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../attribution/settings.ts'
import { countTouches, removeTouches } from '../attribution/touches.ts'
import { listGoals, ownersOfEvents } from '../conversions/queries.ts'
import { type Handover, noHandover } from '../events/handover.ts'
import { type QueuedEvent, takeQueued } from '../events/queue.ts'
import { dropForgotten, idOf, type LinkRow, removeLinks, resolveChanged } from '../identity/resolve.ts'
import { recordOutcomes } from '../webhooks/outbox/outcomes.ts'
import { Saved, saveEvents } from './save-events.ts'
import { removeTraits } from './traits.ts'

/** The more events share a batch, the fewer rollup rows are written for each; a batch of this many takes about a second. */
export const BATCH = 10_000

/** Returns how many waiting events were taken; null when another process is at work on the profile. */
export async function processBatch(
  service: { db: Db; clock: Clock; handover?: Handover; partSize?: number },
  profileId: string,
): Promise<number | null> {
  const { handover = noHandover, partSize } = service
  return inTransaction(service.db, async (tx) => {
    if (!(await tryLockProfile(tx, profileId))) return null
    const taken = await takeQueued(tx, { profileId, limit: BATCH, handover })
    if (taken.length === 0) return 0
    const profile = await loadAttributionProfile(tx, profileId)
    await processEvents(tx, profile, latestOnly(taken), service.clock.now(), partSize)
    return taken.length
  })
}

/** Several versions of one event in a batch: the last one found stands. */
export function latestOnly(taken: readonly QueuedEvent[]): QueuedEvent[] {
  const byId = new Map<string, QueuedEvent>()
  for (const entry of taken) {
    const earlier = byId.get(entry.eventId)
    if (earlier === undefined) byId.set(entry.eventId, entry)
    else
      byId.set(entry.eventId, {
        eventId: entry.eventId,
        isUpdate: entry.isUpdate || earlier.isUpdate,
        event: entry.event ?? earlier.event,
      })
  }
  return [...byId.values()]
}

/** The caller holds the profile's lock. An entry without an event takes back what the event had made. */
export async function processEvents(
  tx: Tx,
  profile: AttributionProfile,
  entries: readonly QueuedEvent[],
  now: Date,
  partSize?: number,
): Promise<void> {
  const { profileId } = profile
  const updated = entries.filter((entry) => entry.isUpdate).map((entry) => entry.eventId)
  const before =
    updated.length === 0 ? { owners: [], named: [], removed: [] } : await takeBack(tx, profile, updated)
  const goals = await listGoals(tx, { profileId })
  const saved = new Saved()
  await inParts(entries, (part) => saveEvents(tx, profile, goals, part, saved, now), partSize)
  const { reads, links } = saved
  await countTouches(tx, profile, saved.touches)
  const newCustomers = updated.length === 0 ? toNewCustomers(unlinked(saved.fresh, links), saved) : nobodyNew
  const regrouped = await resolveChanged(tx, profileId, {
    changed: [...changedNodes(links, before.removed)],
    removed: before.removed,
  })
  const owners = new Set([...reads.map((read) => read.identifierId), ...before.owners, ...saved.assigned])
  const customerOf = await loadCustomers(tx, profileId, owners, newCustomers)
  const reached = [
    ...reads.flatMap((read) => (read.event.body.touch?.ad_id ? [read.identifierId] : [])),
    ...before.owners,
  ]
  const customers = new Set([...customerOf.values(), ...regrouped])
  const reachIds = new Set([...reached.flatMap((id) => customerOf.get(id) ?? []), ...regrouped])
  if (updated.length > 0)
    await dropForgotten(tx, profileId, [...before.named, ...before.owners, ...saved.assigned])
  await recomputeCustomers(tx, profile, [...customers], now, {
    reachIds: [...reachIds],
    newCustomers,
    deletedIds: saved.deletedIds,
    partSize,
  })
  await recordOutcomes(tx, profileId, reads, now)
}

async function takeBack(
  tx: Tx,
  profile: AttributionProfile,
  eventIds: readonly string[],
): Promise<{ owners: string[]; named: string[]; removed: Link[] }> {
  const { profileId } = profile
  const owners = await ownersOfEvents(tx, profileId, eventIds)
  const removed = await removeLinks(tx, profileId, eventIds)
  await removeTouches(tx, profile, eventIds)
  const described = await removeTraits(tx, profileId, eventIds)
  const linked = removed.flatMap(({ weaker, stronger }) => [weaker, stronger].map(idOf))
  return { owners, named: [...described, ...linked], removed }
}

/** New identifiers that nothing ties to another. */
function unlinked(fresh: readonly string[], links: readonly LinkRow[]): Set<string> {
  const alone = new Set(fresh)
  for (const { weakId, strongId } of links) {
    alone.delete(weakId)
    alone.delete(strongId)
  }
  return alone
}

function changedNodes(links: readonly LinkRow[], removed: readonly Link[]): Set<Node> {
  return new Set([
    ...links.map((link) => `${link.weakKind}:${link.weakId}`),
    ...removed.map((link) => link.weaker),
  ])
}

/** The customer of each identifier that is kept; a newcomer is its own. */
async function loadCustomers(
  tx: Tx,
  profileId: string,
  identifierIds: ReadonlySet<string>,
  newCustomers: NewCustomers,
): Promise<Map<string, string>> {
  const customerOf = new Map<string, string>()
  const known: string[] = []
  for (const id of identifierIds)
    if (newCustomers.has(id)) customerOf.set(id, id)
    else known.push(id)
  if (known.length === 0) return customerOf
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers where profile_id = ${profileId} and id = any(${uuidList(known)}::uuid[])`.execute(
    tx,
  )
  for (const row of rows) customerOf.set(row.id, row.customer_id)
  return customerOf
}
