/** Pages of what an entity was credited with, conversions and refunds by time, each for a bounded amount of reading. */
import { models } from '@whence/engine'
import type { RawBuilder } from 'kysely'
import { readTogether } from '../../../platform/db/together.ts'
import { shareOf, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import type { WholeReason } from '../../attribution/crediting/credits/unattributed-reasons.ts'
import {
  AFTER_ALL,
  type CreditedDay,
  type CreditedRow,
  creditedConversions,
  creditedDays,
  creditedRefunds,
  type Ended,
  endSlices,
  type Instant,
  mayName,
  type Position,
  pathsOfEntity,
  type RefundFacts,
  type Slice,
} from './queries/credited-conversions.ts'
import type { Snapshot } from './snapshot.ts'

/** The wanted part of a conversion, or of a refund of it; money is null without a rate. */
export type Credited = {
  position: Position
  row: CreditedRow
  refund: RefundFacts | null
  /** The first that has a part of it. */
  path: number
  weight: number
  total: number
  amountMinor: number | null
}
/** `next` is where reading goes on: all that is newer was read. */
export type Page = { found: Credited[]; next: Position | null }

/** Added to the number of conversions that a day's share suggests, because the share is only an average. */
const SPARE = 50
/** So many conversions, and as many refunds, are looked at for one page; where the entity is rare among them, a page is short and the next goes on. */
export const MAX_EXAMINED = 20_000
const REFUNDS_AT_ONCE = 1000
/** In the place of a path where no touch has the credit. */
const NO_PATH = -1

type Asked = Pick<Snapshot, 'tx' | 'profileId' | 'scope'>

/** The credit that a list is about. */
export type Wanted = {
  /** Days on which the model gave any, newest first. */
  days: CreditedDay[]
  paths: ReadonlySet<number>
  /** What no touch led to is wanted too, where this is why; null: it is not wanted. */
  withoutTouch: WholeReason | 'no_touch' | null
  /** What a conversion must meet, in SQL: may let others through, which the credit itself then shows. */
  which: RawBuilder<unknown>
}
type Reader = Asked & { wanted: Wanted }

export async function collectCredited(
  asked: Asked,
  entityId: string,
  from: Position | null,
  limit: number,
  maxExamined = MAX_EXAMINED,
): Promise<Page> {
  const { tx, profileId, scope } = asked
  const [paths, days] = await readTogether(
    pathsOfEntity(tx, { profileId, entityId }),
    creditedDays(tx, { profileId, entityId, ...scope }),
  )
  if (paths.length === 0) return { found: [], next: null }
  const wanted = { days, paths: new Set(paths), withoutTouch: null, which: mayName(paths) }
  return collectWanted(asked, wanted, from, limit, maxExamined)
}

export async function collectWanted(
  asked: Asked,
  wanted: Wanted,
  from: Position | null,
  limit: number,
  maxExamined = MAX_EXAMINED,
): Promise<Page> {
  const reader = { ...asked, wanted }
  const pages = await readTogether(
    readConversions(reader, from, limit, maxExamined),
    readRefunds(reader, from, limit, maxExamined),
  )
  return mergePages(pages, limit)
}

/** Pure: what is older than the place up to which a page was read has to wait for the next. */
export function mergePages(pages: readonly Page[], limit: number): Page {
  const ends = pages.flatMap(({ next }) => next ?? []).sort(newestFirst)
  const end = ends[0] ?? null
  const found = pages
    .flatMap((page) => page.found)
    .filter(({ position }) => end === null || newestFirst(position, end) <= 0)
    .sort((a, b) => newestFirst(a.position, b.position))
  const last = found[limit - 1]?.position
  if (last === undefined || found.length === limit) return { found, next: end }
  const own = found.filter(({ position }) => newestFirst(position, last) <= 0)
  return own.length === found.length ? { found, next: end } : { found: own, next: last }
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

/** Reads only days on which the rollup says that the model credited the entity, and only as much as it takes. */
async function readConversions(
  { tx, profileId, scope, wanted }: Reader,
  from: Position | null,
  limit: number,
  maxExamined: number,
): Promise<Page> {
  const found: Credited[] = []
  let waiting = wanted.days.filter(({ day }) => from === null || day <= from.day)
  let below: Instant = from !== null && waiting[0]?.day === from.day ? from : AFTER_ALL
  let room = maxExamined
  while (waiting.length > 0 && room > 0) {
    // One more than the page holds shows that there is a next.
    const planned = planSlices(waiting, below, limit + 1 - found.length, room)
    const slices = upToFirstOpen(await endPlanned(tx, profileId, planned))
    for (const row of await creditedConversions(tx, { profileId, slices, which: wanted.which })) {
      const credited = toCredited(row, null, models.indexOf(scope.model), wanted)
      if (credited === null) continue
      const last = found.at(-1)
      if (found.length === limit && last !== undefined) return { found, next: last.position }
      found.push(credited)
    }
    room -= slices.reduce((sum, { most, total }) => sum + Math.min(most, total), 0)
    const open = slices.at(-1)?.last ?? null
    waiting = waiting.slice(open === null ? slices.length : slices.length - 1)
    below = open ?? AFTER_ALL
  }
  const [first] = waiting
  return { found, next: first === undefined ? null : { day: first.day, at: below.at, id: below.id } }
}

/** A slice of a whole day ends with the day; where others end has to be looked up. */
async function endPlanned<T extends Slice & { total: number }>(
  tx: Snapshot['tx'],
  profileId: string,
  planned: readonly T[],
): Promise<(T & Ended)[]> {
  const isWhole = ({ most, total }: T) => most > total
  const parts = planned.filter((slice) => !isWhole(slice))
  const ended = parts.length === 0 ? [] : await endSlices(tx, { profileId, slices: parts })
  const endOf = new Map(ended.map((slice) => [slice.day, slice]))
  return planned.map((slice) => endOf.get(slice.day) ?? { ...slice, last: null })
}

/** A refund counts on its own day, whenever its conversion was; refunds are few, so they are read as they come. */
export async function readRefunds(
  { tx, profileId, scope, wanted }: Reader,
  from: Position | null,
  limit: number,
  maxExamined: number,
): Promise<Page> {
  const found: Credited[] = []
  let below = from ?? { day: scope.range.to, ...AFTER_ALL }
  for (let room = maxExamined; room > 0; room -= REFUNDS_AT_ONCE) {
    const most = Math.min(room, REFUNDS_AT_ONCE)
    const rows = await creditedRefunds(tx, {
      profileId,
      range: scope.range,
      below,
      most,
      which: wanted.which,
    })
    for (const { credited: row, ...refund } of rows) {
      const credited = row === null ? null : toCredited(row, refund, models.indexOf(scope.model), wanted)
      if (credited === null) continue
      const last = found.at(-1)?.position
      // An event that two cash goals count has two rows in one place, which no page may part.
      if (found.length >= limit && last !== undefined && newestFirst(last, credited.position) !== 0)
        return { found, next: last }
      found.push(credited)
    }
    const read = new Set(rows.map((row) => row.refund_id)).size
    if (read < most) return { found, next: null }
    below = positionOf(rows.at(-1)!)
  }
  return { found, next: below }
}

function positionOf(refund: RefundFacts): Position {
  return { day: refund.refund_day, at: refund.refunded_at.toISOString(), id: refund.refund_id }
}

/** Null where the model gives none of the credit that is wanted. */
export function toCredited(
  row: CreditedRow,
  refund: RefundFacts | null,
  model: number,
  { paths, withoutTouch }: Pick<Wanted, 'paths' | 'withoutTouch'>,
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

/** What comes after a day that has more would be read out of order. */
function upToFirstOpen<T extends Ended>(slices: readonly T[]): T[] {
  const open = slices.findIndex(({ last }) => last !== null)
  return open < 0 ? [...slices] : slices.slice(0, open + 1)
}

/** As much of the days as should hold the wanted number, by each day's share, and no more than there is room for. */
export function planSlices(
  waiting: readonly CreditedDay[],
  below: Instant,
  wanted: number,
  room: number,
): (Slice & { total: number })[] {
  const slices: (Slice & { total: number })[] = []
  let [missing, left] = [wanted, room]
  for (const { day, conversions, total } of waiting) {
    if (missing <= 0 || left <= 0) break
    const expected = Math.ceil((total / conversions) * missing * 1.25) + SPARE
    const most = Math.min(left, conversions > missing ? expected : total + SPARE)
    slices.push({ day, below: slices.length === 0 ? below : AFTER_ALL, most, total })
    missing -= conversions
    left -= Math.min(most, total)
  }
  return slices
}
