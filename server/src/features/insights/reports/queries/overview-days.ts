import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { NIL_ENTITY } from '../../../attribution/crediting/credits/rollups.ts'
import { type AsOf, conversionDaily, creditDaily, deliveryDaily } from './as-of.ts'
import { isCash, isUnrated, modelColumns } from './credit-by-entity.ts'

export type OverviewDay = {
  day: string
  spend_minor: number
  /** Facts without a rate. */
  spend_unrated: number
  cash_minor: number
  cash_unrated: number
  payments: number
  credited_minor: number
  credited_unrated: number
}

/** The days on which something was spent or earned, all campaigns together. */
export async function overviewDays(
  db: Db | Tx,
  params: AsOf & { model: Model; range: DateRange },
): Promise<OverviewDay[]> {
  const { profileId, range } = params
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const { count, minor } = modelColumns(params.model)
  const { rows } = await sql<OverviewDay>`
    select day, sum(spend_minor)::bigint as spend_minor, sum(spend_unrated)::bigint as spend_unrated,
      sum(cash_minor)::bigint as cash_minor, sum(cash_unrated)::bigint as cash_unrated, sum(payments)::bigint as payments,
      sum(credited_minor)::bigint as credited_minor, sum(credited_unrated)::bigint as credited_unrated
    from (
      select day, spend_minor, fx_missing as spend_unrated, 0 as cash_minor, 0 as cash_unrated, 0 as payments,
        0 as credited_minor, 0 as credited_unrated
      from ${deliveryDaily(params)} where ${inRange} and level = 'campaign'
      union all
      select day, 0, 0, value_minor, fx_missing, conversions, 0, 0
      from ${conversionDaily(params)} where ${inRange} and revenue_type = 'cash'
      union all
      select day, 0, 0, 0, 0, 0, ${minor}, case when ${isUnrated} then ${count} else 0 end
      from ${creditDaily(params)} where ${inRange} and level = 'campaign' and ${isCash}
        and entity_id <> ${NIL_ENTITY}::uuid
    ) facts
    group by day
    order by day`.execute(db)
  return rows
}
