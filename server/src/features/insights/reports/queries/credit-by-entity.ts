import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readColumns } from '../../../../platform/db/read-columns.ts'
import {
  CASH,
  FIRST_CASH,
  NEW_CUSTOMERS,
  NIL_ENTITY,
  UNRATED_CASH,
  UNRATED_REFUNDS,
} from '../../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../../facts/ads/entities.ts'
import { type CreditRow, dividing } from '../definitions.ts'
import type { Cover } from '../rules.ts'
import { type AsOf, creditDaily } from './as-of.ts'
import { listOfDays } from './days.ts'

export type CreditSum = CreditRow & { entity_id: string }

const refundTypes: readonly string[] = UNRATED_REFUNDS
const unratedTypes: readonly string[] = [...UNRATED_CASH, ...UNRATED_REFUNDS]
const shownTypes: readonly string[] = [...CASH, ...unratedTypes]
/** The revenue type by which a rollup's row is shown. */
export const shownRevenueType = sql`case when ${isOf(shownTypes)} then 'cash' else revenue_type end`

/** Whether a rollup's row is of one of these revenue types. */
export function isOf(revenueTypes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`revenue_type in (${sql.join(revenueTypes.map((type) => sql.lit(type)))})`
}

const unratedFirst = [
  ...UNRATED_CASH.filter((type) => (FIRST_CASH as readonly string[]).includes(type)),
  'refund_first_unrated',
]

/** Rows of cash, money or not. */
export const isCash: RawBuilder<boolean> = isOf(shownTypes)

/** Whether a rollup's row counts outcomes: refunds without a rate are counted in rows of their own. */
export const isOutcome: RawBuilder<boolean> = sql<boolean>`not ${isOf(refundTypes)}`

/** Rows whose counts are facts without a rate. */
export const isUnrated: RawBuilder<boolean> = isOf(unratedTypes)

export function unratedSum(count: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${count}) filter (where ${isUnrated}), 0)::bigint`
}

/** A sum over the rows of outcomes. */
export function outcomeSum(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${column}) filter (where ${isOutcome}), 0)::bigint`
}

/** How many facts have no rate, and how many of them and of the conversions are of new customers. */
export function unratedAndNewCounts(conversions: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    ${unratedSum(conversions)} as unrated,
    coalesce(sum(${conversions}) filter (where ${isOf(NEW_CUSTOMERS)}), 0)::bigint as new_customers,
    coalesce(sum(${conversions}) filter (where ${isOf(unratedFirst)}), 0)::bigint as new_unrated`
}

export function firstMoney(valueMinor: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(sum(${valueMinor}) filter (where ${isOf(FIRST_CASH)}), 0)::bigint as new_value_minor`
}

/** Columns of a rollup under one model. */
export function modelColumns(model: Model): Record<'count' | 'minor' | 'high' | 'low', RawBuilder<unknown>> {
  const isDividing = dividing.has(model)
  return {
    count: sql.ref(`${model}_count`),
    minor: sql.ref(`${model}_minor`),
    high: isDividing ? sql.ref(`${model}_share_high`) : sql`0`,
    low: isDividing ? sql.ref(`${model}_share_low`) : sql`0`,
  }
}

/**
 * Credit per entity, outcome type and revenue type as the rollups keep it, so that cash comes in several rows. The nil
 * entity holds what named none. A sign or a case for each row and column was a third of the work.
 */
export async function creditByEntity(
  db: Db | Tx,
  params: Covered & { entityId?: string },
): Promise<CreditSum[]> {
  const { high, low } = modelColumns(params.model)
  const isDividing = dividing.has(params.model)
  const sharesOf = (sign: RawBuilder<unknown>) =>
    isDividing ? sql`, ${sign}${high} as share_high, ${sign}${low} as share_low` : sql``
  const ofEntity = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
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
    from (${partsOf(db, params, sharesOf, ofEntity)}) parts
    group by entity_id, outcome_type, revenue_type
    having sum(conversions) <> 0 or sum(value_minor) <> 0`,
  )
  return rows.map(toShown)
}

const wholeColumns = ['entity_id', 'outcome_type', 'revenue_type', 'conversions', 'value_minor'] as const
const dividedColumns = [...wholeColumns, 'share_high', 'share_low'] as const

type Covered = AsOf & { level: AdLevel; model: Model; cover: Cover }

/** Rows of the stored sums that cover the range and have any of the model's credit, those to take away with the sign turned. */
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
        and ${day} = any(${listOfDays(db, starts)}) and (${count} <> 0 or ${minor} <> 0) ${which}`
  }
  const takesAway = cover.some(({ minus }) => minus.length > 0)
  const parts = cover.flatMap(({ span, plus, minus }) => [
    partOf(span, plus, sql``),
    ...(takesAway ? [partOf(span, minus, sql`-`)] : []),
  ])
  return sql.join(parts, sql` union all `)
}

/** Cash that entities of a level were credited with, and cash that none was. */
export type CreditedCash = { creditedMinor: number; unattributedMinor: number }

/** For reports that show no row for each entity: the same sums in one row instead of one for each entity and kind. */
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

/** Shares are reported under the models that divide. */
type Stored = Pick<CreditSum, 'entity_id' | 'outcome_type' | 'revenue_type' | 'conversions' | 'value_minor'> &
  Partial<Pick<CreditSum, 'share_high' | 'share_low'>>

/** What `shownRevenueType`, `outcomeSum`, `unratedAndNewCounts` and `firstMoney` say in SQL, of rows of one revenue type. */
function readType(revenueType: string) {
  return {
    shownType: shownTypes.includes(revenueType) ? 'cash' : revenueType,
    isRefund: refundTypes.includes(revenueType),
    isUnrated: unratedTypes.includes(revenueType),
    isNewCustomer: (NEW_CUSTOMERS as readonly string[]).includes(revenueType),
    isUnratedFirst: unratedFirst.includes(revenueType),
    isFirstCash: (FIRST_CASH as readonly string[]).includes(revenueType),
  }
}

const knownTypes = new Map([...shownTypes].map((type) => [type, readType(type)]))

function toShown(row: Stored): CreditSum {
  const { revenue_type, conversions, value_minor, share_high = 0, share_low = 0 } = row
  const type = knownTypes.get(revenue_type) ?? readType(revenue_type)
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
