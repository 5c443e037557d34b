import type { Model } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'
import { CASH, FIRST_CASH, NEW_CUSTOMERS, UNRATED_CASH } from '../../attribution/credits/rollups.ts'
import { type CreditRow, dividing } from '../definitions.ts'
import type { Cover } from '../rules.ts'

export type CreditSum = CreditRow & { entity_id: string }

/** The revenue type by which a rollup's row is shown. */
export const shownRevenueType = sql`case when ${isOf([...CASH, ...UNRATED_CASH])} then 'cash' else revenue_type end`

/** Whether a rollup's row is of one of these revenue types. */
export function isOf(revenueTypes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`revenue_type in (${sql.join(revenueTypes)})`
}

const unratedFirst = UNRATED_CASH.filter((type) => (FIRST_CASH as readonly string[]).includes(type))

/** How many of the conversions have no rate, and how many of them and how much money are of new customers. */
export function countsBeside(conversions: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    coalesce(sum(${conversions}) filter (where ${isOf(UNRATED_CASH)}), 0)::bigint as unrated,
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

/** Credit per entity and outcome type; the nil entity holds what named none. */
export async function creditByEntity(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; model: Model; cover: Cover; entityId?: string },
): Promise<CreditSum[]> {
  const { profileId, level, cover } = params
  const { count, minor, high, low } = modelColumns(params.model)
  const ofEntity = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
  const parts = cover.map(({ span, plus, minus }) => {
    const day = sql.ref(span === 1 ? 'day' : 'start')
    const sign = sql`case when ${day} = any(${minus}::date[]) then -1 else 1 end`
    return sql`
      select entity_id, outcome_type, revenue_type, ${sign} * ${count} as conversions, ${sign} * ${minor} as value_minor,
        ${sign} * ${high} as share_high, ${sign} * ${low} as share_low
      from ${span === 1 ? sql`credit_daily` : sql`credit_spans`}
      where profile_id = ${profileId} and level = ${level} ${span === 1 ? sql`` : sql`and span = ${span}`}
        and ${day} = any(${[...plus, ...minus]}::date[]) ${ofEntity}`
  })
  const { rows } = await sql<CreditSum>`
    select entity_id, outcome_type, ${shownRevenueType} as revenue_type, sum(conversions)::bigint as conversions,
      sum(value_minor)::bigint as value_minor, sum(share_high)::bigint as share_high, sum(share_low)::bigint as share_low,
      ${countsBeside(sql`conversions`)}, ${firstMoney(sql`value_minor`)}
    from (${sql.join(parts, sql` union all `)}) parts
    group by entity_id, outcome_type, 3
    having sum(conversions) <> 0 or sum(value_minor) <> 0`.execute(db)
  return rows
}
