import { addDays } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readSums } from '../rollups/sums.ts'
import { READ_DAYS, type Series } from './rules.ts'

const ofEntities = [
  'spend_minor',
  'spend_unrated',
  'credited_minor',
  'credited_payments',
  'credited_unrated',
] as const
const ofProfile = [...ofEntities, 'cash_minor', 'cash_unrated', 'payments'] as const

/** Daily sums of the range under last touch, and of the earlier days that its figures are compared with. */
export async function readSeries(
  db: Db | Tx,
  params: { profileId: string; campaignId: string | null; from: string; to: string },
): Promise<Series> {
  const rows = await readDays(db, { ...params, from: addDays(params.from, -READ_DAYS) })
  return new Map(
    rows.map((row) => [
      row.day,
      {
        spend: row.spend_minor,
        revenue: row.cash_minor,
        conversions: row.payments,
        credited: row.credited_minor,
        creditedConversions: row.credited_payments,
        unratedSpend: row.spend_unrated,
        unratedRevenue: row.cash_unrated,
        unratedCredited: row.credited_unrated,
      },
    ]),
  )
}

/** The revenue of a campaign is what it is credited with. */
async function readDays(
  db: Db | Tx,
  { campaignId, ...query }: { profileId: string; campaignId: string | null; from: string; to: string },
) {
  if (campaignId === null) return readSums(db, { ...query, measures: ofProfile, by: ['day'] })
  const rows = await readSums(db, { ...query, entities: [campaignId], measures: ofEntities, by: ['day'] })
  return rows.map((row) => ({
    ...row,
    cash_minor: row.credited_minor,
    cash_unrated: row.credited_unrated,
    payments: row.credited_payments,
  }))
}
