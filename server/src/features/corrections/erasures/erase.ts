/**
 * The work of an erasure. First, in one transaction under the profile's lock, everything that an index leads to: the
 * person's events become an anonymous person's and all that follows from them is derived again. Then all other events
 * are looked through, some at a time: one that left no trace of its visitor is found in no other way. Each step may be
 * repeated, so that a crash costs no more than the step.
 */
import { type KeyObject, randomUUID } from 'node:crypto'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { forgetInLogs } from '../../../platform/audit/forget.ts'
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
import { forgetClicks, withResolvedClicks } from '../../attribution/pipeline/resolved-clicks.ts'
import { forgetAppointments } from '../../facts/appointments/queries.ts'
import {
  listTraced,
  loadStoredEvents,
  ownerOf,
  storeAnonymous,
  sweepEvents,
} from '../../facts/events/erase.ts'
import { toAnonymous, withoutPerson } from '../../facts/events/erasure-rules.ts'
import { noHandover } from '../../facts/events/handover.ts'
import { hasWaiting, takeQueued } from '../../facts/events/queue.ts'
import type { StoredEvent, StoredTouch } from '../../facts/events/stored.ts'
import { forgetAgents } from '../../facts/events/user-agents.ts'
import { ERASED_KIND, loadMembers } from '../../facts/identity/members.ts'
import { dropForgotten, findCustomer, saveIdentifiers } from '../../facts/identity/resolve.ts'
import { forgetFacts } from '../../facts/restatements/save-forgotten.ts'
import { forgetInAudiences } from '../../outgoing/exports/audiences/erased-job.ts'
import { forgetOutcomes, sweepOutcomes } from '../../outgoing/webhooks/forget.ts'
import { forgetAnswers as forgetLeadAnswers } from '../../sources/connections/record-queries.ts'
import { forgetDeclared } from '../../sources/declared-sources/queries.ts'
import { forgetMerges } from '../identity-review/merges.ts'
import { forgetReasons, replacePayers } from '../payments/queries.ts'
import * as queries from './queries.ts'

const SWEPT_AT_ONCE = 20_000

export type Parts = { db: Db; clock: Clock; log: Log; keyring: Keyring; identityPepper: KeyObject }

