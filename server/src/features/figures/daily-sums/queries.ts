import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { isCash, isOutcome, isUnrated } from '../rollups/credit-by-entity.ts'

export type SeriesRow = {
  day: string
  spend: number
  cash: number
  payments: number
  credited: number
  credited_payments: number
  unrated_spend: number
  unrated_cash: number
  unrated_credit: number
}

/** Daily sums of the last-touch rollups, for one campaign or for the whole profile. */
export async function listSeries(
  db: Db | Tx,
  params: { profileId: string; campaignId: string | null; from: string; to: string },
): Promise<SeriesRow[]> {
  const { profileId, campaignId } = params
  const inRange = sql`profile_id = ${profileId} and day between ${params.from}::date and ${params.to}::date`
  const ofCampaign = campaignId === null ? sql`` : sql`and entity_id = ${campaignId}::uuid`
  const { rows } = await sql<SeriesRow>`
    select day, sum(spend)::bigint as spend, sum(cash)::bigint as cash, sum(payments)::bigint as payments,
      sum(credited)::bigint as credited, sum(credited_payments)::bigint as credited_payments,
      sum(unrated_spend)::bigint as unrated_spend, sum(unrated_cash)::bigint as unrated_cash,
      sum(unrated_credit)::bigint as unrated_credit
    from (
      select day, spend_minor as spend, 0 as cash, 0 as payments, 0 as credited, 0 as credited_payments,
        fx_missing as unrated_spend, 0 as unrated_cash, 0 as unrated_credit
      from delivery_daily where ${inRange} and level = 'campaign' ${ofCampaign}
      union all
      select day, 0, value_minor, conversions, 0, 0, 0, fx_missing, 0
      from conversion_daily where ${inRange} and revenue_type = 'cash' and ${campaignId}::uuid is null
      union all
      select day, 0, 0, 0, last_touch_minor, case when ${isOutcome} then last_touch_count else 0 end,
        0, 0, case when ${isUnrated} then last_touch_count else 0 end
      from credit_daily where ${inRange} and level = 'campaign' and ${isCash} and entity_id <> ${NIL_ENTITY}::uuid ${ofCampaign}
    ) facts
    group by day`.execute(db)
  return rows
}
