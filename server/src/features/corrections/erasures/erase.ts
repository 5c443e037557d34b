/**
 * Erases a person from the tables of `person-data/list.ts`, in two phases. Phase 1 handles the events that indexes find: one transaction under the profile's lock
 * anonymises them and derives their touches, conversions and credit again. Phase 2 (sweep) scans all other events in
 * batches, for events of the person that no index finds. Every step can be repeated after a crash.
 */
import { type KeyObject, randomUUID } from 'node:crypto'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile, lookUpByKeys } from '../../../platform/db/profile-lock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { sourceKeptForOverride } from '../../attribution/crediting/credits/channel-overrides.ts'
import { loadTouches } from '../../attribution/crediting/incremental/journeys.ts'
import { type AttributionProfile, loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import {
  BATCH,
  latestOnly,
  processEvents,
  processOrSetAside,
  type Run,
} from '../../attribution/pipeline/process.ts'
import { withResolvedClicks } from '../../attribution/pipeline/resolved-clicks.ts'
import {
  listEventsOfIdentifiers,
  loadStoredEvents,
  ownerOf,
  saveAnonymous,
  scanEvents,
} from '../../facts/events/erase.ts'
import { toAnonymous, withoutPerson } from '../../facts/events/erasure-rules.ts'
import { noHandover } from '../../facts/events/handover.ts'
import { dequeueEvents, hasWaiting } from '../../facts/events/queue.ts'
import type { StoredEvent, StoredTouch } from '../../facts/events/stored.ts'
import { ERASED_KIND, loadMembers } from '../../facts/identity/members.ts'
import { findCustomer, saveIdentifiers } from '../../facts/identity/resolve.ts'
import { sweepOutcomes } from '../../outgoing/webhooks/forget.ts'
import { replacePayers } from '../payments/queries.ts'
import type { Erase, ErasedEvents, ErasedPerson, Step } from '../person-data/entry.ts'
import { personTables } from '../person-data/list.ts'
import { eraseRows } from '../person-data/rows.ts'
import * as queries from './queries.ts'

const SWEEP_BATCH = 20_000

/** The steps of the list, each once, in its order. */
const stepsOf = <T>(pick: (erase: Erase & object) => Step<T> | null): ReadonlySet<Step<T>> =>
  new Set(personTables.flatMap(({ erase }) => (typeof erase === 'object' ? (pick(erase) ?? []) : [])))
const stepsBefore = stepsOf<ErasedPerson>((erase) => ('before' in erase ? erase.before : null))
const stepsAfter = stepsOf<ErasedPerson>((erase) => ('after' in erase ? erase.after : null))
const stepsOfEvents = stepsOf<ErasedEvents>((erase) => ('ofEvents' in erase ? erase.ofEvents : null))

export type ErasureServices = {
  db: Db
  clock: Clock
  log: Log
  keyring: Keyring
  identityPepper: KeyObject
}

/** Runs all pending erasures of the profile. An erasure requested while this runs has its own job. */
export async function runPendingErasures(
  services: ErasureServices,
  profileId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const { id } of await queries.listErasures(services.db, { profileId, state: 'pending' }))
    await inTransaction(services.db, (tx) => erasePerson(tx, profileId, id, services))
  const open = await queries.listErasures(services.db, { profileId, state: 'sweeping' })
  if (open.length === 0) return
  await sweep(services, profileId, open, signal)
  if (signal?.aborted) return
  const profile = await findProfileRef(services.db, { profileId })
  for (const erasure of open)
    await inTransaction(services.db, async (tx) => {
      const now = services.clock.now()
      await sweepOutcomes(tx, {
        profileId,
        erasedAs: erasure.erased_as,
        identifierIds: erasure.identifier_ids!,
      })
      if (!(await queries.completeErasure(tx, { profileId, id: erasure.id, now }))) return
      if (profile === undefined) return
      await recordChange(
        tx,
        { now },
        {
          workspaceId: profile.workspaceId,
          profileId,
          action: 'customer.erased',
          subject: erasure.id,
        },
      )
    })
}

