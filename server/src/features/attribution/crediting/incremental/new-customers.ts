/**
 * Customers that are new in a batch and have a single identifier: all their data is in the batch, so their journeys are
 * built from it instead of being read back from the database.
 */

import type { ConversionWrite } from '../../../facts/conversions/queries.ts'
import type { AdTouch } from '../reach/rules.ts'
import { type TouchRow, toSource } from '../touches.ts'
import { type ConversionRow, dropEchoes, isCounted, isUnnamed, type JourneyTouch } from './journeys.ts'

export type NewCustomers = {
  /** A new customer has the id of its single identifier. */
  has(customerId: string): boolean
  /** Journeys of those customers in the list that are new. */
  journeysOf(customerIds: readonly string[]): NewJourneys
}

export type NewJourneys = {
  conversions: readonly ConversionRow[]
  /** In journey order. */
  touches: readonly JourneyTouch[]
  adTouches: ReadonlyMap<string, readonly AdTouch[]>
  /** Customers with a payment. */
  payers: readonly string[]
}

export const noNewCustomers: NewCustomers = {
  has: () => false,
  journeysOf: () => ({ conversions: [], touches: [], adTouches: new Map(), payers: [] }),
}

export function toNewCustomers(
  ids: ReadonlySet<string>,
  batch: {
    touches: readonly TouchRow[]
    conversions: readonly ConversionWrite[]
    payments: readonly { identifierId: string }[]
  },
): NewCustomers {
  return {
    has: (customerId) => ids.has(customerId),
    journeysOf(customerIds) {
      const newIds = new Set(customerIds.filter((id) => ids.has(id)))
      const isNew = (row: { identifierId: string }) => newIds.has(row.identifierId)
      const touches = withoutEchoes(batch.touches.filter(isNew).sort(byJourneyOrder))
      return {
        conversions: batch.conversions.filter(isNew).map(toConversionRow).filter(isCounted),
        touches: touches.map(toJourneyTouch),
        adTouches: Map.groupBy(touches.flatMap(toAdTouch), (touch) => touch.customerId),
        payers: [...new Set(batch.payments.filter(isNew).map((row) => row.identifierId))],
      }
    },
  }
}

/** Removes echoes, like `loadTouches` does. */
function withoutEchoes(touches: readonly TouchRow[]): readonly TouchRow[] {
  if (touches.every((touch) => touch.reportedAt === null)) return touches
  const candidates = touches.map((touch) => ({
    touch,
    customer_id: touch.identifierId,
    occurred_at: touch.occurredAt,
    reported_at: touch.reportedAt,
    click_id_kind: touch.click_id_kind,
    click_id: touch.click_id,
    ad_external_id: touch.ad_id,
  }))
  return dropEchoes(candidates).map(({ touch }) => touch)
}

/** The order of `loadTouches`: by time, then by receipt, then by id. */
function byJourneyOrder(a: TouchRow, b: TouchRow): number {
  return (
    a.occurredAt.getTime() - b.occurredAt.getTime() ||
    a.recordedAt.getTime() - b.recordedAt.getTime() ||
    (a.id < b.id ? -1 : 1)
  )
}

function toConversionRow(row: ConversionWrite): ConversionRow {
  return {
    id: row.id,
    customer_id: row.identifierId,
    event_id: row.eventId,
    goal_id: row.goalId,
    occurred_at: row.occurredAt,
    day: row.day,
    outcome_type: row.outcomeType,
    revenue_type: row.revenueType,
    value_minor: row.valueMinor,
    report_value_minor: row.reportValueMinor,
    attribution_eligible: row.attributionEligible,
    is_set_aside: row.duplicateOf !== null || row.unconfirmed,
    is_unnamed: isUnnamed(row.eventId, row.identifierId, row.identifierId),
  }
}

function toJourneyTouch(row: TouchRow): JourneyTouch {
  return {
    id: row.id,
    customer_id: row.identifierId,
    occurred_at: row.occurredAt,
    ...toSource(row),
  }
}

function toAdTouch(row: TouchRow): (AdTouch & { customerId: string })[] {
  if (row.ad_id === null) return []
  return [
    {
      customerId: row.identifierId,
      occurred_at: row.occurredAt,
      ad_external_id: row.ad_id,
      channel: row.channel,
      origin: row.origin,
    },
  ]
}
