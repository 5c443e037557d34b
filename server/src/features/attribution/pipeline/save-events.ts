/** Writes the rows derived from a part of a batch: identifiers, links, traits, touches, conversions and payments. */
import type { KeyObject } from 'node:crypto'
import { identifierKinds } from '@whence/engine'
import { isAmount } from '../../../platform/contract/money.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { pipelineWrites } from '../../../platform/db/pipelining.ts'
import { addConsentCounts, consentCountsOf } from '../../facts/consents/daily.ts'
import { statementsOf } from '../../facts/consents/rules.ts'
import { saveStatements, withdrawStatements } from '../../facts/consents/statements.ts'
import {
  type DerivedOutcomes,
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
  loadPreviousRows,
  ownerIds,
  type PreviousRows,
  type RowChange,
  serializeLink,
  serializeTrait,
} from './previous-rows.ts'
import { applyWaitingRefunds, recalculateRefunds } from './refunds.ts'
import { saveReportedRefunds } from './reported-refunds.ts'
import { removeTraits, saveTraits, type TraitRow, traitsOf } from './traits.ts'

/** An event with its strongest identifier, which its rows belong to. */
export type IdentifiedEvent = { event: StoredEvent; identifierId: string; kind: number }

/** Accumulates the results of all parts of a batch. */
export class BatchResult {
  readonly events: IdentifiedEvent[] = []
  readonly links: LinkRow[] = []
  readonly touches: TouchRow[] = []
  readonly conversions: ConversionWrite[] = []
  readonly payments: DerivedPayment[] = []
  readonly newIdentifiers: string[] = []
  /** Customer of each identifier before the links of this batch. */
  readonly previousCustomerOf = new Map<string, string>()
  /** Identifiers that the merchant assigned payments to. */
  readonly assignedPayers: string[] = []
  /** Identifiers that rows of earlier versions of the events belonged to. */
  readonly previousOwners: string[] = []
  /** Identifiers whose ad touches may have changed. */
  readonly reachIdentifiers: string[] = []
  readonly removedTouches: TouchRow[] = []
  readonly removedLinks: LinkRow[] = []
  /** Identifiers that lost a link or trait of an earlier version of an event. */
  readonly previousIdentifiers: string[] = []
  /** Conversions of earlier versions that are no longer derived. */
  readonly deletedIds: string[] = []
  /** Identifiers of people who refuse to be part of ads. */
  readonly refusedIdentifiers: string[] = []
  /** Payments whose refunds changed; they may belong to customers without an event in the batch. */
  readonly refundedPayments: string[] = []
  /** Events that are not counted because their amount is too large. */
  readonly setAside: SetAside[] = []
  /** Identifiers that are stored or about to be, so that no two parts of a batch insert the same one. */
  readonly savedIdentifiers = new Set<string>()

  addIdentifiers({ fresh, known }: SavedIdentifiers): void {
    for (const { id, customer_id } of known) this.previousCustomerOf.set(id, customer_id)
    for (const id of fresh) this.previousCustomerOf.set(id, id)
    this.newIdentifiers.push(...fresh)
  }

  add(part: Outcomes & { before: PreviousRows; change: Change }): void {
    const { events, before } = part
    const { conversions, touches, links, traits } = part.change
    this.events.push(...events)
    this.conversions.push(...part.conversions)
    this.payments.push(...part.payments)
    this.links.push(...links.added)
    this.touches.push(...touches.later)
    this.removedTouches.push(...touches.stored)
    this.removedLinks.push(...links.removed)
    this.deletedIds.push(...conversions.gone.map((row) => row.id))
    this.previousOwners.push(...ownerIds(before))
    this.reachIdentifiers.push(
      ...[...touches.added, ...touches.later].flatMap((row) => (row.ad_id ? row.identifierId : [])),
      ...touches.stored.map((row) => row.identifierId),
    )
    this.previousIdentifiers.push(
      ...links.removed.flatMap(sidesOf),
      ...traits.removed.map((row) => row.identifierId),
    )
  }
}

