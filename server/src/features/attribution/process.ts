/**
 * Turns committed events into people, touches, conversions, credits and rollups, in one
 * transaction per batch. One batch of a profile runs at a time, whatever the number of processes.
 */
import { identifierKinds, type Link, type Node } from '@whence/engine'
import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { localDay } from '../../contract/zones.ts'
import { uuidList } from '../../db/columns.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { together } from '../../db/together.ts'
import { type Derived, type DerivedPayment, deriveOutcomes } from '../conversions/derive.ts'
import {
  type ConversionWrite,
  deleteStale,
  listGoals,
  loadConversionIds,
  loadPayers,
  ownersOfEvents,
  saveConversions,
  savePayments,
} from '../conversions/queries.ts'
import { type Handover, noHandover } from '../events/handover.ts'
import { type QueuedEvent, takeQueued } from '../events/queue.ts'
import type { StoredEvent } from '../events/stored.ts'
import { loadRates } from '../fx/rates.ts'
import { ERASED_KIND, UNKNOWN_KIND } from '../identity/members.ts'
import {
  dropForgotten,
  idOf,
  type LinkRow,
  removeLinks,
  resolveChanged,
  saveIdentifiers,
  saveLinks,
} from '../identity/resolve.ts'
import { removeTraits, saveTraits } from '../identity/traits.ts'
import { takeWaitingRefunds } from '../payments/refunds.ts'
import { recordOutcomes } from '../webhooks/record-outcomes.ts'
import { lookUpByKeys, tryLockProfile } from './lock.ts'
import { type Newcomers, nobodyNew, toNewcomers } from './newcomers.ts'
import { recomputeCustomers } from './recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from './settings.ts'
import { removeTouches, saveTouches, type TouchRow } from './touches.ts'

/** The more events share a batch, the fewer rollup rows are written for each; a batch of this many takes about a second. */
export const BATCH = 10_000

/** Returns how many waiting events were taken; null when another process is at work on the profile. */
export async function processBatch(
  service: { db: Db; clock: Clock; handover?: Handover },
  profileId: string,
): Promise<number | null> {
  const { handover = noHandover } = service
  return inTransaction(service.db, async (tx) => {
    if (!(await tryLockProfile(tx, profileId))) return null
    await lookUpByKeys(tx)
    const taken = await takeQueued(tx, { profileId, limit: BATCH, handover })
    if (taken.length === 0) return 0
    const profile = await loadAttributionProfile(tx, profileId)
    await processEvents(tx, profile, latestOnly(taken), service.clock.now())
    return taken.length
  })
}

/** Several versions of one event in a batch: the last one found stands. */
export function latestOnly(taken: readonly QueuedEvent[]): QueuedEvent[] {
  const byId = new Map<string, QueuedEvent>()
  for (const entry of taken) {
    const earlier = byId.get(entry.eventId)
    byId.set(entry.eventId, {
      eventId: entry.eventId,
      isUpdate: entry.isUpdate || (earlier?.isUpdate ?? false),
      event: entry.event ?? earlier?.event ?? null,
    })
  }
  return [...byId.values()]
}

type Read = { event: StoredEvent; identifierId: string; kind: number }

