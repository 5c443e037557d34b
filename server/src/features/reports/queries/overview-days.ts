import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { NIL_ENTITY } from '../../attribution/credits/rollups.ts'

export type OverviewDay = {
  day: string
  spend_minor: number
  cash_minor: number
  payments: number
  credited_minor: number
  /** Payments with a part that names no campaign. */
  unattributed: number
  fx_missing: number
}

/** The days on which something was spent or earned, all campaigns together. */
export async function overviewDays(
  db: Db | Tx,
  params: { profileId: string; model: Model; range: DateRange },
): Promise<OverviewDay[]> {
  const { profileId, range } = params
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const [count, minor] = [sql.ref(`${params.model}_count`), sql.ref(`${params.model}_minor`)]
  const { rows } = await sql<OverviewDay>`
    select day, sum(spend_minor)::bigint as spend_minor, sum(cash_minor)::bigint as cash_minor,
      sum(payments)::bigint as payments, sum(credited_minor)::bigint as credited_minor,
      sum(unattributed)::bigint as unattributed, sum(fx_missing)::bigint as fx_missing
    from (
      select day, spend_minor, 0 as cash_minor, 0 as payments, 0 as credited_minor, 0 as unattributed, fx_missing
      from delivery_daily where ${inRange} and level = 'campaign'
      union all
      select day, 0, value_minor, conversions, 0, 0, 0
      from conversion_daily where ${inRange} and revenue_type = 'cash'
      union all
      select day, 0, 0, 0, case when entity_id = ${NIL_ENTITY}::uuid then 0 else ${minor} end,
        case when entity_id = ${NIL_ENTITY}::uuid then ${count} else 0 end, 0
      from credit_daily where ${inRange} and level = 'campaign' and revenue_type = 'cash'
    ) facts
    group by day
    order by day`.execute(db)
  return rows
}
