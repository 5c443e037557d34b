/**
 * Turns committed events into people, touches, conversions, credits and rollups, in one
 * transaction per batch. One batch of a profile runs at a time, whatever the number of processes.
 */
import type { KeyObject } from 'node:crypto'
import type { Link, Node } from '@whence/engine'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { attempt, type Db, inTransaction, isTransient, type Tx } from '../../../platform/db/database.ts'
import { moveNumberOfHolder, tryLockProfile } from '../../../platform/db/profile-lock.ts'
import { inParts } from '../../../platform/db/together.ts'
import type { Log } from '../../../platform/log.ts'
import { saveLeads } from '../../facts/conversations/queries.ts'
import { firstServerPaymentAt } from '../../facts/conversions/order-events.ts'
import { listGoals } from '../../facts/conversions/queries.ts'
import { type Handover, noHandover } from '../../facts/events/handover.ts'
import { findSetAside, setAside } from '../../facts/events/quarantine.ts'
import { type QueuedEvent, takeQueued } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { queueConversions } from '../../facts/export-queue/queue.ts'
import { dropForgotten, type LinkRow, linkOf, resolveChanged } from '../../facts/identity/resolve.ts'
import { recordOutcomes } from '../../facts/outbox/outcomes.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import { openLedger } from '../../facts/restatements/closed-days.ts'
import { withRestatements } from '../../facts/restatements/save-restatements.ts'
import { listEventsOverDayLimit, MAX_DAY_MINOR } from '../crediting/day-limit.ts'
import { noNewCustomers, toNewCustomers } from '../crediting/incremental/new-customers.ts'
import { recomputeCustomers } from '../crediting/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../crediting/settings.ts'
import { countTouches } from '../crediting/touches.ts'
import { withResolvedClicks } from './resolved-clicks.ts'
import { causesOf, reasonsOf } from './restatement-reasons.ts'
import { mayChangeFirstServerPayment, requeueBrowserPayments, type Sales, deduplicateSales } from './sales.ts'
import { type IdentifiedEvent, BatchResult, saveEvents } from './save-events.ts'

/** The more events share a batch, the fewer rollup rows are written for each; a batch of this many takes about a second. */
export const BATCH = 10_000
/** So much of an error's words is kept with an event that is set aside. */
const MAX_DETAIL = 300

/** A batch that fails is taken again with at most so many events, which are then tried in ever smaller parts. */
const MAX_IN_PARTS = 500

type Work = {
  db: Db
  clock: Clock
  log: Log
  identityPepper: KeyObject
  handover?: Handover
  partSize?: number
}

/** What processing needs to know besides the events. */
export type Run = { now: Date; identityPepper: KeyObject }

/** Null when another process is at work on the profile. `isDrained`: nothing more was waiting. */
export type Processed = { taken: number; isDrained: boolean } | null

export async function processBatch(work: Work, profileId: string): Promise<Processed> {
  try {
    return await withBatch(work, profileId, BATCH, (tx, profile, entries) =>
      processEvents(tx, profile, entries, { ...work, now: work.clock.now() }, { partSize: work.partSize }),
    )
  } catch (error) {
    if (isTransient(error)) throw error
    work.log.warn('a batch failed and is tried again in parts', { profile_id: profileId, error })
    return withBatch(work, profileId, MAX_IN_PARTS, (tx, profile, entries) =>
      processOrSetAside(tx, profile, entries, { ...work, now: work.clock.now() }),
    )
  }
}

async function withBatch(
  { db, handover = noHandover }: Work,
  profileId: string,
  limit: number,
  process: (
    tx: Tx,
    profile: AttributionProfile,
    entries: readonly QueuedEvent[],
  ) => Promise<{ isRequeued: boolean }>,
): Promise<Processed> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLockProfile(tx, profileId))) return null
    const taken = await takeQueued(tx, { profileId, limit, handover })
    if (taken.length === 0) return { taken: 0, isDrained: true }
    await moveNumberOfHolder(tx, profileId)
    const profile = await loadAttributionProfile(tx, profileId)
    const { isRequeued } = await process(tx, profile, latestOnly(taken))
    return { taken: taken.length, isDrained: taken.length < limit && !isRequeued }
  })
}