/** The caller holds the profile's lock. An entry without an event takes back what the event had made. */
export async function processEvents(
  tx: Tx,
  profile: AttributionProfile,
  entries: readonly QueuedEvent[],
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const updated = entries.filter((entry) => entry.isUpdate).map((entry) => entry.eventId)
  const before =
    updated.length === 0 ? { owners: [], named: [], removed: [] } : await takeBack(tx, profile, updated)
  const reads = entries.flatMap((entry) =>
    entry.event === null || entry.event.isBot ? [] : [toRead(entry.event)],
  )
  const links = reads.flatMap(linksOf)
  const touches = reads.flatMap(touchOf)
  const written = await deriveAll(tx, profile, reads, updated)
  const told = reads.filter((read) => isTold(read, written.owners))
  let newcomers = nobodyNew
  await together(
    async () => {
      const fresh = await saveIdentifiers(tx, profileId, identifiersOf(told))
      if (updated.length === 0) newcomers = toNewcomers(unlinked(fresh, links), { touches, ...written })
    },
    () => saveConversions(tx, profileId, written.conversions),
    () => saveTouches(tx, profile, touches),
    () => saveLinks(tx, profileId, links),
    () => saveTraits(tx, profileId, reads),
    async () => {
      await savePayments(tx, profileId, written.payments)
      await takeWaitingRefunds(tx, profile, written.payments, now)
    },
  )
  const regrouped = await resolveChanged(tx, profileId, {
    changed: [...changedNodes(links, before.removed)],
    removed: before.removed,
  })
  const owners = new Set([
    ...reads.map((read) => read.identifierId),
    ...before.owners,
    ...written.identifiers,
  ])
  const customerOf = await loadCustomers(tx, profileId, owners, newcomers)
  const reached = [
    ...reads.flatMap((read) => (read.event.body.touch?.ad_id ? [read.identifierId] : [])),
    ...before.owners,
  ]
  const customers = new Set([...customerOf.values(), ...regrouped])
  const reachIds = new Set([...reached.flatMap((id) => customerOf.get(id) ?? []), ...regrouped])
  if (updated.length > 0)
    await dropForgotten(tx, profileId, [...before.named, ...before.owners, ...written.identifiers])
  await recomputeCustomers(tx, profile, [...customers], now, [...reachIds], newcomers, written.deletedIds)
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

function toRead(event: StoredEvent): Read {
  const { erased_as: erasedAs } = event.body
  if (erasedAs !== undefined) return { event, identifierId: erasedAs, kind: ERASED_KIND }
  const strongest = event.body.identifiers[0]
  if (strongest === undefined) return { event, identifierId: event.id, kind: UNKNOWN_KIND }
  return { event, identifierId: strongest.id, kind: identifierKinds.indexOf(strongest.kind) }
}

/** An event that says nothing beyond one identifier leaves no trace of it: nobody could ever ask for it. */
function isTold({ event, identifierId }: Read, owners: ReadonlySet<string>): boolean {
  const { identifiers, touch, traits } = event.body
  return identifiers.length > 1 || touch !== undefined || traits !== undefined || owners.has(identifierId)
}

function identifiersOf(reads: readonly Read[]): { id: string; kind: number }[] {
  const byId = new Map<string, { id: string; kind: number }>()
  for (const { event, identifierId, kind } of reads) {
    byId.set(identifierId, { id: identifierId, kind })
    for (const other of event.body.identifiers)
      byId.set(other.id, { id: other.id, kind: identifierKinds.indexOf(other.kind) })
  }
  return [...byId.values()]
}

function linksOf({ event, identifierId, kind }: Read): LinkRow[] {
  return event.body.identifiers.slice(1).map((weak) => ({
    weakId: weak.id,
    weakKind: identifierKinds.indexOf(weak.kind),
    strongId: identifierId,
    strongKind: kind,
    eventId: event.id,
    observedAt: event.occurredAt,
  }))
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

function touchOf({ event, identifierId }: Read): TouchRow[] {
  const { touch } = event.body
  if (touch === undefined) return []
  return [
    { ...touch, id: event.id, identifierId, occurredAt: event.occurredAt, recordedAt: event.receivedAt },
  ]
}

type Written = {
  identifiers: string[]
  owners: Set<string>
  conversions: ConversionWrite[]
  payments: DerivedPayment[]
  /** Conversions that the events made before and make no more. */
  deletedIds: string[]
}

/** What stays of events that are derived again: the ids of their conversions, and the payers that the merchant assigned. */
async function loadStanding(tx: Tx, profileId: string, eventIds: readonly string[]) {
  const payers = await loadPayers(tx, profileId, eventIds)
  const known = await loadConversionIds(tx, profileId, eventIds)
  const keep = ({ conversions, payment }: Derived): Derived => ({
    payment,
    conversions: conversions.map((row) => ({
      ...row,
      id: known.idOf(row.eventId, row.goalId) ?? row.id,
      // The merchant's word is about a payment; where the event is none at the moment, it waits.
      identifierId: (payment === null ? undefined : payers.get(row.eventId)) ?? row.identifierId,
    })),
  })
  return { payers: [...payers.values()], keep }
}

/** What the events come to. Of those read again, what they no longer come to is deleted. */
async function deriveAll(
  tx: Tx,
  profile: AttributionProfile,
  reads: readonly Read[],
  updated: readonly string[],
): Promise<Written> {
  const { profileId } = profile
  const goals = await listGoals(tx, { profileId })
  const again = updated.length === 0 ? undefined : await loadStanding(tx, profileId, updated)
  const derived = reads.map((read) => {
    const outcomes = deriveOutcomes(read.event, read.identifierId, goals)
    return again === undefined ? outcomes : again.keep(outcomes)
  })
  const conversions = derived.flatMap((outcomes) => outcomes.conversions)
  const payments = derived.flatMap((outcomes) => outcomes.payment ?? [])
  const dated = conversions.map((row) => ({
    ...row,
    day: localDay(row.occurredAt.getTime(), profile.timezone),
  }))
  const rates = await loadRates(
    tx,
    dated.flatMap((row) => (row.currency === null ? [] : [{ currency: row.currency, day: row.day }])),
    profile.currency,
  )
  const stale =
    updated.length === 0
      ? { owners: [], conversionIds: [] }
      : await deleteStale(tx, profileId, {
          eventIds: updated,
          keepConversions: conversions.map((row) => row.id),
          keepPayments: payments.map((row) => row.id),
        })
  const converted = dated.map((row) => ({
    ...row,
    reportValueMinor:
      row.valueMinor === null || row.currency === null
        ? null
        : (rates.convert(row.valueMinor, row.currency, profile.currency, row.day) ?? null),
  }))
  return {
    identifiers: [...stale.owners, ...(again?.payers ?? [])],
    owners: new Set([...conversions, ...payments].map((row) => row.identifierId)),
    conversions: converted,
    payments,
    deletedIds: stale.conversionIds,
  }
}

/** The customer of each identifier that is kept; a newcomer is its own. */
async function loadCustomers(
  tx: Tx,
  profileId: string,
  identifierIds: ReadonlySet<string>,
  newcomers: Newcomers,
): Promise<Map<string, string>> {
  const customerOf = new Map<string, string>()
  const known: string[] = []
  for (const id of identifierIds)
    if (newcomers.has(id)) customerOf.set(id, id)
    else known.push(id)
  if (known.length === 0) return customerOf
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select id, customer_id from identifiers where profile_id = ${profileId} and id = any(${uuidList(known)}::uuid[])`.execute(
    tx,
  )
  for (const row of rows) customerOf.set(row.id, row.customer_id)
  return customerOf
}