/** All that waits; what is requested meanwhile has a job of its own. */
export async function eraseWaiting(parts: Parts, profileId: string, signal?: AbortSignal): Promise<void> {
  for (const { id } of await queries.listOpen(parts.db, { profileId, state: 'pending' }))
    await inTransaction(parts.db, (tx) => erasePerson(tx, profileId, id, parts))
  const open = await queries.listOpen(parts.db, { profileId, state: 'sweeping' })
  if (open.length === 0) return
  await sweep(parts, profileId, open, signal)
  if (signal?.aborted) return
  const profile = await findProfileRef(parts.db, { profileId })
  for (const erasure of open)
    await inTransaction(parts.db, async (tx) => {
      const now = parts.clock.now()
      await sweepOutcomes(tx, {
        profileId,
        erasedAs: erasure.erased_as,
        identifierIds: erasure.identifier_ids!,
      })
      if (!(await queries.complete(tx, { profileId, id: erasure.id, now }))) return
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
  { clock, log, keyring, identityPepper }: Parts,
): Promise<void> {
  const now = clock.now()
  const run = { now, log, identityPepper }
  await lockProfile(tx, profileId)
  await lookUpByKeys(tx)
  const erasure = await queries.findErasure(tx, { profileIds: [profileId], id: erasureId })
  if (erasure?.state !== 'pending') return
  const profile = await loadAttributionProfile(tx, profileId)
  await workOff(tx, profile, erasure.requested_at, run)
  const customerId = await findCustomer(tx, profileId, erasure.customer_id!)
  const identifierIds =
    customerId === undefined ? [] : [...(await loadMembers(tx, profileId, [customerId])).keys()]
  await forgetInAudiences(tx, { profileId, customerId, identifierIds, keyring, now })
  const { erased_as: erasedAs } = erasure
  await saveIdentifiers(tx, profileId, [{ id: erasedAs, kind: ERASED_KIND }])
  await queries.forgetAnswers(tx, profileId)
  await forgetMerges(tx, profile, identifierIds, now)
  const paid = await replacePayers(tx, { profileId, identifierIds, payerId: erasedAs })
  const traced = await listTraced(tx, profileId, identifierIds)
  await takePersonOut(tx, profile, { ...erasure, identifier_ids: identifierIds }, [...traced, ...paid], run)
  await dropForgotten(tx, profileId, [erasedAs, ...identifierIds])
  await queries.moveMark(tx, { profileId, erasure, identifierIds })
  const workspace = await findProfileRef(tx, { profileId })
  if (workspace !== undefined)
    await forgetInLogs(tx, { profileId, workspaceId: workspace.workspaceId, identifierIds, erasedAs })
  await queries.startSweep(tx, { profileId, id: erasure.id, identifierIds })
}

/** Who belongs together is known only once everything received before the request was read. */
async function workOff(
  tx: Tx,
  profile: AttributionProfile,
  until: Date,
  run: Run & { log: Log },
): Promise<void> {
  const { profileId } = profile
  while (await hasWaiting(tx, { profileId, until })) {
    const taken = await takeQueued(tx, { profileId, limit: BATCH, handover: noHandover })
    await processOrSetAside(tx, profile, latestOnly(taken), run)
  }
}

/** Whether the click of a record repeats another touch of the person. */
async function echoesOf(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<(event: StoredEvent) => boolean> {
  const person = identifierIds[0] ?? ''
  const members = new Map(identifierIds.map((id) => [id, person]))
  const touches = await loadTouches(tx, profileId, members, new Set([person]))
  const held = new Set(touches.map((touch) => touch.id))
  return (event) => event.body.touch?.reported === true && !held.has(event.id)
}

function keptSourceIn({ channelOverrides }: AttributionProfile) {
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

/** The caller holds the profile's lock. Events of others are only derived again, since their payer may have changed. */
async function takePersonOut(
  tx: Tx,
  profile: AttributionProfile,
  erasure: queries.ErasureRow,
  eventIds: readonly string[],
  run: Run,
): Promise<void> {
  const { profileId } = profile
  const { erased_as: erasedAs } = erasure
  const person = new Set(erasure.identifier_ids)
  const isTheirs = (event: StoredEvent) =>
    person.has(ownerOf(event)) && event.receivedAt <= erasure.requested_at
  const events = await loadStoredEvents(tx, profileId, [...new Set(eventIds)])
  const theirs = events.filter(isTheirs)
  const subjects = new Map<string, string>()
  const subjectOf = (ref: string) => {
    if (!subjects.has(ref)) subjects.set(ref, randomUUID())
    return subjects.get(ref)!
  }
  const isEcho = await echoesOf(tx, profileId, [...person])
  const resolved = await withResolvedClicks(tx, profileId, theirs)
  const anonymous = theirs.map((stored) => {
    const event = resolved.get(stored.id) ?? stored
    // Without the click nothing shows an echo from a touch any more, so that an echo stays none.
    const { touch: _, ...silent } = event.body
    const body = isEcho(event) ? silent : event.body
    return withoutPerson(
      event,
      toAnonymous(body, erasedAs, { subjectOf, keptSourceOf: keptSourceIn(profile) }),
    )
  })
  const ids = theirs.map((event) => event.id)
  await queries.addCounts(tx, {
    profileId,
    id: erasure.id,
    counts: { events: ids.length, ...(await queries.countFacts(tx, { profileId, eventIds: ids })) },
  })
  await storeAnonymous(tx, profileId, anonymous)
  const others = events.filter((event) => !isTheirs(event))
  await processEvents(
    tx,
    profile,
    [...anonymous, ...others].map((event) => ({ eventId: event.id, isUpdate: true, event })),
    run,
    { cause: 'erasure' },
  )
  await forgetReasons(tx, { profileId, paymentIds: ids })
  await forgetClicks(tx, { profileId, events: theirs })
  await forgetAgents(tx, { profileId, eventIds: ids })
  await forgetOutcomes(tx, { profileId, events: theirs, erasedAs })
  await forgetFacts(tx, { profileId, factIds: await queries.listFactIds(tx, { profileId, eventIds: ids }) })
  await forgetAppointments(tx, { profileId, identifierIds: [...person] })
  await forgetDeclared(tx, {
    profileId,
    identifierIds: [...person],
    orderRefs: theirs.flatMap((event) => event.body.order_ref ?? []),
  })
  await forgetLeadAnswers(tx, {
    profileId,
    leadgenIds: theirs.flatMap((event) => (event.source === 'integration' ? (event.externalId ?? []) : [])),
  })
}

/** One walk through the profile's events serves all erasures that wait for it. */
async function sweep(
  { db, clock, identityPepper }: Parts,
  profileId: string,
  open: readonly queries.ErasureRow[],
  signal?: AbortSignal,
): Promise<void> {
  const identifierIds = open.flatMap((erasure) => erasure.identifier_ids!)
  const ids = open.map((erasure) => erasure.id)
  for (let after = firstPlace(open); signal?.aborted !== true; ) {
    const { eventIds, last } = await sweepEvents(db, { profileId, after, identifierIds, most: SWEPT_AT_ONCE })
    if (eventIds.length > 0)
      await inTransaction(db, async (tx) => {
        await lockProfile(tx, profileId)
        await lookUpByKeys(tx)
        const profile = await loadAttributionProfile(tx, profileId)
        for (const erasure of open)
          await takePersonOut(tx, profile, erasure, eventIds, { now: clock.now(), identityPepper })
      })
    if (last === null) return
    await queries.saveProgress(db, { profileId, ids, place: last })
    after = last
  }
}

/** A new one has to begin at the beginning. */
function firstPlace(open: readonly queries.ErasureRow[]) {
  const [first] = open.toSorted((a, b) => (a.swept_at?.getTime() ?? 0) - (b.swept_at?.getTime() ?? 0))
  if (first === undefined || open.some((erasure) => erasure.swept_at === null)) return null
  return { at: first.swept_at!, id: first.swept_id! }
}
