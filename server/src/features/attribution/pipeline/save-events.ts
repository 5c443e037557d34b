/** Writes what some events of a batch hold: identifiers, links, traits, touches, conversions and payments. */
import type { KeyObject } from 'node:crypto'
import { identifierKinds } from '@whence/engine'
import { isAmount } from '../../../platform/contract/money.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { together } from '../../../platform/db/together.ts'
import {
  type Derived,
  type DerivedPayment,
  deriveOutcomes,
  type Goal,
} from '../../facts/conversions/derive.ts'
import type { Exclusion } from '../../facts/conversions/exclusion.ts'
import {
  addConversions,
  type ConversionWrite,
  deleteConversions,
  deletePayments,
  loadPayers,
  replaceConversions,
  saveConversions,
  savePayments,
} from '../../facts/conversions/queries.ts'
import type { SetAside } from '../../facts/events/quarantine.ts'
import type { QueuedEvent } from '../../facts/events/queue.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'
import { loadRates } from '../../facts/fx/rates.ts'
import { ERASED_KIND, UNKNOWN_KIND } from '../../facts/identity/members.ts'
import {
  type IdentifierRow,
  type LinkRow,
  removeLinks,
  type SavedIdentifiers,
  saveIdentifiers,
  saveLinks,
} from '../../facts/identity/resolve.ts'
import { indexNames } from '../../facts/identity/save-names.ts'
import type { AttributionProfile } from '../crediting/settings.ts'
import { addMissingTouches, addTouches, replaceTouches, type TouchRow } from '../crediting/touches.ts'
import {
  changedConversions,
  changedRows,
  changedTouches,
  serializeLink,
  loadPreviousRows,
  type PreviousRows,
  ownerIds,
  type RowChange,
  serializeTrait,
} from './previous-rows.ts'
import { recalculateRefunds, applyWaitingRefunds } from './refunds.ts'
import { removeTraits, saveTraits, type TraitRow, traitsOf } from './traits.ts'

export type IdentifiedEvent = { event: StoredEvent; identifierId: string; kind: number }

/** What the events of a batch came to so far. */
export class BatchResult {
  readonly reads: IdentifiedEvent[] = []
  readonly links: LinkRow[] = []
  readonly touches: TouchRow[] = []
  readonly conversions: ConversionWrite[] = []
  readonly payments: DerivedPayment[] = []
  /** Identifiers that are new. */
  readonly fresh: string[] = []
  /** Whose the identifiers that the events name were, before the events' links. */
  readonly customerBefore = new Map<string, string>()
  /** Whose payments the merchant assigned. */
  readonly assigned: string[] = []
  /** Who had what earlier versions of the events made. */
  readonly ownersBefore: string[] = []
  /** Whose ads may have changed. */
  readonly reached: string[] = []
  readonly removedTouches: TouchRow[] = []
  readonly removedLinks: LinkRow[] = []
  /** People about which earlier versions reported something that the newest does not. */
  readonly namedBefore: string[] = []
  /** Conversions that the events made before and make no more. */
  readonly deletedIds: string[] = []
  /** Events that count for nothing, because their amount is more than one may be. */
  readonly setAside: SetAside[] = []
  /** Identifiers that are stored or about to be: no two parts of a batch add the same. */
  readonly named = new Set<string>()

  addIdentifiers({ fresh, known }: SavedIdentifiers): void {
    for (const { id, customer_id } of known) this.customerBefore.set(id, customer_id)
    for (const id of fresh) this.customerBefore.set(id, id)
    this.fresh.push(...fresh)
  }

  add(part: Outcomes & { before: PreviousRows; change: Change }): void {
    const { reads, before } = part
    const { conversions, touches, links, traits } = part.change
    this.reads.push(...reads)
    this.conversions.push(...part.conversions)
    this.payments.push(...part.payments)
    this.links.push(...links.added)
    this.touches.push(...touches.later)
    this.removedTouches.push(...touches.stored)
    this.removedLinks.push(...links.removed)
    this.deletedIds.push(...conversions.gone.map((row) => row.id))
    this.ownersBefore.push(...ownerIds(before))
    this.reached.push(
      ...[...touches.added, ...touches.later].flatMap((row) => (row.ad_id ? row.identifierId : [])),
      ...touches.stored.map((row) => row.identifierId),
    )
    this.namedBefore.push(
      ...links.removed.flatMap((row) => [row.weakId, row.strongId]),
      ...traits.removed.map((row) => row.identifierId),
    )
  }
}

