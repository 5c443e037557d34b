/** Writes what some events of a batch hold: identifiers, links, traits, touches, conversions and payments. */
import { identifierKinds } from '@whence/engine'
import { isAmount } from '../../contract/money.ts'
import { localDay } from '../../contract/zones.ts'
import type { Tx } from '../../db/database.ts'
import { together } from '../../db/together.ts'
import type { AttributionProfile } from '../attribution/settings.ts'
import { addTouches, type TouchRow } from '../attribution/touches.ts'
import { type Derived, type DerivedPayment, deriveOutcomes, type Goal } from '../conversions/derive.ts'
import type { Exclusion } from '../conversions/exclusion.ts'
import {
  type ConversionWrite,
  deleteStale,
  loadConversionIds,
  loadPayers,
  saveConversions,
  savePayments,
} from '../conversions/queries.ts'
import type { SetAside } from '../events/quarantine.ts'
import type { QueuedEvent } from '../events/queue.ts'
import type { StoredEvent } from '../events/stored.ts'
import { loadRates } from '../fx/rates.ts'
import { ERASED_KIND, UNKNOWN_KIND } from '../identity/members.ts'
import { type IdentifierRow, type LinkRow, saveIdentifiers, saveLinks } from '../identity/resolve.ts'
import { settleRefunds, takeWaitingRefunds } from './refunds.ts'
import { saveTraits } from './traits.ts'

export type Read = { event: StoredEvent; identifierId: string; kind: number }

/** What the events of a batch came to so far. */
export class Saved {
  readonly reads: Read[] = []
  readonly links: LinkRow[] = []
  readonly touches: TouchRow[] = []
  readonly conversions: ConversionWrite[] = []
  readonly payments: DerivedPayment[] = []
  /** Identifiers that are new. */
  readonly fresh: string[] = []
  /** Whose conversions and payments went or were assigned by the merchant. */
  readonly assigned: string[] = []
  /** Conversions that the events made before and make no more. */
  readonly deletedIds: string[] = []
  /** Events that count for nothing, because their amount is more than one may be. */
  readonly setAside: SetAside[] = []
  /** Identifiers that are stored or about to be: no two parts of a batch add the same. */
  readonly named = new Set<string>()
}

/** What events mean, and which of them count. */
type Setting = { goals: readonly Goal[]; exclusionOf(event: StoredEvent): Exclusion }

/** The caller holds the profile's lock. */
export async function saveEvents(
  tx: Tx,
  profile: AttributionProfile,
  setting: Setting,
  entries: readonly QueuedEvent[],
  saved: Saved,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const updated = entries.filter((entry) => entry.isUpdate).map((entry) => entry.eventId)
  const told = entries.flatMap((entry) =>
    entry.event === null || entry.event.isBot ? [] : [toRead(entry.event)],
  )
  const { reads, conversions, payments } = await deriveAll(tx, profile, setting, told, updated, saved)
  const links = reads.flatMap(linksOf)
  const touches = reads.flatMap(touchOf)
  saved.reads.push(...reads)
  saved.links.push(...links)
  saved.conversions.push(...conversions)
  saved.payments.push(...payments)
  const owners = new Set([...conversions, ...payments].map((row) => row.identifierId))
  const identifiers = newlyNamed(
    reads.filter((read) => isTold(read, owners)),
    saved.named,
  )
  await together(
    async () => saved.fresh.push(...(await saveIdentifiers(tx, profileId, identifiers))),
    () => saveConversions(tx, profileId, conversions),
    async () => saved.touches.push(...(await addTouches(tx, profileId, touches))),
    () => saveLinks(tx, profileId, links),
    () => saveTraits(tx, profileId, reads),
    async () => {
      await savePayments(tx, profileId, payments)
      await takeWaitingRefunds(tx, profile, payments, now)
      // A payment that was reported again may be less than what was given back, or in another currency.
      if (updated.length > 0)
        await settleRefunds(
          tx,
          profile,
          payments.map(({ id }) => id),
        )
    },
  )
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

function newlyNamed(reads: readonly Read[], named: Set<string>): IdentifierRow[] {
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

function touchOf({ event, identifierId }: Read): TouchRow[] {
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

/** What stays of events that are derived again: the ids of their conversions, and the payers that the merchant assigned. */
async function loadEarlier(tx: Tx, profileId: string, eventIds: readonly string[]) {
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

type Outcomes = { reads: Read[]; conversions: ConversionWrite[]; payments: DerivedPayment[] }

/** What the events come to. Of those read again, what they no longer come to is deleted. */
async function deriveAll(
  tx: Tx,
  profile: AttributionProfile,
  setting: Setting,
  told: readonly Read[],
  updated: readonly string[],
  saved: Saved,
): Promise<Outcomes> {
  const { profileId } = profile
  const again = updated.length === 0 ? undefined : await loadEarlier(tx, profileId, updated)
  const derived = told.map((read) => {
    const outcomes = deriveOutcomes(
      read.event,
      read.identifierId,
      setting.goals,
      setting.exclusionOf(read.event),
    )
    return again === undefined ? outcomes : again.keep(outcomes)
  })
  const { reads, conversions, payments } = withinLimit(await convertAll(tx, profile, told, derived), saved)
  if (again !== undefined) {
    const stale = await deleteStale(tx, profileId, {
      eventIds: updated,
      keepConversions: conversions.map((row) => row.id),
      keepPayments: payments.map((row) => row.id),
    })
    saved.assigned.push(...stale.owners, ...again.payers)
    saved.deletedIds.push(...stale.conversionIds)
  }
  return { reads, conversions, payments }
}

type Converted = { read: Read; conversions: ConversionWrite[]; payment: DerivedPayment | null }

/** The conversions with their day and their amount in the report currency. */
async function convertAll(
  tx: Tx,
  profile: AttributionProfile,
  told: readonly Read[],
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
  )
  return derived.map(({ conversions, payment }, at) => ({
    read: told[at]!,
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
function withinLimit(all: readonly Converted[], saved: Saved): Outcomes {
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
