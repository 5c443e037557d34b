import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import {
  CASH,
  FIRST_CASH,
  NEW_CUSTOMERS,
  NIL_ENTITY,
  UNRATED_CASH,
  UNRATED_REFUNDS,
} from '../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { type CreditRow, fractionalModels } from '../definitions/definitions.ts'
import type { Cover } from '../definitions/rules.ts'
import { dayArray } from './days.ts'
import { type AsOf, creditDaily } from './tables.ts'

export type CreditSum = CreditRow & { entity_id: string }

const refundTypes: readonly string[] = UNRATED_REFUNDS
const unratedTypes: readonly string[] = [...UNRATED_CASH, ...UNRATED_REFUNDS]
const reportedAsCash: readonly string[] = [...CASH, ...unratedTypes]
/** SQL: the revenue type under which a rollup row is reported. */
export const reportedRevenueType = sql`case when ${hasRevenueType(reportedAsCash)} then 'cash' else revenue_type end`

/** SQL: whether a rollup row has one of these revenue types. */
export function hasRevenueType(revenueTypes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`revenue_type in (${sql.join(revenueTypes.map((type) => sql.lit(type)))})`
}

const unratedFirst = [
  ...UNRATED_CASH.filter((type) => (FIRST_CASH as readonly string[]).includes(type)),
  'refund_first_unrated',
]

/** SQL: cash rows, including those without an exchange rate. */
export const isCash: RawBuilder<boolean> = hasRevenueType(reportedAsCash)

/** SQL: whether a rollup row counts outcomes. Refunds without an exchange rate are counted in separate rows. */
export const isOutcome: RawBuilder<boolean> = sql<boolean>`not ${hasRevenueType(refundTypes)}`

/** SQL: rows that count facts without an exchange rate. */
export const isUnrated: RawBuilder<boolean> = hasRevenueType(unratedTypes)

export function unratedSum(count: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${count}) filter (where ${isUnrated}), 0)::bigint`
}

/** SQL: sum over the rows that count outcomes. */
export function outcomeSum(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${column}) filter (where ${isOutcome}), 0)::bigint`
}

/** SQL: the number of facts without a rate, of new customers, and of new customers' facts without a rate. */
export function unratedAndNewCounts(conversions: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${unratedSum(conversions)} as unrated,
    coalesce(sum(${conversions}) filter (where ${hasRevenueType(NEW_CUSTOMERS)}), 0)::bigint as new_customers,
    coalesce(sum(${conversions}) filter (where ${hasRevenueType(unratedFirst)}), 0)::bigint as new_unrated`
}

export function newCustomerValue(valueMinor: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${valueMinor}) filter (where ${hasRevenueType(FIRST_CASH)}), 0)::bigint as new_value_minor`
}

/** Columns of a rollup for one model. */
export function modelColumns(model: Model): Record<'count' | 'minor' | 'high' | 'low', RawBuilder<unknown>> {
  const isDividing = fractionalModels.has(model)
  return {
    count: sql.ref(`${model}_count`),
    minor: sql.ref(`${model}_minor`),
    high: isDividing ? sql.ref(`${model}_share_high`) : sql`0`,
    low: isDividing ? sql.ref(`${model}_share_low`) : sql`0`,
  }
}

/**
 * Credit per entity, outcome type and stored revenue type, so there are several rows of cash. The nil entity has the
 * credit without an entity. Revenue types are mapped in JavaScript: a sign or `case` per row and column in SQL was a
 * third of the query time.
 */
export async function creditByEntity(
  db: Db | Tx,
  params: Covered & { entityId?: string },
): Promise<CreditSum[]> {
  const { high, low } = modelColumns(params.model)
  const isDividing = fractionalModels.has(params.model)
  const sharesOf = (sign: RawBuilder<unknown>) =>
    isDividing ? sql`, ${sign}${high} as share_high, ${sign}${low} as share_low` : sql``
  const entityFilter = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
  const shares = isDividing
    ? sql`, sum(share_high)::bigint as share_high, sum(share_low)::bigint as share_low`
    : sql``
  const columns = isDividing ? dividedColumns : wholeColumns
  const rows = await readColumns(
    db,
    columns,
    sql<Stored>`
    select entity_id, outcome_type, revenue_type, sum(conversions)::bigint as conversions,
      sum(value_minor)::bigint as value_minor ${shares}
    from (${partsOf(db, params, sharesOf, entityFilter)}) parts
    group by entity_id, outcome_type, revenue_type
    having sum(conversions) <> 0 or sum(value_minor) <> 0`,
  )
  return rows.map(toCreditSum)
}