/** Changes of a part of a batch. */
type Change = {
  conversions: RowChange<ConversionWrite>
  touches: { added: TouchRow[]; stored: TouchRow[]; later: TouchRow[] }
  links: { removed: LinkRow[]; added: LinkRow[] }
  traits: { removed: TraitRow[] }
}

/** The goals, and which events are excluded from counting. */
type Rules = { goals: readonly Goal[]; exclusionOf(event: StoredEvent): Exclusion; pepper: KeyObject }

/** The caller holds the profile's lock. */
export async function saveEvents(
  tx: Tx,
  profile: AttributionProfile,
  rules: Rules,
  entries: readonly QueuedEvent[],
  result: BatchResult,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const updates = entries.filter((entry) => entry.isUpdate)
  const before = await loadPreviousRows(tx, profileId, updates)
  const areAllNew = updates.length === 0
  const updated = new Set(updates.map((entry) => entry.eventId))
  const identified = entries.flatMap((entry) =>
    entry.event === null || entry.event.isBot ? [] : [identifyEvent(entry.event)],
  )
  const { events, conversions, payments } = await deriveAll(
    tx,
    profile,
    rules,
    identified,
    { updated, before },
    result,
  )
  const change = {
    conversions: changedConversions(before.conversions, conversions),
    touches: changedTouches(before.touches, events.flatMap(touchOf), updated),
    links: changedRows(before.links, events.flatMap(linksOf), updated, serializeLink),
    traits: changedRows(before.traits, events.flatMap(traitsOf), updated, serializeTrait),
  }
  const statements = events.flatMap(({ event }) => statementsOf(event))
  result.refusedIdentifiers.push(
    ...statements.flatMap((row) => (row.state === 'denied' ? row.identifierId : [])),
  )
  const owners = new Set([...conversions, ...payments].map((row) => row.identifierId))
  const identifiers = missingIdentifiers(
    events.filter((event) => isIdentifierNeeded(event, owners)),
    result.savedIdentifiers,
  )
  result.add({ events, conversions, payments, before, change })
  await pipelineWrites(
    async () => result.addIdentifiers(await saveIdentifiers(tx, profileId, identifiers)),
    async () => {
      const { gone, added, replaced } = change.conversions
      await deleteConversions(
        tx,
        profileId,
        gone.map((row) => row.id),
      )
      await (areAllNew ? addConversions : saveConversions)(tx, profileId, added)
      await replaceConversions(tx, profileId, replaced)
    },
    async () => {
      result.touches.push(
        ...(await (areAllNew ? addTouches : addMissingTouches)(tx, profileId, change.touches.added)),
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
      await indexNames(tx, { profileId, pepper: rules.pepper }, change.traits)
    },
    async () => {
      await withdrawStatements(tx, profileId, {
        // Retention removed what a settled event stated.
        eventIds: updates.flatMap(({ event, eventId }) => (event?.body.settled ? [] : eventId)),
        identifierIds: [
          ...ownerIds(before),
          ...before.traits.map((row) => row.identifierId),
          ...events.flatMap(identifierIdsOf),
          ...before.links.flatMap(sidesOf),
        ],
        current: statements,
      })
      await saveStatements(tx, profileId, statements)
      await addConsentCounts(
        tx,
        profileId,
        events.flatMap(({ event }) =>
          updated.has(event.id) ? [] : consentCountsOf(event, localDay(event.occurredAt, profile.timezone)),
        ),
      )
    },
    async () => {
      const paymentIds = new Set(payments.map(({ id }) => id))
      const removedIds = before.payments.flatMap(({ id }) => (paymentIds.has(id) ? [] : [id]))
      await deletePayments(tx, profileId, removedIds)
      await savePayments(tx, profileId, payments)
      await applyWaitingRefunds(tx, profile, payments, now)
      const refunded = await saveReportedRefunds(
        tx,
        profile,
        {
          events: events.map(({ event }) => event),
          updatedIds: [...updated],
          paymentIds: [...paymentIds],
          removedPaymentIds: removedIds,
        },
        now,
      )
      result.refundedPayments.push(...refunded)
      // An updated payment may be less than its refunds or in another currency.
      if (updated.size > 0) await recalculateRefunds(tx, profile, [...paymentIds])
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

/** Skips identifiers that carry no touch, trait or outcome: no query can reach them. */
function isIdentifierNeeded({ event, identifierId }: IdentifiedEvent, owners: ReadonlySet<string>): boolean {
  const { identifiers, touch, traits } = event.body
  return identifiers.length > 1 || touch !== undefined || traits !== undefined || owners.has(identifierId)
}

/** Identifiers of the events that are not in `saved`, which they are added to. */
function missingIdentifiers(events: readonly IdentifiedEvent[], saved: Set<string>): IdentifierRow[] {
  const rows: IdentifierRow[] = []
  const add = (id: string, kind: number) => {
    if (saved.has(id)) return
    saved.add(id)
    rows.push({ id, kind })
  }
  for (const { event, identifierId, kind } of events) {
    add(identifierId, kind)
    for (const identifier of event.body.identifiers)
      add(identifier.id, identifierKinds.indexOf(identifier.kind))
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
    byToken: event.body.evidence !== undefined,
  }))
}

const identifierIdsOf = ({ event }: IdentifiedEvent) => event.body.identifiers.map(({ id }) => id)
const sidesOf = (link: LinkRow) => [link.weakId, link.strongId]

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

type Outcomes = { events: IdentifiedEvent[]; conversions: ConversionWrite[]; payments: DerivedPayment[] }

/** Events that are derived again keep the ids of their conversions and the payers that the merchant assigned. */
function keepPrevious(before: PreviousRows, payers: ReadonlyMap<string, string>) {
  const ids = new Map(before.conversions.map((row) => [`${row.eventId} ${row.goalId}`, row.id]))
  return ({ conversions, payment }: DerivedOutcomes): DerivedOutcomes => ({
    payment,
    conversions: conversions.map((row) => ({
      ...row,
      id: ids.get(`${row.eventId} ${row.goalId}`) ?? row.id,
      // The merchant assigns the payer of a payment. If the event currently is none, the assignment is kept but unused.
      identifierId: (payment === null ? undefined : payers.get(row.eventId)) ?? row.identifierId,
    })),
  })
}

/** Derives conversions and payments from the events. */
async function deriveAll(
  tx: Tx,
  profile: AttributionProfile,
  rules: Rules,
  identified: readonly IdentifiedEvent[],
  previous: { updated: ReadonlySet<string>; before: PreviousRows },
  result: BatchResult,
): Promise<Outcomes> {
  const payers = await loadPayers(tx, profile.profileId, [...previous.updated])
  result.assignedPayers.push(...payers.values())
  const withPrevious = keepPrevious(previous.before, payers)
  const derived = identified.map(({ event, identifierId }) => {
    const outcomes = deriveOutcomes(event, identifierId, rules.goals, rules.exclusionOf(event))
    return previous.updated.has(event.id) ? withPrevious(outcomes) : outcomes
  })
  return withinLimit(await convertAll(tx, profile, identified, derived), result)
}

type Converted = { source: IdentifiedEvent; conversions: ConversionWrite[]; payment: DerivedPayment | null }

/** Adds the day and the amount in the report currency to the conversions. */
async function convertAll(
  tx: Tx,
  profile: AttributionProfile,
  identified: readonly IdentifiedEvent[],
  derived: readonly DerivedOutcomes[],
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
    source: identified[at]!,
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

/** Ingest rejects amounts that are too large in their own currency; this checks the amount in the report currency. */
function withinLimit(all: readonly Converted[], result: BatchResult): Outcomes {
  const accepted: Converted[] = []
  for (const converted of all) {
    const { conversions, payment, source } = converted
    const isWithin =
      (payment === null || isAmount(payment.valueMinor)) &&
      conversions.every((row) => isAmount(row.valueMinor ?? 0) && isAmount(row.reportValueMinor ?? 0))
    if (isWithin) accepted.push(converted)
    else
      result.setAside.push({
        eventId: source.event.id,
        reason: 'amount_too_large',
        detail: 'The amount, or the amount in the report currency, exceeds the limit.',
      })
  }
  return {
    events: accepted.map(({ source }) => source),
    conversions: accepted.flatMap((entry) => entry.conversions),
    payments: accepted.flatMap((entry) => entry.payment ?? []),
  }
}
