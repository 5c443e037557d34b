/** Pages of an entity's credited conversions and refunds, newest first; each page reads a bounded number of rows. */
import { models } from '@whence/engine'
import type { RawBuilder } from 'kysely'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { shareOf, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import type { WholeReason } from '../../attribution/crediting/credits/unattributed-reasons.ts'
import {
  AFTER_ALL,
  type CreditedDay,
  type CreditedRow,
  creditedConversions,
  creditedDays,
  creditedRefunds,
  findSliceEnds,
  type Instant,
  mayCreditPaths,
  type Position,
  pathsOfEntity,
  type RefundFacts,
  type Slice,
  type SliceWithEnd,
} from '../../figures/rollups/credited-conversions.ts'
import type { Snapshot } from '../../figures/snapshot/snapshot.ts'

/** The matching part of a conversion or of its refund; money is null without an exchange rate. */
export type Credited = {
  position: Position
  row: CreditedRow
  refund: RefundFacts | null
  /** The first path that has a part of it. */
  path: number
  weight: number
  total: number
  amountMinor: number | null
}
/** `next` is where the next page starts: everything newer has been read. */
export type Page = { entries: Credited[]; next: Position | null }

/** Added to the number of conversions that a day's share suggests, because the share is only an average. */
const SPARE = 50
/** Conversions, and as many refunds, examined per page. If the entity is rare among them, the page is short. */
export const MAX_EXAMINED = 20_000
const REFUND_BATCH = 1000
/** Replaces the path of credit without a touch. */
const NO_PATH = -1

type ReadScope = Pick<Snapshot, 'tx' | 'profileId' | 'scope'>

/** Which credit to list. */
export type CreditFilter = {
  /** Days with such credit under the model, newest first. */
  days: CreditedDay[]
  paths: ReadonlySet<number>
  /** Also conversions without a touch, if this is the reason; null: none of them. */
  withoutTouch: WholeReason | 'no_touch' | null
  /** SQL prefilter on conversions. May let others through; their credit is checked afterwards. */
  which: RawBuilder<unknown>
}
type Reader = ReadScope & { filter: CreditFilter }

export async function collectEntityCredits(
  readScope: ReadScope,
  entityId: string,
  from: Position | null,
  limit: number,
  maxExamined = MAX_EXAMINED,
): Promise<Page> {
  const { tx, profileId, scope } = readScope
  const [paths, days] = await pipelineReads(
    pathsOfEntity(tx, { profileId, entityId }),
    creditedDays(tx, { profileId, entityId, ...scope }),
  )
  if (paths.length === 0) return { entries: [], next: null }
  const filter = { days, paths: new Set(paths), withoutTouch: null, which: mayCreditPaths(paths) }
  return collectCredits(readScope, filter, from, limit, maxExamined)
}

export async function collectCredits(
  readScope: ReadScope,
  filter: CreditFilter,
  from: Position | null,
  limit: number,
  maxExamined = MAX_EXAMINED,
): Promise<Page> {
  const reader = { ...readScope, filter }
  const pages = await pipelineReads(
    readConversions(reader, from, limit, maxExamined),
    readRefunds(reader, from, limit, maxExamined),
  )
  return mergePages(pages, limit)
}

/** Merges by time. Entries older than the position at which any of the pages stopped reading are left to the next page. */
export function mergePages(pages: readonly Page[], limit: number): Page {
  const ends = pages.flatMap(({ next }) => next ?? []).sort(newestFirst)
  const end = ends[0] ?? null
  const entries = pages
    .flatMap((page) => page.entries)
    .filter(({ position }) => end === null || newestFirst(position, end) <= 0)
    .sort((a, b) => newestFirst(a.position, b.position))
  const last = entries[limit - 1]?.position
  if (last === undefined || entries.length === limit) return { entries, next: end }
  const pageEntries = entries.filter(({ position }) => newestFirst(position, last) <= 0)
  return pageEntries.length === entries.length ? { entries, next: end } : { entries: pageEntries, next: last }
}

function newestFirst(a: Position, b: Position): number {
  if (a.day !== b.day) return a.day > b.day ? -1 : 1
  const [aAt, bAt] = [timeOf(a.at), timeOf(b.at)]
  if (aAt !== bAt) return aAt > bAt ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

function timeOf(at: string): number {
  return at === AFTER_ALL.at ? Number.POSITIVE_INFINITY : Date.parse(at)
}

/** Reads only days on which the rollup has credit under the model, and only as many rows as the page needs. */
async function readConversions(
  { tx, profileId, scope, filter }: Reader,
  from: Position | null,
  limit: number,
  maxExamined: number,
): Promise<Page> {
  const entries: Credited[] = []
  let pendingDays = filter.days.filter(({ day }) => from === null || day <= from.day)
  let below: Instant = from !== null && pendingDays[0]?.day === from.day ? from : AFTER_ALL
  let budget = maxExamined
  while (pendingDays.length > 0 && budget > 0) {
    // One more than the page size shows whether there is a next page.
    const planned = planSlices(pendingDays, below, limit + 1 - entries.length, budget)
    const slices = upToFirstUnfinished(await resolveSliceEnds(tx, profileId, planned))
    for (const row of await creditedConversions(tx, { profileId, slices, which: filter.which })) {
      const credited = toCredited(row, null, models.indexOf(scope.model), filter)
      if (credited === null) continue
      const last = entries.at(-1)
      if (entries.length === limit && last !== undefined) return { entries, next: last.position }
      entries.push(credited)
    }
    budget -= slices.reduce((sum, { most, total }) => sum + Math.min(most, total), 0)
    const unfinished = slices.at(-1)?.last ?? null
    pendingDays = pendingDays.slice(unfinished === null ? slices.length : slices.length - 1)
    below = unfinished ?? AFTER_ALL
  }
  const [first] = pendingDays
  return { entries, next: first === undefined ? null : { day: first.day, at: below.at, id: below.id } }
}

/** A slice of a whole day ends with the day; the ends of partial slices are queried. */
async function resolveSliceEnds<T extends Slice & { total: number }>(
  tx: Snapshot['tx'],
  profileId: string,
  planned: readonly T[],
): Promise<(T & SliceWithEnd)[]> {
  const isWhole = ({ most, total }: T) => most > total
  const partial = planned.filter((slice) => !isWhole(slice))
  const resolved = partial.length === 0 ? [] : await findSliceEnds(tx, { profileId, slices: partial })
  const byDay = new Map(resolved.map((slice) => [slice.day, slice]))
  return planned.map((slice) => byDay.get(slice.day) ?? { ...slice, last: null })
}

/** A refund counts on its own day, whatever the day of its conversion. Refunds are few, so they are read without a plan. */
export async function readRefunds(
  { tx, profileId, scope, filter }: Reader,
  from: Position | null,
  limit: number,
  maxExamined: number,
): Promise<Page> {
  const entries: Credited[] = []
  let below = from ?? { day: scope.range.to, ...AFTER_ALL }
  for (let budget = maxExamined; budget > 0; budget -= REFUND_BATCH) {
    const most = Math.min(budget, REFUND_BATCH)
    const rows = await creditedRefunds(tx, {
      profileId,
      range: scope.range,
      below,
      most,
      which: filter.which,
    })
    for (const { credited: row, ...refund } of rows) {
      const credited = row === null ? null : toCredited(row, refund, models.indexOf(scope.model), filter)
      if (credited === null) continue
      const last = entries.at(-1)?.position
      // An event counted by two cash goals has two rows at the same position, which must be on the same page.
      if (entries.length >= limit && last !== undefined && newestFirst(last, credited.position) !== 0)
        return { entries, next: last }
      entries.push(credited)
    }
    const read = new Set(rows.map((row) => row.refund_id)).size
    if (read < most) return { entries, next: null }
    below = positionOf(rows.at(-1)!)
  }
  return { entries, next: below }
}

function positionOf(refund: RefundFacts): Position {
  return { day: refund.refund_day, at: refund.refunded_at.toISOString(), id: refund.refund_id }
}

/** Null if the model gives the filtered paths no credit. */
export function toCredited(
  row: CreditedRow,
  refund: RefundFacts | null,
  model: number,
  { paths, withoutTouch }: Pick<CreditFilter, 'paths' | 'withoutTouch'>,
): Credited | null {
  const amountMinor = refund === null ? row.report_value_minor : refund.report_refund_minor
  const credit = unpackCredit(row.packed)
  const all = shareOf(credit, model, amountMinor ?? 0)
  const shares =
    all.length === 0 && withoutTouch === (credit.uncredited ?? 'no_touch')
      ? [{ path: NO_PATH, weight: 1, total: 1, amountMinor: amountMinor ?? 0 }]
      : all.filter((share) => paths.has(share.path))
  if (shares.length === 0) return null
  const partMinor = shares.reduce((sum, share) => sum + share.amountMinor, 0)
  const isUnknown = amountMinor === null && (refund !== null || row.value_minor !== null)
  return {
    position:
      refund === null
        ? { day: row.day, at: row.occurred_at.toISOString(), id: row.conversion_id }
        : positionOf(refund),
    row,
    refund,
    path: shares[0]!.path,
    weight: shares.reduce((sum, share) => sum + share.weight, 0),
    total: shares[0]!.total,
    amountMinor: isUnknown ? null : refund === null ? partMinor : 0 - partMinor,
  }
}

/** Slices after one that does not end its day would be read out of order. */
function upToFirstUnfinished<T extends SliceWithEnd>(slices: readonly T[]): T[] {
  const unfinished = slices.findIndex(({ last }) => last !== null)
  return unfinished < 0 ? [...slices] : slices.slice(0, unfinished + 1)
}

/** Plans how many conversions of each day to read: the number expected from the day's share of matches, within the budget. */
export function planSlices(
  pendingDays: readonly CreditedDay[],
  below: Instant,
  requested: number,
  budget: number,
): (Slice & { total: number })[] {
  const slices: (Slice & { total: number })[] = []
  let [missing, remaining] = [requested, budget]
  for (const { day, conversions, total } of pendingDays) {
    if (missing <= 0 || remaining <= 0) break
    const expected = Math.ceil((total / conversions) * missing * 1.25) + SPARE
    const most = Math.min(remaining, conversions > missing ? expected : total + SPARE)
    slices.push({ day, below: slices.length === 0 ? below : AFTER_ALL, most, total })
    missing -= conversions
    remaining -= Math.min(most, total)
  }
  return slices
}
