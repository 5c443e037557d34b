/** Rows derived from earlier versions of events, so that only rows that differ in the new version are written. */
import type { Tx } from '../../../platform/db/database.ts'
import type { DerivedPayment } from '../../facts/conversions/derive.ts'
import { type ConversionWrite, loadConversionsOf, loadPaymentsOf } from '../../facts/conversions/queries.ts'
import { loadReceipts } from '../../facts/events/derived-rows.ts'
import type { QueuedEvent } from '../../facts/events/queue.ts'
import { type LinkRow, loadLinksOf } from '../../facts/identity/resolve.ts'
import { loadTouchesOf, type TouchRow } from '../crediting/touches.ts'
import { loadTraitsOf, type TraitRow } from './traits.ts'

export type PreviousRows = {
  conversions: readonly ConversionWrite[]
  payments: readonly Pick<DerivedPayment, 'id' | 'identifierId'>[]
  touches: readonly TouchRow[]
  links: readonly LinkRow[]
  traits: readonly TraitRow[]
}

const noRows: PreviousRows = { conversions: [], payments: [], touches: [], links: [], traits: [] }

/** For entries without an event, the receipt (id and time) is read from the stored event. */
export async function loadPreviousRows(
  tx: Tx,
  profileId: string,
  updated: readonly QueuedEvent[],
): Promise<PreviousRows> {
  if (updated.length === 0) return noRows
  const eventIds = updated.map((entry) => entry.eventId)
  const removedIds = updated.flatMap(({ event, eventId }) => (event === null ? [eventId] : []))
  const receipts = [
    ...updated.flatMap(({ event }) => (event === null ? [] : { id: event.id, receivedAt: event.receivedAt })),
    ...(await loadReceipts(tx, profileId, removedIds)),
  ]
  return {
    conversions: await loadConversionsOf(tx, profileId, receipts),
    payments: await loadPaymentsOf(tx, profileId, eventIds),
    touches: await loadTouchesOf(tx, profileId, receipts),
    links: await loadLinksOf(tx, profileId, eventIds),
    traits: await loadTraitsOf(tx, profileId, eventIds),
  }
}

/** Identifiers that the rows belong to. */
export function ownerIds({ conversions, payments, touches }: PreviousRows): string[] {
  return [...new Set([...conversions, ...payments, ...touches].map((row) => row.identifierId))]
}

/** `added`: not stored yet. `replaced`: stored with other values. `gone`: stored, but no longer derived. */
export type RowChange<Row> = { added: Row[]; replaced: Row[]; gone: Row[] }

export function changedConversions(
  stored: readonly ConversionWrite[],
  later: readonly ConversionWrite[],
): RowChange<ConversionWrite> {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const laterIds = new Set(later.map((row) => row.id))
  const change: RowChange<ConversionWrite> = {
    added: [],
    replaced: [],
    gone: stored.filter((row) => !laterIds.has(row.id)),
  }
  for (const row of later) {
    const before = storedById.get(row.id)
    if (before === undefined) change.added.push(row)
    else if (!isSame(before, row)) change.replaced.push(row)
  }
  return change
}

/** An event has at most one touch. `later`: new touches of updated events; `stored`: the touches they replace. */
export function changedTouches(
  stored: readonly TouchRow[],
  later: readonly TouchRow[],
  updated: ReadonlySet<string>,
): { added: TouchRow[]; stored: TouchRow[]; later: TouchRow[] } {
  const laterById = new Map(later.map((row) => [row.id, row]))
  const unchangedIds = new Set<string>()
  for (const row of stored) {
    const newRow = laterById.get(row.id)
    if (newRow !== undefined && isSame(row, newRow)) unchangedIds.add(row.id)
  }
  return {
    added: later.filter((row) => !updated.has(row.id)),
    stored: stored.filter((row) => !unchangedIds.has(row.id)),
    later: later.filter((row) => updated.has(row.id) && !unchangedIds.has(row.id)),
  }
}

/** For rows of which an event derives several. `eventIds`: events whose derived rows differ from the stored ones. */
export function changedRows<Row extends { eventId: string }>(
  stored: readonly Row[],
  later: readonly Row[],
  updated: ReadonlySet<string>,
  serialize: (row: Row) => string,
): { eventIds: string[]; removed: Row[]; added: Row[] } {
  const [before, after] = [stored, later].map((rows) => Map.groupBy(rows, (row) => row.eventId))
  const serializeAll = (rows: readonly Row[] | undefined) => (rows ?? []).map(serialize).sort().join('\n')
  const eventIds = new Set<string>()
  for (const id of updated)
    if (serializeAll(before!.get(id)) !== serializeAll(after!.get(id))) eventIds.add(id)
  return {
    eventIds: [...eventIds],
    removed: stored.filter((row) => eventIds.has(row.eventId)),
    added: later.filter((row) => eventIds.has(row.eventId) || !updated.has(row.eventId)),
  }
}

export const serializeLink = (row: LinkRow) => `${row.weakId} ${row.strongId} ${row.observedAt.getTime()}`
export const serializeTrait = (row: TraitRow) =>
  JSON.stringify([row.identifierId, row.trait, row.value, row.observedAt.getTime()])

/** Compares the properties of the stored row. */
function isSame<Row extends object>(stored: Row, later: Row): boolean {
  for (const name in stored) {
    const [a, b] = [stored[name] ?? null, later[name] ?? null]
    if (a !== b && !(a instanceof Date && b instanceof Date && a.getTime() === b.getTime())) return false
  }
  return true
}
