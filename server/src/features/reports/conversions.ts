/** The conversions behind an entity's credit, read from the same packed credits that the rollups were made of. */
import type { ProfileContext } from '../../context.ts'
import { isDay } from '../../contract/dates.ts'
import { ApiError } from '../../contract/errors.ts'
import { isUuid } from '../../contract/ids.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import { decodeCursor, encodeCursor } from '../../contract/page.ts'
import { type After, type Credited, collectCredited } from './credited-pages.ts'
import { findEntity } from './queries/entities.ts'
import { ratio } from './rules.ts'
import { type Reported, type ReportScope, report } from './snapshot.ts'

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
    const collected = await collectCredited(snapshot, entity.id, after, page.limit)
    next = collected.next
    return { data: collected.found.map((entry) => toRow(entry, snapshot.currency)) }
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
