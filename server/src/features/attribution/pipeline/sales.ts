/** Counts each sale once: decides which events of a batch count and which earlier events must be reprocessed. */
import type { Tx } from '../../../platform/db/database.ts'
import { type Goal, goalsOf } from '../../facts/conversions/derive.ts'
import { type Exclusion, noExclusion } from '../../facts/conversions/exclusion.ts'
import {
  firstServerPaymentAt,
  loadClaims,
  removeClaims,
  type StoredClaim,
  saveClaims,
} from '../../facts/conversions/order-events.ts'
import { claimsOf, decideSale, isUnconfirmed } from '../../facts/conversions/sale-rules.ts'
import { loadStoredEvents } from '../../facts/events/erase.ts'
import { enqueueBrowserPayments, type QueuedEvent } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import type { AttributionProfile } from '../crediting/settings.ts'

export type Sales = {
  /** Earlier events whose status (counted or not) changes. */
  affectedEvents: QueuedEvent[]
  exclusionOf(event: StoredEvent): Exclusion
}

/** The caller holds the profile's lock. Order claims of updated entries are removed first. */
export async function deduplicateSales(
  tx: Tx,
  profile: AttributionProfile,
  goals: readonly Goal[],
  entries: readonly QueuedEvent[],
): Promise<Sales> {
  const { profileId } = profile
  const events = entries.flatMap((entry) => entry.event ?? [])
  const { affectedEvents, duplicates } = await deduplicateOrders(tx, profileId, goals, entries)
  const hasBrowserMoney = [...events, ...affectedEvents.flatMap((entry) => entry.event ?? [])].some(
    (event) => event.source === 'tracker' && event.body.money !== undefined,
  )
  const since =
    hasBrowserMoney && profile.browserRevenue === 'confirm' ? await firstServerPaymentAt(tx, profileId) : null
  return {
    affectedEvents,
    exclusionOf(event) {
      const duplicateOf = duplicates.get(event.id)
      const unconfirmed = isUnconfirmed(event, profile.browserRevenue, since)
      if (duplicateOf === undefined && !unconfirmed) return noExclusion
      return { duplicateOf: duplicateOf ?? noExclusion.duplicateOf, unconfirmed }
    },
  }
}

type Duplicates = Map<string, Map<string, string>>

async function deduplicateOrders(
  tx: Tx,
  profileId: string,
  goals: readonly Goal[],
  entries: readonly QueuedEvent[],
): Promise<{ affectedEvents: QueuedEvent[]; duplicates: Duplicates }> {
  const updated = entries.flatMap((entry) => (entry.isUpdate ? entry.eventId : []))
  const previousOrders = await removeClaims(tx, profileId, updated)
  const newClaims = entries
    .flatMap((entry) => (entry.event === null ? [] : claimsOf(entry.event, goals)))
    .map((claim): StoredClaim => ({ ...claim, duplicateOf: null }))
  const orderRefs = [...new Set([...previousOrders, ...newClaims.map((claim) => claim.orderRef)])]
  if (orderRefs.length === 0) return { affectedEvents: [], duplicates: new Map() }
  const inBatch = new Set(entries.map((entry) => entry.eventId))
  const stored = (await loadClaims(tx, profileId, orderRefs)).filter((claim) => !inBatch.has(claim.eventId))
  const decided = decideAll([...stored, ...newClaims])
  const changed = decided.filter(({ claim, duplicateOf }) => claim.duplicateOf !== duplicateOf)
  const storedIds = new Set(stored.map((claim) => claim.eventId))
  await saveClaims(
    tx,
    profileId,
    decided
      .filter((entry) => !storedIds.has(entry.claim.eventId) || changed.includes(entry))
      .map(({ claim, duplicateOf }) => ({ ...claim, duplicateOf })),
  )
  const affectedIds = [
    ...new Set(changed.flatMap(({ claim }) => (storedIds.has(claim.eventId) ? claim.eventId : []))),
  ]
  const affected = affectedIds.length === 0 ? [] : await loadStoredEvents(tx, profileId, affectedIds)
  const duplicates: Duplicates = new Map()
  for (const { claim, duplicateOf } of decided) {
    if (duplicateOf === null) continue
    const byRevenueType = duplicates.get(claim.eventId) ?? new Map<string, string>()
    duplicates.set(claim.eventId, byRevenueType.set(claim.revenueType, duplicateOf))
  }
  return {
    affectedEvents: affected.map((event) => ({ eventId: event.id, isUpdate: true, event })),
    duplicates,
  }
}

function decideAll(claims: readonly StoredClaim[]): { claim: StoredClaim; duplicateOf: string | null }[] {
  const groups = Map.groupBy(claims, (claim) => `${claim.orderRef} ${claim.revenueType}`)
  return [...groups.values()].flatMap((orderClaims) => {
    const decided = decideSale(orderClaims)
    return orderClaims.map((claim) => ({ claim, duplicateOf: decided.get(claim.eventId) ?? null }))
  })
}

/** Whether a batch may change the time of the first server payment: it has a server payment or an update of one. */
export function mayChangeFirstServerPayment(
  profile: AttributionProfile,
  goals: readonly Goal[],
  entries: readonly QueuedEvent[],
): boolean {
  if (profile.browserRevenue !== 'confirm') return false
  return entries.some(({ isUpdate, event }) => {
    if (event === null) return isUpdate
    if (event.source === 'tracker' && !isUpdate) return false
    return isUpdate || (event.body.money !== undefined && isCash(event, goals))
  })
}

function isCash(event: StoredEvent, goals: readonly Goal[]): boolean {
  return goalsOf(event, goals).some((goal) => goal.revenueType === 'cash')
}

/** Reprocesses browser payments between the two times. Returns whether there are any. */
export async function requeueBrowserPayments(
  tx: Tx,
  profileId: string,
  times: { before: Date | null; after: Date | null },
): Promise<boolean> {
  const [before, after] = [times.before?.getTime() ?? Infinity, times.after?.getTime() ?? Infinity]
  if (before === after) return false
  const to = Math.max(before, after)
  return enqueueBrowserPayments(tx, {
    profileId,
    from: new Date(Math.min(before, after)),
    to: to === Infinity ? null : new Date(to),
    cause: 'updated_event',
  })
}