/** What a part of a batch changes. */
type Change = {
  conversions: RowChange<ConversionWrite>
  touches: { added: TouchRow[]; stored: TouchRow[]; later: TouchRow[] }
  links: { removed: LinkRow[]; added: LinkRow[] }
  traits: { removed: TraitRow[] }
}

/** What events mean, and which of them count. */
type Setting = { goals: readonly Goal[]; exclusionOf(event: StoredEvent): Exclusion; pepper: KeyObject }

/** The caller holds the profile's lock. */
export async function saveEvents(
  tx: Tx,
  profile: AttributionProfile,
  setting: Setting,
  entries: readonly QueuedEvent[],
  saved: BatchResult,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const again = entries.filter((entry) => entry.isUpdate)
  const before = await loadPreviousRows(tx, profileId, again)
  const isFirst = again.length === 0
  const updated = new Set(again.map((entry) => entry.eventId))
  const allReads = entries.flatMap((entry) =>
    entry.event === null || entry.event.isBot ? [] : [identifyEvent(entry.event)],
  )
  const { reads, conversions, payments } = await deriveAll(
    tx,
    profile,
    setting,
    allReads,
    { updated, before },
    saved,
  )
  const change = {
    conversions: changedConversions(before.conversions, conversions),
    touches: changedTouches(before.touches, reads.flatMap(touchOf), updated),
    links: changedRows(before.links, reads.flatMap(linksOf), updated, serializeLink),
    traits: changedRows(before.traits, reads.flatMap(traitsOf), updated, serializeTrait),
  }
  const owners = new Set([...conversions, ...payments].map((row) => row.identifierId))
  const identifiers = newlyNamed(
    reads.filter((read) => leavesTrace(read, owners)),
    saved.named,
  )
  saved.add({ reads, conversions, payments, before, change })
  await together(
    async () => saved.addIdentifiers(await saveIdentifiers(tx, profileId, identifiers)),
    async () => {
      const { gone, added, replaced } = change.conversions
      await deleteConversions(
        tx,
        profileId,
        gone.map((row) => row.id),
      )
      await (isFirst ? addConversions : saveConversions)(tx, profileId, added)
      await replaceConversions(tx, profileId, replaced)
    },
    async () => {
      saved.touches.push(
        ...(await (isFirst ? addTouches : addMissingTouches)(tx, profileId, change.touches.added)),
      )
      await replaceTouches(tx, profileId, change.touches)
    },
    async () => {
      await removeLinks(tx, profileId, change.links.eventIds)
      await saveLinks(tx, profileId, change.links.added)
    },
    async () => {
      await removeTraits(tx, profileId, change.traits.eventIds)
      await saveTraits(tx, profileId, change.traits.added)
      await indexNames(tx, { profileId, pepper: setting.pepper }, change.traits)
    },
    async () => {
      const paid = new Set(payments.map(({ id }) => id))
      const unpaid = before.payments.flatMap(({ id }) => (paid.has(id) ? [] : [id]))
      await deletePayments(tx, profileId, unpaid)
      await savePayments(tx, profileId, payments)
      await applyWaitingRefunds(tx, profile, payments, now)
      // A payment that was reported again may be less than what was given back, or in another currency.
      if (updated.size > 0) await recalculateRefunds(tx, profile, [...paid])
    },
  )
}

function identifyEvent(event: StoredEvent): IdentifiedEvent {
  const { erased_as: erasedAs } = event.body
  if (erasedAs !== undefined) return { event, identifierId: erasedAs, kind: ERASED_KIND }
  const strongest = event.body.identifiers[0]
  if (strongest === undefined) return { event, identifierId: event.id, kind: UNKNOWN_KIND }
  return { event, identifierId: strongest.id, kind: identifierKinds.indexOf(strongest.kind) }
}

/** Skip identifiers that carry no touch, trait or outcome: no query can reach them. */
function leavesTrace({ event, identifierId }: IdentifiedEvent, owners: ReadonlySet<string>): boolean {
  const { identifiers, touch, traits } = event.body
  return identifiers.length > 1 || touch !== undefined || traits !== undefined || owners.has(identifierId)
}

function newlyNamed(reads: readonly IdentifiedEvent[], named: Set<string>): IdentifierRow[] {
  const rows: IdentifierRow[] = []
  const add = (id: string, kind: number) => {
    if (named.has(id)) return
    named.add(id)
    rows.push({ id, kind })
  }
  for (const { event, identifierId, kind } of reads) {
    add(identifierId, kind)
    for (const other of event.body.identifiers) add(other.id, identifierKinds.indexOf(other.kind))
  }
  return rows
}

