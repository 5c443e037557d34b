import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { isCash, modelColumns, outcomeSum, unratedSum } from './credit-by-entity.ts'
import { type AsOf, creditDaily } from './tables.ts'

export type CreditDay = { day: string; payments: number; value_minor: number; unrated: number }

/** Days on which one entity was credited with payments or refunds. */
export async function creditDays(
  db: Db | Tx,
  params: AsOf & { level: AdLevel; model: Model; range: DateRange; entityId: string },
): Promise<CreditDay[]> {
  const { profileId, level, range, entityId } = params
  const { count, minor } = modelColumns(params.model)
  const { rows } = await sql<CreditDay>`
    select day, ${outcomeSum(count)} as payments, sum(${minor})::bigint as value_minor, ${unratedSum(count)} as unrated
    from ${creditDaily(params)}
    where profile_id = ${profileId} and level = ${level} and entity_id = ${entityId}
      and ${isCash}
      and day between ${range.from}::date and ${range.to}::date
    group by day`.execute(db)
  return rows
}
