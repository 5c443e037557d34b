import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import {
  type CreditSum,
  modelColumns,
  newCustomerValue,
  outcomeSum,
  reportedRevenueType,
  unratedAndNewCounts,
} from './credit-by-entity.ts'
import { type AsOf, heldDaily } from './tables.ts'

/**
 * Credit without an entity of the level. `holder` is, at level `ad`, the platform of paid clicks without an ad; at level
 * `campaign`, the ad set or ad without a campaign; at level `ad_set`, the source of a visit without an ad (`sourceOf`).
 */
export type HeldSum = Omit<CreditSum, 'entity_id'> & { level: string; holder: string }

const columns = [
  'level',
  'holder',
  'outcome_type',
  'revenue_type',
  'conversions',
  'value_minor',
  'share_high',
  'share_low',
  'unrated',
  'new_customers',
  'new_unrated',
  'new_value_minor',
] as const

type Held = AsOf & { model: Model; range: DateRange }

export function heldCredit(db: Db | Tx, params: Held & { level: AdLevel }): Promise<HeldSum[]> {
  return heldCreditAt(db, { ...params, levels: [params.level] })
}

/** Holders without credit under the model are omitted. */
export async function heldCreditAt(
  db: Db | Tx,
  params: Held & { levels: readonly AdLevel[] },
): Promise<HeldSum[]> {
  const { count, minor, high, low } = modelColumns(params.model)
  return readColumns(
    db,
    columns,
    sql<HeldSum>`
    select level, holder, outcome_type, ${reportedRevenueType} as revenue_type, ${outcomeSum(count)} as conversions,
      sum(${minor})::bigint as value_minor, ${outcomeSum(high)} as share_high, ${outcomeSum(low)} as share_low,
      ${unratedAndNewCounts(count)}, ${newCustomerValue(minor)}
    from ${heldDaily(params)}
    where profile_id = ${params.profileId} and level = any(${params.levels}::text[])
      and day between ${params.range.from}::date and ${params.range.to}::date
      and (${count} <> 0 or ${minor} <> 0)
    group by level, holder, outcome_type, 4
    order by holder, outcome_type, 4`,
  )
}