async function erasePerson(
  tx: Tx,
  profileId: string,
  erasureId: string,
  { clock, log, keyring, identityPepper }: ErasureServices,
): Promise<void> {
  const now = clock.now()
  const run = { now, log, identityPepper }
  await lockProfile(tx, profileId)
  await lookUpByKeys(tx)
  const erasure = await queries.findErasure(tx, { profileIds: [profileId], id: erasureId })
  if (erasure?.state !== 'pending') return
  const profile = await loadAttributionProfile(tx, profileId)
  await processQueuedEvents(tx, profile, erasure.requested_at, run)
  const customerId = await findCustomer(tx, profileId, erasure.customer_id!)
  const identifierIds =
    customerId === undefined ? [] : [...(await loadMembers(tx, profileId, [customerId])).keys()]
  const { erased_as: erasedAs } = erasure
  const workspace = await findProfileRef(tx, { profileId })
  const person: ErasedPerson = {
    profile,
    profileId,
    workspaceId: workspace?.workspaceId,
    requestedAt: erasure.requested_at,
    requestedCustomerId: erasure.customer_id!,
    customerId,
    identifierIds,
    erasedAs,
    keyring,
    now,
  }
  await saveIdentifiers(tx, profileId, [{ id: erasedAs, kind: ERASED_KIND }])
  for (const step of stepsBefore) await step(tx, person)
  const paymentIds = await replacePayers(tx, { profileId, identifierIds, payerId: erasedAs })
  const tracedEventIds = await listEventsOfIdentifiers(tx, profileId, identifierIds)
  const eventIds = [...tracedEventIds, ...paymentIds]
  await anonymiseEvents(tx, profile, { ...erasure, identifier_ids: identifierIds }, eventIds, run)
  await eraseRows(tx, profileId, { identifier: identifierIds, payment: paymentIds })
  for (const step of stepsAfter) await step(tx, person)
  await queries.startSweep(tx, { profileId, id: erasure.id, identifierIds })
}

/** Earlier events that are still queued may link more identifiers to the person, so they are processed first. */
async function processQueuedEvents(
  tx: Tx,
  profile: AttributionProfile,
  until: Date,
  run: Run & { log: Log },
): Promise<void> {
  const { profileId } = profile
  while (await hasWaiting(tx, { profileId, until })) {
    const queued = await dequeueEvents(tx, { profileId, limit: BATCH, handover: noHandover })
    await processOrSetAside(tx, profile, latestOnly(queued), run)
  }
}

