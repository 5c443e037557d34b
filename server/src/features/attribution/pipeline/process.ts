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
import { inParts } from '../../../platform/db/pipelining.ts'
import { incrementReportVersionLocked, tryLockProfile } from '../../../platform/db/profile-lock.ts'
import type { Log } from '../../../platform/log.ts'
import { saveLeads } from '../../facts/conversations/queries.ts'
import { firstServerPaymentAt } from '../../facts/conversions/order-events.ts'
import { listGoals } from '../../facts/conversions/queries.ts'
import { type Handover, noHandover } from '../../facts/events/handover.ts'
import { findSetAside, setAside } from '../../facts/events/quarantine.ts'
import { dequeueEvents, type QueuedEvent } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { queueOptOuts } from '../../facts/export-queue/opt-outs.ts'
import { queueConversions } from '../../facts/export-queue/queue.ts'
import {
  deleteUnusedIdentifiers,
  type LinkRow,
  linkOf,
  resolveChanged,
} from '../../facts/identity/resolve.ts'
import { recordOutcomes } from '../../facts/outbox/outcomes.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import { openLedger } from '../../facts/restatements/closed-days.ts'
import { withRestatements } from '../../facts/restatements/save-restatements.ts'
import { listEventsOverDayLimit, MAX_DAY_MINOR } from '../crediting/day-limit.ts'
import { noNewCustomers, toNewCustomers } from '../crediting/incremental/new-customers.ts'
import { recomputeCustomers } from '../crediting/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../crediting/settings.ts'
import { countTouches } from '../crediting/touches.ts'
import { recomputePayers, refundReason } from './refunds.ts'
import { withResolvedClicks } from './resolved-clicks.ts'
import { causesOf, reasonsOf } from './restatement-reasons.ts'
import { deduplicateSales, mayChangeFirstServerPayment, requeueBrowserPayments, type Sales } from './sales.ts'
import { BatchResult, type IdentifiedEvent, saveEvents } from './save-events.ts'

/** Larger batches write fewer rollup rows per event. A batch of this size takes about a second. */
export const BATCH = 10_000
/** Characters of the error message that are stored with an event that is set aside. */
const MAX_DETAIL = 300

/** After a failure the batch is retried with at most this many events, bisecting to find those that fail. */
const MAX_RETRY_BATCH = 500

type Work = {
  db: Db
  clock: Clock
  log: Log
  identityPepper: KeyObject
  handover?: Handover
  partSize?: number
}

/** Context of a processing run. */
export type Run = { now: Date; identityPepper: KeyObject }

/** Null if another process holds the profile's lock. `isDrained`: the queue was empty afterwards. */
export type Processed = { taken: number; isDrained: boolean } | null

export async function processBatch(work: Work, profileId: string): Promise<Processed> {
  try {
    return await withBatch(work, profileId, BATCH, (tx, profile, entries) =>
      processEvents(tx, profile, entries, { ...work, now: work.clock.now() }, { partSize: work.partSize }),
    )
  } catch (error) {
    if (isTransient(error)) throw error
    work.log.warn('batch failed, retrying in smaller parts', { profile_id: profileId, error })
    return withBatch(work, profileId, MAX_RETRY_BATCH, (tx, profile, entries) =>
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
    const dequeued = await dequeueEvents(tx, { profileId, limit, handover })
    if (dequeued.length === 0) return { taken: 0, isDrained: true }
    await incrementReportVersionLocked(tx, profileId)
    const profile = await loadAttributionProfile(tx, profileId)
    const { isRequeued } = await process(tx, profile, latestOnly(dequeued))
    return { taken: dequeued.length, isDrained: dequeued.length < limit && !isRequeued }
  })
}

