/** The conversions behind an entity's credit, read from the same packed credits that the rollups were made of. */
import { models } from '@whence/engine'
import type { ProfileContext } from '../../context.ts'
import { isDay } from '../../contract/dates.ts'
import { ApiError } from '../../contract/errors.ts'
import { isUuid } from '../../contract/ids.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import { decodeCursor, encodeCursor } from '../../contract/page.ts'
import { shareOf, unpackCredit } from '../attribution/packed.ts'
import {
  type CreditedDay,
  type CreditedRow,
  creditedConversions,
  creditedDays,
  pathsOfEntity,
} from './queries/credited-conversions.ts'
import { findEntity } from './queries/entities.ts'
import { ratio } from './rules.ts'
import { type Reported, type ReportScope, report, type Snapshot } from './snapshot.ts'

type After = { day: string; conversionId: string }

export async function listConversions(
  context: ProfileContext,
  id: string,
  scope: Omit<ReportScope, 'level'>,
  page: { cursor?: string | undefined; limit: number },
) {
  const after = readCursor(page.cursor)
  const entity = await findEntity(context.db, {
    profileId: context.profile.id,
    id,
    level: 'campaign',
    anyLevel: true,
  })
  if (entity === undefined)
    throw new ApiError('campaign_not_found', 'No such campaign; take the id from a GET /campaigns row.')
  let next: After | null = null
  const result = await report(context, { ...scope, level: entity.level }, async (snapshot) => {
    const found = await collect(snapshot, entity.id, after, page.limit + 1)
    const rows = found.slice(0, page.limit)
    const last = rows.at(-1)
    if (found.length > page.limit && last !== undefined)
      next = { day: last.row.day, conversionId: last.row.conversion_id }
    return { data: rows.map((entry) => toRow(entry, snapshot.currency)) }
  })
  return { ...result, next: next as After | null } satisfies Reported<unknown> & { next: After | null }
}

export function cursorOf(next: After | null): string | null {
  return next === null ? null : encodeCursor([next.day, next.conversionId])
}

function readCursor(cursor: string | undefined): After | null {
  if (cursor === undefined) return null
  const [day, conversionId] = decodeCursor(cursor) ?? []
  if (typeof day !== 'string' || typeof conversionId !== 'string' || !isDay(day) || !isUuid(conversionId))
    throw new ApiError('invalid_parameter', 'cursor: not one that this route gave.')
  return { day, conversionId }
}

type Credited = { row: CreditedRow; weight: number; total: number; amountMinor: number }

/** Reads only days on which the rollup says that the model credited the entity, and only as many as it takes. */
async function collect(
  { tx, profileId, scope }: Snapshot,
  entityId: string,
  from: After | null,
  wanted: number,
): Promise<Credited[]> {
  const paths = await pathsOfEntity(tx, { profileId, entityId })
  if (paths.length === 0) return []
  const own = new Set(paths)
  const model = models.indexOf(scope.model)
  const found: Credited[] = []
  let after = from
  let waiting = await creditedDays(tx, { profileId, entityId, ...scope })
  waiting = waiting.filter(({ day }) => from === null || day <= from.day)
  while (waiting.length > 0) {
    const days = newestDays(waiting, wanted)
    const limit = wanted * 2
    const rows = await creditedConversions(tx, { profileId, days, paths, after, limit })
    for (const row of rows) {
      const shares = shareOf(unpackCredit(row.packed), model).filter((share) => own.has(share.path))
      if (shares.length === 0) continue
      found.push({
        row,
        weight: shares.reduce((sum, share) => sum + share.weight, 0),
        total: shares[0]!.total,
        amountMinor: shares.reduce((sum, share) => sum + share.amountMinor, 0),
      })
      if (found.length === wanted) return found
    }
    const last = rows.at(-1)
    if (last !== undefined) after = { day: last.day, conversionId: last.conversion_id }
    if (rows.length < limit) waiting = waiting.slice(days.length)
  }
  return found
}

/** As many as hold the wanted number of conversions. */
function newestDays(waiting: readonly CreditedDay[], wanted: number): string[] {
  let held = 0
  const enough = waiting.findIndex(({ conversions }) => {
    held += conversions
    return held >= wanted
  })
  return waiting.slice(0, enough < 0 ? waiting.length : enough + 1).map(({ day }) => day)
}

function toRow({ row, weight, total, amountMinor }: Credited, reportCurrency: string) {
  return {
    conversion_id: row.conversion_id,
    outcome_event_id: row.event_id,
    outcome_type: row.outcome_type,
    occurred_at: row.occurred_at.toISOString(),
    value:
      row.value_minor === null || row.currency === null
        ? null
        : toDecimalNumber(row.value_minor, row.currency),
    currency: row.currency,
    credit: ratio(weight, total) ?? 0,
    credited_value: toDecimalNumber(amountMinor, reportCurrency),
  }
}
