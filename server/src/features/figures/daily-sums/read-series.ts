import { addDays } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { listSeries } from './queries.ts'
import { READ_DAYS, type Series } from './rules.ts'

/** Daily sums of the range, and of the earlier days that its figures are compared with. */
export async function readSeries(
  db: Db | Tx,
  params: { profileId: string; campaignId: string | null; from: string; to: string },
): Promise<Series> {
  const rows = await listSeries(db, { ...params, from: addDays(params.from, -READ_DAYS) })
  const isCampaign = params.campaignId !== null
  return new Map(
    rows.map((row) => [
      row.day,
      {
        spend: row.spend,
        revenue: isCampaign ? row.credited : row.cash,
        conversions: isCampaign ? row.credited_payments : row.payments,
        credited: row.credited,
        creditedConversions: row.credited_payments,
        unratedSpend: row.unrated_spend,
        unratedRevenue: isCampaign ? row.unrated_credit : row.unrated_cash,
        unratedCredited: row.unrated_credit,
      },
    ]),
  )
}
