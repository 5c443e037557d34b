/** Pages of the conversions that an entity was credited with, each for a bounded amount of reading. */
import { models } from '@whence/engine'
import { shareOf, unpackCredit } from '../attribution/credits/packed.ts'
import {
  type CreditedDay,
  type CreditedRow,
  creditedConversions,
  creditedDays,
  type Ended,
  endSlices,
  PAST_LAST_ID,
  pathsOfEntity,
  type Slice,
} from './queries/credited-conversions.ts'
import type { Snapshot } from './snapshot.ts'

/** A page goes on below this conversion of this day. */
export type After = { day: string; conversionId: string }
export type Credited = { row: CreditedRow; weight: number; total: number; amountMinor: number }

/** More than the share of a day tells, which is no exact science. */
const SPARE = 50
/** So many conversions are looked at for one page at most; where the entity is rare among them, a page is short and the next goes on. */
const MAX_EXAMINED = 20_000

/** Reads only days on which the rollup says that the model credited the entity, and only as much as it takes. */
export async function collectCredited(
  { tx, profileId, scope }: Pick<Snapshot, 'tx' | 'profileId' | 'scope'>,
  entityId: string,
  from: After | null,
  limit: number,
  mostExamined = MAX_EXAMINED,
): Promise<{ found: Credited[]; next: After | null }> {
  const paths = await pathsOfEntity(tx, { profileId, entityId })
  const own = new Set(paths)
  const model = models.indexOf(scope.model)
  const found: Credited[] = []
  const days = paths.length === 0 ? [] : await creditedDays(tx, { profileId, entityId, ...scope })
  let waiting = days.filter(({ day }) => from === null || day <= from.day)
  let below = from !== null && waiting[0]?.day === from.day ? from.conversionId : PAST_LAST_ID
  let room = mostExamined
  while (waiting.length > 0 && room > 0) {
    // One more than the page holds tells that there is a next.
    const planned = planSlices(waiting, below, limit + 1 - found.length, room)
    const slices = upToFirstOpen(await endSlices(tx, { profileId, slices: planned }))
    for (const row of await creditedConversions(tx, { profileId, slices, paths })) {
      const shares = shareOf(unpackCredit(row.packed), model).filter((share) => own.has(share.path))
      if (shares.length === 0) continue
      const last = found.at(-1)
      if (found.length === limit && last !== undefined)
        return { found, next: { day: last.row.day, conversionId: last.row.conversion_id } }
      found.push({
        row,
        weight: shares.reduce((sum, share) => sum + share.weight, 0),
        total: shares[0]!.total,
        amountMinor: shares.reduce((sum, share) => sum + share.amountMinor, 0),
      })
    }
    room -= slices.reduce((sum, { most, total }) => sum + Math.min(most, total), 0)
    const open = slices.at(-1)?.last ?? null
    waiting = waiting.slice(open === null ? slices.length : slices.length - 1)
    below = open ?? PAST_LAST_ID
  }
  const [first] = waiting
  return { found, next: first === undefined ? null : { day: first.day, conversionId: below } }
}

/** What comes after a day that has more would be read out of order. */
function upToFirstOpen<T extends Ended>(slices: readonly T[]): T[] {
  const open = slices.findIndex(({ last }) => last !== null)
  return open < 0 ? [...slices] : slices.slice(0, open + 1)
}

/** As much of the days as should hold the wanted number, by each day's share, and no more than there is room for. */
export function planSlices(
  waiting: readonly CreditedDay[],
  below: string,
  wanted: number,
  room: number,
): (Slice & { total: number })[] {
  const slices: (Slice & { total: number })[] = []
  let [missing, left] = [wanted, room]
  for (const { day, conversions, total } of waiting) {
    if (missing <= 0 || left <= 0) break
    const expected = Math.ceil((total / conversions) * missing * 1.25) + SPARE
    const most = Math.min(left, conversions > missing ? expected : total + SPARE)
    slices.push({ day, below: slices.length === 0 ? below : PAST_LAST_ID, most, total })
    missing -= conversions
    left -= Math.min(most, total)
  }
  return slices
}
