/**
 * Reprocesses events whose phone number earlier releases read as a number of another country. The event gets a new phone
 * identifier and is processed like an update, which corrects customers, credit and reports. Each step is one transaction
 * and can be repeated, because repaired events are no longer found.
 */
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile, lookUpByKeys } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { processEvents } from '../../attribution/pipeline/process.ts'
import { loadStoredEvents } from '../../facts/events/erase.ts'
import { markForReread } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { type IdentityScope, identifierId } from '../../facts/identity/identifiers.ts'
import * as queries from './queries.ts'
import { earlierReading, type Misread, misreadPhone, withPhone } from './rules.ts'

const STEP = 500

export type MisreadEvent = { event: StoredEvent; typed: string; misread: Misread }
export const toReading = ({ event, misread }: MisreadEvent) => ({ event, number: misread.number })

const isRepairable = (misread: Misread | undefined, includeUnresolved: boolean): misread is Misread =>
  misread !== undefined && (misread.number !== null || includeUnresolved)

const phoneIdOf = (number: string, { profileId, pepper }: IdentityScope) =>
  identifierId('phone', number, profileId, pepper)

/** Pages of ids of events that may have been misread; `loadMisread` checks the events themselves. */
export async function* findCandidates(
  db: Db | Tx,
  scope: IdentityScope,
  includeUnresolved: boolean,
  step = STEP,
): AsyncGenerator<string[]> {
  for (let after: queries.TypedPhone | null = null; ; ) {
    const typed: queries.TypedPhone[] = await queries.listTyped(db, {
      profileId: scope.profileId,
      after,
      limit: step,
    })
    const candidates = typed.filter((row) =>
      isRepairable(misreadPhone(row.value, row.country ?? scope.country), includeUnresolved),
    )
    if (candidates.length > 0) yield [...new Set(candidates.map((row) => row.event_id))]
    if (typed.length < step) return
    after = typed.at(-1)!
  }
}

/** The events that still have the identifier of the wrong reading. */
export async function loadMisread(
  tx: Tx,
  scope: IdentityScope,
  eventIds: readonly string[],
  includeUnresolved: boolean,
): Promise<MisreadEvent[]> {
  const events = await loadStoredEvents(tx, scope.profileId, eventIds)
  return events.flatMap((event) => {
    const typed = event.body.traits?.phone
    if (typed === undefined) return []
    const misread = misreadPhone(typed, event.body.traits?.country ?? scope.country)
    if (!isRepairable(misread, includeUnresolved)) return []
    const id = phoneIdOf(misread.readAs, scope)
    return event.body.identifiers.some((identifier) => identifier.id === id)
      ? [{ event, typed, misread }]
      : []
  })
}

/** The caller holds the profile's lock. */
export async function reprocessEvents(
  tx: Tx,
  scope: IdentityScope,
  readings: readonly { event: StoredEvent; number: string | null }[],
  now: Date,
): Promise<void> {
  if (readings.length === 0) return
  const { profileId } = scope
  const events = readings.map(({ event, number }) => ({
    ...event,
    body: withPhone(event.body, number === null ? null : phoneIdOf(number, scope)),
  }))
  await queries.saveBodies(tx, profileId, events)
  await markForReread(tx, { profileId, eventIds: events.map((event) => event.id) })
  const profile = await loadAttributionProfile(tx, profileId)
  const entries = events.map((event) => ({ eventId: event.id, isUpdate: true, event }))
  await processEvents(tx, profile, entries, { now, identityPepper: scope.pepper }, { cause: 'repair' })
}

type Run = { db: Db; now: () => Date; signal?: AbortSignal; step?: number }

export async function applyRepair(
  { db, now, signal, step = STEP }: Run,
  scope: IdentityScope,
  repair: Pick<queries.RepairRow, 'id' | 'include_unresolved'>,
): Promise<void> {
  const { profileId } = scope
  for await (const eventIds of findCandidates(db, scope, repair.include_unresolved, step)) {
    signal?.throwIfAborted()
    await inTransaction(db, async (tx) => {
      await lockProfile(tx, profileId)
      await lookUpByKeys(tx)
      const misread = await loadMisread(tx, scope, eventIds, repair.include_unresolved)
      if (misread.length === 0) return
      await queries.addRepaired(tx, {
        profileId,
        repairId: repair.id,
        eventIds: misread.map(({ event }) => event.id),
      })
      await reprocessEvents(tx, scope, misread.map(toReading), now())
    })
  }
}

/** Skips events that were erased or got another number since the repair. */
export async function undoRepair(
  { db, now, signal, step = STEP }: Run,
  scope: IdentityScope,
  repair: Pick<queries.RepairRow, 'id'>,
): Promise<void> {
  const { profileId } = scope
  for (let isDone = false; !isDone; ) {
    signal?.throwIfAborted()
    isDone = await inTransaction(db, async (tx) => {
      await lockProfile(tx, profileId)
      await lookUpByKeys(tx)
      const eventIds = await queries.listRepaired(tx, { profileId, repairId: repair.id, limit: step })
      if (eventIds.length === 0) return true
      const events = await loadStoredEvents(tx, profileId, eventIds)
      await reprocessEvents(tx, scope, events.flatMap(toEarlierReading), now())
      await queries.removeRepaired(tx, { profileId, repairId: repair.id, eventIds })
      return false
    })
  }
}

function toEarlierReading(event: StoredEvent) {
  const typed = event.body.traits?.phone
  const number = typed === undefined ? undefined : earlierReading(typed)
  return number === undefined ? [] : [{ event, number }]
}
