import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import type { OverviewSums } from '../definitions/definitions.ts'
import { isCash, isUnrated, modelColumns } from './credit-by-entity.ts'
import { type AsOf, conversionDaily, creditDaily, deliveryDaily } from './tables.ts'

export type OverviewDay = OverviewSums & { day: string }

type Tables = Record<'delivery' | 'conversions' | 'credits', RawBuilder<unknown>>

const now: Tables = {
  delivery: sql.table('delivery_daily'),
  conversions: sql.table('conversion_daily'),
  credits: sql.table('credit_daily'),
}

/** SQL: spend, cash and credited cash of all campaigns as rows per day, which the caller sums. */
function dayFacts(which: RawBuilder<unknown>, model: Model, tables: Tables): RawBuilder<unknown> {
  const { count, minor } = modelColumns(model)
  return sql`
    select profile_id, day, spend_minor, fx_missing as spend_unrated, 0 as cash_minor, 0 as cash_unrated, 0 as payments,
      0 as credited_minor, 0 as credited_unrated
    from ${tables.delivery} where ${which} and level = 'campaign'
    union all
    select profile_id, day, 0, 0, value_minor, fx_missing, conversions, 0, 0
    from ${tables.conversions} where ${which} and revenue_type = 'cash'
    union all
    select profile_id, day, 0, 0, 0, 0, 0, ${minor}, case when ${isUnrated} then ${count} else 0 end
    from ${tables.credits} where ${which} and level = 'campaign' and ${isCash}
      and entity_id <> ${NIL_ENTITY}::uuid`
}

const sums = sql`sum(spend_minor)::bigint as spend_minor, sum(spend_unrated)::bigint as spend_unrated,
      sum(cash_minor)::bigint as cash_minor, sum(cash_unrated)::bigint as cash_unrated, sum(payments)::bigint as payments,
      sum(credited_minor)::bigint as credited_minor, sum(credited_unrated)::bigint as credited_unrated`

/** Days with spend or revenue. */
export async function overviewDays(
  db: Db | Tx,
  params: AsOf & { model: Model; range: DateRange },
): Promise<OverviewDay[]> {
  const { profileId, range } = params
  const inRange = sql`profile_id = ${profileId} and day between ${range.from}::date and ${range.to}::date`
  const at = {
    delivery: deliveryDaily(params),
    conversions: conversionDaily(params),
    credits: creditDaily(params),
  }
  const { rows } = await sql<OverviewDay>`
    select day, ${sums} from (${dayFacts(inRange, params.model, at)}) facts
    group by day
    order by day`.execute(db)
  return rows
}

export type ProfileDay = OverviewDay & { profile_id: string }

/** The same for several profiles. */
export async function overviewDaysOf(
  db: Db | Tx,
  params: { profileIds: readonly string[]; model: Model; from: string; to: string },
): Promise<ProfileDay[]> {
  const inRange = sql`profile_id = any(${uuidList(params.profileIds)}::uuid[])
    and day between ${params.from}::date and ${params.to}::date`
  const { rows } = await sql<ProfileDay>`
    select profile_id, day, ${sums} from (${dayFacts(inRange, params.model, now)}) facts
    group by profile_id, day
    order by profile_id, day`.execute(db)
  return rows
}