function linksOf({ event, identifierId, kind }: IdentifiedEvent): LinkRow[] {
  return event.body.identifiers.slice(1).map((weak) => ({
    weakId: weak.id,
    weakKind: identifierKinds.indexOf(weak.kind),
    strongId: identifierId,
    strongKind: kind,
    eventId: event.id,
    observedAt: event.occurredAt,
    byToken: event.body.evidence === 'link_token',
  }))
}

function touchOf({ event, identifierId }: IdentifiedEvent): TouchRow[] {
  const { touch } = event.body
  if (touch === undefined) return []
  return [
    {
      ...touch,
      id: event.id,
      identifierId,
      occurredAt: touch.at === undefined ? event.occurredAt : new Date(touch.at),
      recordedAt: event.receivedAt,
      reportedAt: touch.reported === true ? event.occurredAt : null,
    },
  ]
}

type Outcomes = { reads: IdentifiedEvent[]; conversions: ConversionWrite[]; payments: DerivedPayment[] }

/** What stays of events that are derived again: the ids of their conversions, and the payers that the merchant assigned. */
function archiveModel(before: PreviousRows, payers: ReadonlyMap<string, string>) {
  const ids = new Map(before.conversions.map((row) => [`${row.eventId} ${row.goalId}`, row.id]))
  return ({ conversions, payment }: Derived): Derived => ({
    payment,
    conversions: conversions.map((row) => ({
      ...row,
      id: ids.get(`${row.eventId} ${row.goalId}`) ?? row.id,
      // The merchant's word is about a payment; where the event is none at the moment, it waits.
      identifierId: (payment === null ? undefined : payers.get(row.eventId)) ?? row.identifierId,
    })),
  })
}

/** What the events come to. */
async function deriveAll(
  tx: Tx,
  profile: AttributionProfile,
  setting: Setting,
  allReads: readonly IdentifiedEvent[],
  earlier: { updated: ReadonlySet<string>; before: PreviousRows },
  saved: BatchResult,
): Promise<Outcomes> {
  const payers = await loadPayers(tx, profile.profileId, [...earlier.updated])
  saved.assigned.push(...payers.values())
  const keep = archiveModel(earlier.before, payers)
  const derived = allReads.map((read) => {
    const exclusion = setting.exclusionOf(read.event)
    const outcomes = deriveOutcomes(read.event, read.identifierId, setting.goals, exclusion)
    return earlier.updated.has(read.event.id) ? keep(outcomes) : outcomes
  })
  return withinLimit(await convertAll(tx, profile, allReads, derived), saved)
}

type Converted = { read: IdentifiedEvent; conversions: ConversionWrite[]; payment: DerivedPayment | null }

/** The conversions with their day and their amount in the report currency. */
async function convertAll(
  tx: Tx,
  profile: AttributionProfile,
  allReads: readonly IdentifiedEvent[],
  derived: readonly Derived[],
): Promise<Converted[]> {
  const dayOf = (row: { occurredAt: Date }) => localDay(row.occurredAt, profile.timezone)
  const rates = await loadRates(
    tx,
    derived.flatMap(({ conversions }) =>
      conversions.flatMap((row) =>
        row.currency === null ? [] : [{ currency: row.currency, day: dayOf(row) }],
      ),
    ),
    profile.currency,
    profile.profileId,
  )
  return derived.map(({ conversions, payment }, at) => ({
    read: allReads[at]!,
    payment,
    conversions: conversions.map((row) => {
      const day = dayOf(row)
      const reportValueMinor =
        row.valueMinor === null || row.currency === null
          ? null
          : (rates.convert(row.valueMinor, row.currency, profile.currency, day) ?? null)
      return { ...row, day, reportValueMinor }
    }),
  }))
}

/** The edge refuses what is too large in its own currency; what becomes too large by conversion is found here. */
function withinLimit(all: readonly Converted[], saved: BatchResult): Outcomes {
  const kept: Converted[] = []
  for (const one of all) {
    const { conversions, payment, read } = one
    const isWithin =
      (payment === null || isAmount(payment.valueMinor)) &&
      conversions.every((row) => isAmount(row.valueMinor ?? 0) && isAmount(row.reportValueMinor ?? 0))
    if (isWithin) kept.push(one)
    else
      saved.setAside.push({
        eventId: read.event.id,
        reason: 'amount_too_large',
        detail: 'The amount, or the amount in the report currency, is larger than one may be.',
      })
  }
  return {
    reads: kept.map(({ read }) => read),
    conversions: kept.flatMap((one) => one.conversions),
    payments: kept.flatMap((one) => one.payment ?? []),
  }
}