const wholeColumns = ['entity_id', 'outcome_type', 'revenue_type', 'conversions', 'value_minor'] as const
const dividedColumns = [...wholeColumns, 'share_high', 'share_low'] as const

type Covered = AsOf & { level: AdLevel; model: Model; cover: Cover }

/** Stored sums that cover the range and have credit under the model; sums to subtract have their sign reversed. */
function partsOf(
  db: Db | Tx,
  params: Covered,
  sharesOf: (sign: RawBuilder<unknown>) => RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { profileId, level, cover } = params
  const { count, minor } = modelColumns(params.model)
  const partOf = (span: number, starts: readonly string[], sign: RawBuilder<unknown>) => {
    const day = sql.ref(span === 1 ? 'day' : 'start')
    return sql`
      select entity_id, outcome_type, revenue_type, ${sign}${count} as conversions, ${sign}${minor} as value_minor ${sharesOf(sign)}
      from ${span === 1 ? creditDaily(params) : sql`credit_spans`}
      where profile_id = ${profileId} and level = ${sql.lit(level)} ${span === 1 ? sql`` : sql`and span = ${sql.lit(span)}`}
        and ${day} = any(${dayArray(db, starts)}) and (${count} <> 0 or ${minor} <> 0) ${which}`
  }
  const subtracts = cover.some(({ minus }) => minus.length > 0)
  const parts = cover.flatMap(({ span, plus, minus }) => [
    partOf(span, plus, sql``),
    ...(subtracts ? [partOf(span, minus, sql`-`)] : []),
  ])
  return sql.join(parts, sql` union all `)
}

/** Cash credited to entities of a level, and unattributed cash. */
export type CreditedCash = { creditedMinor: number; unattributedMinor: number }

/** For reports without a row per entity: the same sums, aggregated in SQL. */
export async function cashOfLevel(db: Db | Tx, params: Covered): Promise<CreditedCash> {
  const isNone = sql`entity_id = ${NIL_ENTITY}`
  const [sums] = await readColumns(
    db,
    ['creditedMinor', 'unattributedMinor'],
    sql<CreditedCash>`
    select coalesce(sum(value_minor) filter (where not ${isNone}), 0)::bigint as "creditedMinor",
      coalesce(sum(value_minor) filter (where ${isNone}), 0)::bigint as "unattributedMinor"
    from (${partsOf(db, params, () => sql``, sql`and ${isCash}`)}) parts`,
  )
  return sums!
}

/** Shares are present only under fractional models. */
type Stored = Pick<CreditSum, 'entity_id' | 'outcome_type' | 'revenue_type' | 'conversions' | 'value_minor'> &
  Partial<Pick<CreditSum, 'share_high' | 'share_low'>>

/** JavaScript equivalent of `reportedRevenueType`, `outcomeSum`, `unratedAndNewCounts` and `newCustomerValue`. */
function classifyType(revenueType: string) {
  return {
    shownType: reportedAsCash.includes(revenueType) ? 'cash' : revenueType,
    isRefund: refundTypes.includes(revenueType),
    isUnrated: unratedTypes.includes(revenueType),
    isNewCustomer: (NEW_CUSTOMERS as readonly string[]).includes(revenueType),
    isUnratedFirst: unratedFirst.includes(revenueType),
    isFirstCash: (FIRST_CASH as readonly string[]).includes(revenueType),
  }
}

const cashTypes = new Map([...reportedAsCash].map((type) => [type, classifyType(type)]))

function toCreditSum(row: Stored): CreditSum {
  const { revenue_type, conversions, value_minor, share_high = 0, share_low = 0 } = row
  const type = cashTypes.get(revenue_type) ?? classifyType(revenue_type)
  return {
    entity_id: row.entity_id,
    outcome_type: row.outcome_type,
    revenue_type: type.shownType,
    conversions: type.isRefund ? 0 : conversions,
    value_minor,
    share_high: type.isRefund ? 0 : share_high,
    share_low: type.isRefund ? 0 : share_low,
    unrated: type.isUnrated ? conversions : 0,
    new_customers: type.isNewCustomer ? conversions : 0,
    new_unrated: type.isUnratedFirst ? conversions : 0,
    new_value_minor: type.isFirstCash ? value_minor : 0,
  }
}