/** The events that fail, found by halving, are set aside by themselves, so that all others go on. */
export async function processOrSetAside(
  tx: Tx,
  profile: AttributionProfile,
  entries: readonly QueuedEvent[],
  run: Run & { log: Log },
): Promise<{ isRequeued: boolean }> {
  let isRequeued = false
  const failed = await attempt(tx, async () => {
    isRequeued = (await processEvents(tx, profile, entries, run)).isRequeued
  })
  if (failed === null) return { isRequeued }
  if (isTransient(failed.error)) throw failed.error
  const [only] = entries
  if (entries.length === 1 && only !== undefined) {
    await setEventAside(tx, profile, only, failed.error, run)
    return { isRequeued: false }
  }
  const middle = Math.ceil(entries.length / 2)
  const first = await processOrSetAside(tx, profile, entries.slice(0, middle), run)
  const second = await processOrSetAside(tx, profile, entries.slice(middle), run)
  return { isRequeued: first.isRequeued || second.isRequeued }
}

async function setEventAside(
  tx: Tx,
  profile: AttributionProfile,
  entry: QueuedEvent,
  error: unknown,
  run: Run & { log: Log },
): Promise<void> {
  const { profileId } = profile
  const { eventId } = entry
  const { now, log } = run
  const detail = String(error).slice(0, MAX_DETAIL)
  log.error('an event is set aside', { profile_id: profileId, event_id: eventId, error })
  await setAside(tx, { profileId, events: [{ eventId, reason: 'processing_failed', detail }], now })
  // What an earlier version of it had made goes too, where that can be done.
  if (entry.isUpdate)
    await attempt(tx, async () => {
      await processEvents(tx, profile, [{ ...entry, event: null }], run, { cause: 'repair' })
    })
}

/** Several versions of one event in a batch: the last one found is kept. */
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
        cause: entry.cause ?? earlier.cause ?? null,
      })
  }
  return [...byId.values()]
}

/** The caller holds the profile's lock. An entry without an event takes back what the event had made. */
export async function processEvents(
  tx: Tx,
  profile: AttributionProfile,
  given: readonly QueuedEvent[],
  { now, identityPepper }: Run,
  options: { partSize?: number | undefined; cause?: Cause } = {},
): Promise<{ isRequeued: boolean }> {
  const { profileId } = profile
  const { partSize } = options
  const clicked = await resolveClicks(tx, profileId, await withoutSetAside(tx, profileId, given))
  const goals = await listGoals(tx, { profileId })
  const mayMove = mayChangeFirstServerPayment(profile, goals, clicked)
  const serverSince = mayMove ? await firstServerPaymentAt(tx, profileId) : null
  const sales = await deduplicateSales(tx, profile, goals, clicked)
  const entries = [...clicked, ...sales.affectedEvents]
  const isAgain = entries.some((entry) => entry.isUpdate)
  const saved = new BatchResult()
  const setting = { goals, exclusionOf: sales.exclusionOf, pepper: identityPepper }
  await inParts(entries, (part) => saveEvents(tx, profile, setting, part, saved, now), partSize)
  const { reads, links, touches: added, removedTouches } = saved
  const causeOf = causesOf(entries, options.cause)
  await withRestatements(tx, openLedger(profile, now), (restatements) =>
    countTouches(tx, profile, { added, removed: removedTouches }, { causeOf, restatements }),
  )
  const newCustomers = isAgain ? noNewCustomers : toNewCustomers(unlinked(saved.fresh, links), saved)
  const removed = saved.removedLinks.map(linkOf)
  const regrouped = await resolveChanged(tx, profileId, {
    changed: [...changedNodes(links, removed)],
    removed,
  })
  const earlier = [...saved.ownersBefore, ...saved.assigned]
  const owners = new Set([...reads.map((read) => read.identifierId), ...earlier])
  const customerOf = await loadCustomers(tx, profileId, owners, { before: saved.customerBefore, regrouped })
  const customers = new Set([...customerOf.values(), ...regrouped])
  const reachIds = new Set([...saved.reached.flatMap((id) => customerOf.get(id) ?? []), ...regrouped])
  // A person that the events still name has at least what they have just created.
  const forgotten = [...saved.namedBefore, ...earlier].filter((id) => !saved.named.has(id))
  await dropForgotten(tx, profileId, [...new Set(forgotten)])
  await setAside(tx, { profileId, events: saved.setAside, now })
  const { overfullDays } = await recomputeCustomers(tx, profile, [...customers], now, {
    reasonOf: reasonsOf(entries, {
      cause: options.cause,
      customerOf: customerFinder(reads, customerOf),
    }),
    reachIds: [...reachIds],
    newCustomers,
    // An event that is sent again may leave identifiers that no event names any more.
    ownIds: isAgain ? undefined : new Set(customerOf.values()),
    deletedIds: saved.deletedIds,
    partSize,
  })
  if (profile.hasExports) await queueConversions(tx, profileId, { ...saved, isAgain }, now)
  await saveLeads(tx, { profileId, leads: reads.flatMap(conversationLead) })
  await recordOutcomes(
    tx,
    profileId,
    reads.filter(({ event }) => !isDuplicate(event, sales)),
    now,
  )
  await setAsideLargestAmounts(tx, profile, overfullDays, { now, identityPepper })
  if (!mayMove) return { isRequeued: false }
  const times = { before: serverSince, after: await firstServerPaymentAt(tx, profileId) }
  return { isRequeued: await requeueBrowserPayments(tx, profileId, times) }
}

