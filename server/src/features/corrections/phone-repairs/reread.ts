/**
 * Reads events again whose phone number earlier versions took for another country's. An event gets another identifier
 * and is processed like a later version of itself, so people, credit and reports follow. Each step is one transaction
 * and may be repeated: what was repaired is no longer found.
 */
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile, lookUpByKeys } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { processEvents } from '../../attribution/pipeline/process.ts'
import { loadStoredEvents } from '../../facts/events/erase.ts'
import { rereadWaiting } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { type IdentityScope, identifierId } from '../../facts/identity/identifiers.ts'
import * as queries from './queries.ts'
import { earlierReading, type Misread, misreadPhone, withPhone } from './rules.ts'

const STEP = 500

export type MisreadEvent = { event: StoredEvent; typed: string; misread: Misread }
export const toReading = ({ event, misread }: MisreadEvent) => ({ event, number: misread.number })

const isWanted = (misread: Misread | undefined, includeUnresolved: boolean): misread is Misread =>
  misread !== undefined && (misread.number !== null || includeUnresolved)

const phoneIdOf = (number: string, { profileId, pepper }: IdentityScope) =>
  identifierId('phone', number, profileId, pepper)

/** Ids of events that may have been misread, a page at a time; whether they were is read from the events themselves. */
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
    const wanted = typed.filter((row) =>
      isWanted(misreadPhone(row.value, row.country ?? scope.country), includeUnresolved),
    )
    if (wanted.length > 0) yield [...new Set(wanted.map((row) => row.event_id))]
    if (typed.length < step) return
    after = typed.at(-1)!
  }
}

/** Those of the events that still have the identifier of the earlier reading. */
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
    if (!isWanted(misread, includeUnresolved)) return []
    const id = phoneIdOf(misread.readAs, scope)
    return event.body.identifiers.some((own) => own.id === id) ? [{ event, typed, misread }] : []
  })
}

/** The caller holds the profile's lock. */
export async function readAgain(
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
  await queries.storeBodies(tx, profileId, events)
  await rereadWaiting(tx, { profileId, eventIds: events.map((event) => event.id) })
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
      const found = await loadMisread(tx, scope, eventIds, repair.include_unresolved)
      if (found.length === 0) return
      await queries.addRepaired(tx, {
        profileId,
        repairId: repair.id,
        eventIds: found.map(({ event }) => event.id),
      })
      await readAgain(tx, scope, found.map(toReading), now())
    })
  }
}

/** An event that was erased since, or has another number by now, is left as it is. */
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
      await readAgain(tx, scope, events.flatMap(toEarlier), now())
      await queries.removeRepaired(tx, { profileId, repairId: repair.id, eventIds })
      return false
    })
  }
}

function toEarlier(event: StoredEvent) {
  const typed = event.body.traits?.phone
  const number = typed === undefined ? undefined : earlierReading(typed)
  return number === undefined ? [] : [{ event, number }]
}