/** Bisects the batch to find events that fail; only those are set aside, all others are processed. */
export async function processOrSetAside(
  tx: Tx,
  profile: AttributionProfile,
  entries: readonly QueuedEvent[],
  run: Run & { log: Log },
): Promise<{ isRequeued: boolean }> {
  let isRequeued = false
  const failure = await attempt(tx, async () => {
    isRequeued = (await processEvents(tx, profile, entries, run)).isRequeued
  })
  if (failure === null) return { isRequeued }
  if (isTransient(failure.error)) throw failure.error
  const [entry] = entries
  if (entries.length === 1 && entry !== undefined) {
    await setEventAside(tx, profile, entry, failure.error, run)
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
  log.error('event set aside, processing failed', { profile_id: profileId, event_id: eventId, error })
  await setAside(tx, { profileId, events: [{ eventId, reason: 'processing_failed', detail }], now })
  // Also remove the rows of its earlier version, if that succeeds.
  if (entry.isUpdate)
    await attempt(tx, async () => {
      await processEvents(tx, profile, [{ ...entry, event: null }], run, { cause: 'repair' })
    })
}

/** Merges several versions of an event in a batch: the last one that has an event is kept. */
export function latestOnly(queued: readonly QueuedEvent[]): QueuedEvent[] {
  const byId = new Map<string, QueuedEvent>()
  for (const entry of queued) {
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

/** The caller holds the profile's lock. An entry without an event removes the rows derived from it. */
export async function processEvents(
  tx: Tx,
  profile: AttributionProfile,
  queued: readonly QueuedEvent[],
  { now, identityPepper }: Run,
  options: { partSize?: number | undefined; cause?: Cause } = {},
): Promise<{ isRequeued: boolean }> {
  const { profileId } = profile
  const { partSize } = options
  const resolved = await resolveClicks(tx, profileId, await withoutSetAside(tx, profileId, queued))
  const goals = await listGoals(tx, { profileId })
  const mayChangeFirst = mayChangeFirstServerPayment(profile, goals, resolved)
  const firstServerPaymentBefore = mayChangeFirst ? await firstServerPaymentAt(tx, profileId) : null
  const sales = await deduplicateSales(tx, profile, goals, resolved)
  const entries = [...resolved, ...sales.affectedEvents]
  const hasUpdates = entries.some((entry) => entry.isUpdate)
  const result = new BatchResult()
  const rules = { goals, exclusionOf: sales.exclusionOf, pepper: identityPepper }
  await inParts(entries, (part) => saveEvents(tx, profile, rules, part, result, now), partSize)
  const { events, links, touches: added, removedTouches } = result
  const causeOf = causesOf(entries, options.cause)
  await withRestatements(tx, openLedger(profile, now), (restatements) =>
    countTouches(tx, profile, { added, removed: removedTouches }, { causeOf, restatements }),
  )
  const newCustomers = hasUpdates
    ? noNewCustomers
    : toNewCustomers(unlinked(result.newIdentifiers, links), result)
  const removed = result.removedLinks.map(linkOf)
  const regrouped = await resolveChanged(tx, profileId, {
    changed: [...changedNodes(links, removed)],
    removed,
  })
  const previousOwners = [...result.previousOwners, ...result.assignedPayers]
  const owners = new Set([...events.map((event) => event.identifierId), ...previousOwners])
  const customerOf = await loadCustomers(tx, profileId, owners, {
    before: result.previousCustomerOf,
    regrouped,
  })
  const customers = new Set([...customerOf.values(), ...regrouped])
  const reachIds = new Set([
    ...result.reachIdentifiers.flatMap((id) => customerOf.get(id) ?? []),
    ...regrouped,
  ])
  // Identifiers that the events still contain are in use; only the others may be unused now.
  const maybeUnused = [...result.previousIdentifiers, ...previousOwners].filter(
    (id) => !result.savedIdentifiers.has(id),
  )
  await deleteUnusedIdentifiers(tx, profileId, [...new Set(maybeUnused)])
  await setAside(tx, { profileId, events: result.setAside, now })
  const { overfullDays } = await recomputeCustomers(tx, profile, [...customers], now, {
    reasonOf: reasonsOf(entries, {
      cause: options.cause,
      customerOf: customerFinder(events, customerOf),
    }),
    reachIds: [...reachIds],
    newCustomers,
    // An update may remove the last event of an identifier, so customers are not known to exist.
    ownIds: hasUpdates ? undefined : new Set(customerOf.values()),
    deletedIds: result.deletedIds,
    partSize,
  })
  await recomputePayers(tx, profile, result.refundedPayments, now, refundReason)
  if (profile.hasExports) await queueConversions(tx, profileId, { ...result, hasUpdates }, now)
  await queueOptOuts(tx, profileId, {
    identifierIds: result.refusedIdentifiers,
    customerIds: [...regrouped],
  })
  await saveLeads(tx, { profileId, leads: events.flatMap(conversationLead) })
  await recordOutcomes(
    tx,
    profileId,
    events.filter(({ event }) => !isDuplicate(event, sales)),
    now,
  )
  await setAsideLargestAmounts(tx, profile, overfullDays, { now, identityPepper })
  if (!mayChangeFirst) return { isRequeued: false }
  const times = { before: firstServerPaymentBefore, after: await firstServerPaymentAt(tx, profileId) }
  return { isRequeued: await requeueBrowserPayments(tx, profileId, times) }
}

/** Looks up the customer of an event of the batch. Indexed on first use: few batches change closed days. */
function customerFinder(events: readonly IdentifiedEvent[], customerOf: ReadonlyMap<string, string>) {
  let owners: Map<string, string> | undefined
  return (eventId: string) => {
    owners ??= new Map(events.map(({ event, identifierId }) => [event.id, identifierId]))
    return customerOf.get(owners.get(eventId) ?? '')
  }
}

/** A server event may contain the conversation that it resulted from. */
function conversationLead({ event }: IdentifiedEvent): { conversationId: string; eventId: string }[] {
  const id = event.source === 'api' ? event.body.properties?.conversation_id : undefined
  return typeof id === 'string' && isUuid(id) ? [{ conversationId: id, eventId: event.id }] : []
}

function isDuplicate(event: StoredEvent, sales: Sales): boolean {
  return sales.exclusionOf(event).duplicateOf.size > 0
}

/** Treats events that are set aside as removed. */
async function withoutSetAside(
  tx: Tx,
  profileId: string,
  queued: readonly QueuedEvent[],
): Promise<readonly QueuedEvent[]> {
  const eventIds = queued.flatMap((entry) => (entry.isUpdate ? entry.eventId : []))
  const setAsideIds = await findSetAside(tx, { profileId, eventIds })
  return setAsideIds.size === 0
    ? queued
    : queued.map((entry) => (setAsideIds.has(entry.eventId) ? { ...entry, event: null } : entry))
}

/** Adds the ad to touches whose click a platform has resolved. */
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

/** Sets aside the largest amounts of days whose money exceeds `MAX_DAY_MINOR`. */
export async function setAsideLargestAmounts(
  tx: Tx,
  profile: AttributionProfile,
  days: readonly string[],
  run: Run,
) {
  const { profileId } = profile
  const eventIds = [
    ...new Set((await Promise.all(days.map((day) => listEventsOverDayLimit(tx, { profileId, day })))).flat()),
  ]
  if (eventIds.length === 0) return
  const detail = `The day's amounts exceed ${MAX_DAY_MINOR} minor units; the largest are set aside first.`
  await setAside(tx, {
    profileId,
    events: eventIds.map((eventId) => ({ eventId, reason: 'day_total_too_large' as const, detail })),
    now: run.now,
  })
  const entries = eventIds.map((eventId) => ({ eventId, isUpdate: true, event: null }))
  await processEvents(tx, profile, entries, run, { cause: 'repair' })
}

/** New identifiers without links. */
function unlinked(newIdentifiers: readonly string[], links: readonly LinkRow[]): Set<string> {
  const ids = new Set(newIdentifiers)
  for (const { weakId, strongId } of links) {
    ids.delete(weakId)
    ids.delete(strongId)
  }
  return ids
}

function changedNodes(links: readonly LinkRow[], removed: readonly Link[]): Set<Node> {
  return new Set([
    ...links.map((link) => `${link.weakKind}:${link.weakId}`),
    ...removed.map((link) => link.weaker),
  ])
}

/** The customer of each existing identifier. If its previous customer was not regrouped, it is unchanged and not queried. */
async function loadCustomers(
  tx: Tx,
  profileId: string,
  identifierIds: ReadonlySet<string>,
  previous: { before: ReadonlyMap<string, string>; regrouped: ReadonlySet<string> },
): Promise<Map<string, string>> {
  const customerOf = new Map<string, string>()
  const changedIds: string[] = []
  for (const id of identifierIds) {
    const before = previous.before.get(id)
    if (before === undefined || previous.regrouped.has(before)) changedIds.push(id)
    else customerOf.set(id, before)
  }
  if (changedIds.length === 0) return customerOf
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers where profile_id = ${profileId} and id = any(${uuidList(changedIds)}::uuid[])`.execute(
    tx,
  )
  for (const row of rows) customerOf.set(row.id, row.customer_id)
  return customerOf
}