/** The customer of an event of the batch; few batches change closed days, so that few look for one. */
function customerFinder(reads: readonly IdentifiedEvent[], customerOf: ReadonlyMap<string, string>) {
  let owners: Map<string, string> | undefined
  return (eventId: string) => {
    owners ??= new Map(reads.map((read) => [read.event.id, read.identifierId]))
    return customerOf.get(owners.get(eventId) ?? '')
  }
}

/** A server's event may name the conversation that it came of. */
function conversationLead({ event }: IdentifiedEvent): { conversationId: string; eventId: string }[] {
  const named = event.source === 'api' ? event.body.properties?.conversation_id : undefined
  return typeof named === 'string' && isUuid(named) ? [{ conversationId: named, eventId: event.id }] : []
}

function isDuplicate(event: StoredEvent, sales: Sales): boolean {
  return sales.exclusionOf(event).duplicateOf.size > 0
}

/** Events that are set aside are read as if they were not there. */
async function withoutSetAside(
  tx: Tx,
  profileId: string,
  given: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[]> {
  const eventIds = given.flatMap((entry) => (entry.isUpdate ? entry.eventId : []))
  const held = await findSetAside(tx, { profileId, eventIds })
  return held.size === 0
    ? given
    : given.map((entry) => (held.has(entry.eventId) ? { ...entry, event: null } : entry))
}

/** A touch whose click a platform has resolved names the click's ad from here on. */
async function resolveClicks(
  tx: Tx,
  profileId: string,
  entries: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[]> {
  const events = entries.flatMap((entry) => entry.event ?? [])
  const resolved = await withResolvedClicks(tx, profileId, events)
  return resolved.size === 0
    ? entries
    : entries.map((entry) => ({ ...entry, event: resolved.get(entry.eventId) ?? entry.event }))
}

/** Takes the largest amounts out of days that hold more money than can be summed. */
export async function setAsideLargestAmounts(tx: Tx, profile: AttributionProfile, days: readonly string[], run: Run) {
  const { profileId } = profile
  const eventIds = [
    ...new Set((await Promise.all(days.map((day) => listEventsOverDayLimit(tx, { profileId, day })))).flat()),
  ]
  if (eventIds.length === 0) return
  const detail = `The day's amounts passed ${MAX_DAY_MINOR} minor units; the largest are set aside first.`
  await setAside(tx, {
    profileId,
    events: eventIds.map((eventId) => ({ eventId, reason: 'day_total_too_large' as const, detail })),
    now: run.now,
  })
  const entries = eventIds.map((eventId) => ({ eventId, isUpdate: true, event: null }))
  await processEvents(tx, profile, entries, run, { cause: 'repair' })
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

/** The customer of each identifier that is kept. One whose customer is not regrouped is still that customer's. */
async function loadCustomers(
  tx: Tx,
  profileId: string,
  identifierIds: ReadonlySet<string>,
  known: { before: ReadonlyMap<string, string>; regrouped: ReadonlySet<string> },
): Promise<Map<string, string>> {
  const customerOf = new Map<string, string>()
  const asked: string[] = []
  for (const id of identifierIds) {
    const before = known.before.get(id)
    if (before === undefined || known.regrouped.has(before)) asked.push(id)
    else customerOf.set(id, before)
  }
  if (asked.length === 0) return customerOf
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers where profile_id = ${profileId} and id = any(${uuidList(asked)}::uuid[])`.execute(
    tx,
  )
  for (const row of rows) customerOf.set(row.id, row.customer_id)
  return customerOf
}
