/** Refunds in the explanation of a conversion: dated, negative, and split over the touches like the conversion. */
import { type Explained, splitMinor } from '@whence/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { ExplainedRefund } from './contract.ts'

export type RefundRow = {
  id: string
  occurred_at: Date
  amount_minor: number
  currency: string
  report_amount_minor: number | null
}

/** Refunds of a conversion; only cash conversions have any. */
export async function listRefundsOf(
  db: Db | Tx,
  profileId: string,
  conversion: { event_id: string; revenue_type: string },
): Promise<RefundRow[]> {
  if (conversion.revenue_type !== 'cash') return []
  const { rows } = await sql<RefundRow>`
    select id, occurred_at, amount_minor, currency, report_amount_minor from refunds
    where profile_id = ${profileId} and payment_id = ${conversion.event_id}
    order by day, occurred_at, id`.execute(db)
  return rows
}

export function toRefund(row: RefundRow, reportCurrency: string): z.input<typeof ExplainedRefund> {
  return {
    refund_id: row.id,
    occurred_at: row.occurred_at,
    value: toDecimalNumber(0 - row.amount_minor, row.currency),
    currency: row.currency,
    report_value:
      row.report_amount_minor === null ? null : toDecimalNumber(0 - row.report_amount_minor, reportCurrency),
  }
}

/** Per touch index: the part of each refund, null without an exchange rate. */
export function splitRefunds(
  explained: readonly Explained[],
  refunds: readonly RefundRow[],
): Map<number, { id: string; amountMinor: number | null }[]> {
  const credited = explained.filter((touch) => touch.status === 'credited')
  const parts = new Map(
    credited.map((touch) => [touch.touchIndex, [] as { id: string; amountMinor: number | null }[]]),
  )
  const weights = credited.map((touch) => touch.weight)
  for (const { id, report_amount_minor: minor } of refunds) {
    const amounts = splitMinor(0 - (minor ?? 0), weights)
    for (const [index, { touchIndex }] of credited.entries())
      parts.get(touchIndex)!.push({ id, amountMinor: minor === null ? null : amounts[index]! })
  }
  return parts
}
