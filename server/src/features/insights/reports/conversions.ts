/** The conversions and refunds behind an entity's credit, read from the same packed credits as the rollups. */
import { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { isDay } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { RevenueType } from '../../../platform/contract/fields.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { decodeCursor, encodeCursor, invalidCursor } from '../../../platform/contract/page.ts'
import { toError } from '../../../platform/contract/refusal.ts'
import { ratio } from '../../figures/definitions/rules.ts'
import { AFTER_ALL, type Position } from '../../figures/rollups/credited-conversions.ts'
import { allLevels, findEntity } from '../../figures/rollups/entities.ts'
import { type Reported, type ReportScope, report } from '../../figures/snapshot/snapshot.ts'
import { type Credited, collectEntityCredits } from './credited-pages.ts'

export async function listCampaignConversions(
  context: ProfileContext,
  id: string,
  scope: Omit<ReportScope, 'level'>,
  page: { cursor?: string | undefined; limit: number },
) {
  const after = readCursor(page.cursor)
  const entity = await findEntity(context.db, {
    profileId: context.profile.id,
    id,
    levels: allLevels,
  })
  if (entity === undefined) throw new ApiError('campaign_not_found', 'No such campaign, ad set or ad.')
  let next: Position | null = null
  const result = await report(context, { ...scope, level: entity.level }, async (snapshot) => {
    const collected = await collectEntityCredits(snapshot, entity.id, after, page.limit)
    next = collected.next
    return { data: collected.entries.map((entry) => toConversion(entry, snapshot.currency)) }
  })
  return { ...result, next: next as Position | null } satisfies Reported<unknown> & { next: Position | null }
}

export function cursorOf(next: Position | null): string | null {
  return next === null ? null : encodeCursor([next.day, next.at, next.id])
}

export function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [day, at, id] = decodeCursor(cursor) ?? []
  if (typeof day !== 'string' || typeof at !== 'string' || typeof id !== 'string')
    throw toError(invalidCursor())
  // PostgreSQL rejects the year 0.
  const isInstant = at === AFTER_ALL.at || (instant.safeParse(at).success && at >= '0001')
  if (!isDay(day) || !isInstant || !isUuid(id)) throw toError(invalidCursor())
  return { day, at, id }
}

const instant = z.iso.datetime()
/** As precise as outcome_credit, so that the list adds up to it. */
const SHARE_DECIMALS = 9

/** A refund is a negative row on its own day, with the share that the entity has in the conversion. */
export function toConversion({ row, refund, weight, total, amountMinor }: Credited, reportCurrency: string) {
  const [valueMinor, currency] =
    refund === null ? [row.value_minor, row.currency] : [0 - refund.refund_minor, refund.refund_currency]
  return {
    kind: refund === null ? ('conversion' as const) : ('refund' as const),
    conversion_id: row.conversion_id,
    refund_id: refund?.refund_id ?? null,
    outcome_event_id: row.event_id,
    outcome_type: row.outcome_type,
    revenue_type: row.revenue_type as RevenueType,
    occurred_at: refund?.refunded_at ?? row.occurred_at,
    value: valueMinor === null || currency === null ? null : toDecimalNumber(valueMinor, currency),
    currency,
    credit: ratio(weight, total, SHARE_DECIMALS) ?? 0,
    credited_value: amountMinor === null ? null : toDecimalNumber(amountMinor, reportCurrency),
  }
}
