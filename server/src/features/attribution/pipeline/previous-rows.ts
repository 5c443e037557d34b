/** What earlier versions of events made, read once, so that only what a later version makes otherwise is written. */
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

const nothing: PreviousRows = { conversions: [], payments: [], touches: [], links: [], traits: [] }

/** An entry without an event is looked up by its receipt, which its stored row still shows. */
export async function loadPreviousRows(tx: Tx, profileId: string, updated: readonly QueuedEvent[]): Promise<PreviousRows> {
  if (updated.length === 0) return nothing
  const eventIds = updated.map((entry) => entry.eventId)
  const gone = updated.flatMap(({ event, eventId }) => (event === null ? [eventId] : []))
  const receipts = [
    ...updated.flatMap(({ event }) => (event === null ? [] : { id: event.id, receivedAt: event.receivedAt })),
    ...(await loadReceipts(tx, profileId, gone)),
  ]
  return {
    conversions: await loadConversionsOf(tx, profileId, receipts),
    payments: await loadPaymentsOf(tx, profileId, eventIds),
    touches: await loadTouchesOf(tx, profileId, receipts),
    links: await loadLinksOf(tx, profileId, eventIds),
    traits: await loadTraitsOf(tx, profileId, eventIds),
  }
}

/** Whose it was. */
export function ownerIds({ conversions, payments, touches }: PreviousRows): string[] {
  return [...new Set([...conversions, ...payments, ...touches].map((row) => row.identifierId))]
}

/** `added` is not stored, `replaced` is, in another form, `gone` is what nothing represents any more. */
export type RowChange<Row> = { added: Row[]; replaced: Row[]; gone: Row[] }

export function changedConversions(
  stored: readonly ConversionWrite[],
  later: readonly ConversionWrite[],
): RowChange<ConversionWrite> {
  const storedById = new Map(stored.map((row) => [row.id, row]))
  const kept = new Set(later.map((row) => row.id))
  const change: RowChange<ConversionWrite> = {
    added: [],
    replaced: [],
    gone: stored.filter((row) => !kept.has(row.id)),
  }
  for (const row of later) {
    const before = storedById.get(row.id)
    if (before === undefined) change.added.push(row)
    else if (!isSame(before, row)) change.replaced.push(row)
  }
  return change
}

/** One touch an event: `later` of those events whose touch is another one, and what is stored of them. */
export function changedTouches(
  stored: readonly TouchRow[],
  later: readonly TouchRow[],
  updated: ReadonlySet<string>,
): { added: TouchRow[]; stored: TouchRow[]; later: TouchRow[] } {
  const laterById = new Map(later.map((row) => [row.id, row]))
  const same = new Set<string>()
  for (const row of stored) {
    const own = laterById.get(row.id)
    if (own !== undefined && isSame(row, own)) same.add(row.id)
  }
  return {
    added: later.filter((row) => !updated.has(row.id)),
    stored: stored.filter((row) => !same.has(row.id)),
    later: later.filter((row) => updated.has(row.id) && !same.has(row.id)),
  }
}

/** Rows of which an event makes several: `eventIds` of those that make others than are stored. */
export function changedRows<Row extends { eventId: string }>(
  stored: readonly Row[],
  later: readonly Row[],
  updated: ReadonlySet<string>,
  serialize: (row: Row) => string,
): { eventIds: string[]; removed: Row[]; added: Row[] } {
  const [before, after] = [stored, later].map((rows) => Map.groupBy(rows, (row) => row.eventId))
  const serializeAll = (rows: readonly Row[] | undefined) => (rows ?? []).map(serialize).sort().join('\n')
  const eventIds = new Set<string>()
  for (const id of updated) if (serializeAll(before!.get(id)) !== serializeAll(after!.get(id))) eventIds.add(id)
  return {
    eventIds: [...eventIds],
    removed: stored.filter((row) => eventIds.has(row.eventId)),
    added: later.filter((row) => eventIds.has(row.eventId) || !updated.has(row.eventId)),
  }
}

export const serializeLink = (row: LinkRow) => `${row.weakId} ${row.strongId} ${row.observedAt.getTime()}`
export const serializeTrait = (row: TraitRow) =>
  JSON.stringify([row.identifierId, row.trait, row.value, row.observedAt.getTime()])

/** By the members that a stored row has. */
function isSame<Row extends object>(stored: Row, later: Row): boolean {
  for (const name in stored) {
    const [a, b] = [stored[name] ?? null, later[name] ?? null]
    if (a !== b && !(a instanceof Date && b instanceof Date && a.getTime() === b.getTime())) return false
  }
  return true
}
