import { sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import { outcomeSum, reportedRevenueType, unratedAndNewCounts } from './credit-by-entity.ts'
import { type AsOf, platformDaily } from './tables.ts'

export type DistinctCounts = {
  level: string
  platform: string
  outcome_type: string
  revenue_type: string
  conversions: number
  /** Conversions whose amount has no exchange rate, and refunds without one. */
  unrated: number
  new_customers: number
  new_unrated: number
}

const columns = [
  'level',
  'platform',
  'outcome_type',
  'revenue_type',
  'conversions',
  'unrated',
  'new_customers',
  'new_unrated',
] as const

/** Distinct conversions with credit under a fractional model; `levels` as named in platform-counts.ts. */
export async function distinctCounts(
  db: Db | Tx,
  params: AsOf & { levels: readonly string[]; range: DateRange },
): Promise<DistinctCounts[]> {
  return readColumns(
    db,
    columns,
    sql<DistinctCounts>`
    select level, platform, outcome_type, ${reportedRevenueType} as revenue_type, ${outcomeSum(sql`conversions`)} as conversions,
      ${unratedAndNewCounts(sql`conversions`)}
    from ${platformDaily(params)}
    where profile_id = ${params.profileId} and level = any(${params.levels}::text[])
      and day between ${params.range.from}::date and ${params.range.to}::date
    group by level, platform, outcome_type, 4`,
  )
}