/** Returns a predicate: true if the event's reported click repeats another touch of the person (an echo). */
async function loadEchoCheck(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<(event: StoredEvent) => boolean> {
  const person = identifierIds[0] ?? ''
  const members = new Map(identifierIds.map((id) => [id, person]))
  const touches = await loadTouches(tx, profileId, members, new Set([person]))
  const touchIds = new Set(touches.map((touch) => touch.id))
  return (event) => event.body.touch?.reported === true && !touchIds.has(event.id)
}

function sourceToKeepFor({ channelOverrides }: AttributionProfile) {
  return (touch: StoredTouch) =>
    sourceKeptForOverride(
      {
        ...touch,
        campaign_external_id: touch.campaign_id,
        ad_set_external_id: touch.ad_set_id,
        ad_external_id: touch.ad_id,
      },
      channelOverrides,
    )
}

/** The caller holds the profile's lock. Events of other people are only reprocessed, because their payer may have changed. */
async function anonymiseEvents(
  tx: Tx,
  profile: AttributionProfile,
  erasure: queries.ErasureRow,
  eventIds: readonly string[],
  run: Run,
): Promise<void> {
  const { profileId } = profile
  const { erased_as: erasedAs } = erasure
  const identifierIds = new Set(erasure.identifier_ids)
  const belongsToPerson = (event: StoredEvent) =>
    identifierIds.has(ownerOf(event)) && event.receivedAt <= erasure.requested_at
  const events = await loadStoredEvents(tx, profileId, [...new Set(eventIds)])
  const personEvents = events.filter(belongsToPerson)
  const subjects = new Map<string, string>()
  const subjectOf = (ref: string) => {
    if (!subjects.has(ref)) subjects.set(ref, randomUUID())
    return subjects.get(ref)!
  }
  const isEcho = await loadEchoCheck(tx, profileId, [...identifierIds])
  const resolved = await withResolvedClicks(tx, profileId, personEvents)
  const anonymousEvents = personEvents.map((stored) => {
    const event = resolved.get(stored.id) ?? stored
    // Once the click id is removed an echo looks like a touch, so the touch is removed too.
    const { touch: _, ...bodyWithoutTouch } = event.body
    const body = isEcho(event) ? bodyWithoutTouch : event.body
    return withoutPerson(
      event,
      toAnonymous(body, erasedAs, { subjectOf, keptSourceOf: sourceToKeepFor(profile) }),
    )
  })
  const ids = personEvents.map((event) => event.id)
  await queries.addCounts(tx, {
    profileId,
    id: erasure.id,
    counts: { events: ids.length, ...(await queries.countFacts(tx, { profileId, eventIds: ids })) },
  })
  await saveAnonymous(tx, profileId, anonymousEvents)
  const otherEvents = events.filter((event) => !belongsToPerson(event))
  await processEvents(
    tx,
    profile,
    [...anonymousEvents, ...otherEvents].map((event) => ({ eventId: event.id, isUpdate: true, event })),
    run,
    { cause: 'erasure' },
  )
  for (const step of stepsOfEvents) await step(tx, { profileId, events: personEvents, erasedAs })
  await eraseRows(tx, profileId, {
    event: ids,
    payment: ids,
    fact: await queries.listFactIds(tx, { profileId, eventIds: ids }),
    order: personEvents.flatMap((event) => event.body.order_ref ?? []),
    click: personEvents.flatMap((event) => event.body.touch?.click_id ?? []),
    lead: personEvents.flatMap((event) => (event.source === 'integration' ? (event.externalId ?? []) : [])),
  })
}

/** One scan of the profile's events serves all erasures in this phase. */
async function sweep(
  { db, clock, identityPepper }: ErasureServices,
  profileId: string,
  open: readonly queries.ErasureRow[],
  signal?: AbortSignal,
): Promise<void> {
  const identifierIds = open.flatMap((erasure) => erasure.identifier_ids!)
  const ids = open.map((erasure) => erasure.id)
  for (let after = getSweepStart(open); signal?.aborted !== true; ) {
    const { eventIds, last } = await scanEvents(db, { profileId, after, identifierIds, most: SWEEP_BATCH })
    if (eventIds.length > 0)
      await inTransaction(db, async (tx) => {
        await lockProfile(tx, profileId)
        await lookUpByKeys(tx)
        const profile = await loadAttributionProfile(tx, profileId)
        for (const erasure of open)
          await anonymiseEvents(tx, profile, erasure, eventIds, { now: clock.now(), identityPepper })
      })
    if (last === null) return
    await queries.saveProgress(db, { profileId, ids, cursor: last })
    after = last
  }
}

/** The least advanced position of all erasures; an erasure that has not started needs the scan from the beginning. */
function getSweepStart(open: readonly queries.ErasureRow[]) {
  const [first] = open.toSorted((a, b) => (a.swept_at?.getTime() ?? 0) - (b.swept_at?.getTime() ?? 0))
  if (first === undefined || open.some((erasure) => erasure.swept_at === null)) return null
  return { at: first.swept_at!, id: first.swept_id! }
}
