import type { Model } from '@whence/engine'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'
import type { Cover } from '../rules.ts'

export type CreditSum = {
  entity_id: string
  outcome_type: string
  revenue_type: string
  conversions: number
  value_minor: number
}

/** Credit per entity and outcome type; the nil entity holds what named none. */
export async function creditByEntity(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; model: Model; cover: Cover; entityId?: string },
): Promise<CreditSum[]> {
  const { profileId, level, cover } = params
  const [count, minor] = [sql.ref(`${params.model}_count`), sql.ref(`${params.model}_minor`)]
  const ofEntity = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
  const parts = cover.map(({ span, plus, minus }) => {
    const day = sql.ref(span === 1 ? 'day' : 'start')
    const sign = sql`case when ${day} = any(${minus}::date[]) then -1 else 1 end`
    return sql`
      select entity_id, outcome_type, revenue_type, ${sign} * ${count} as conversions, ${sign} * ${minor} as value_minor
      from ${span === 1 ? sql`credit_daily` : sql`credit_spans`}
      where profile_id = ${profileId} and level = ${level} ${span === 1 ? sql`` : sql`and span = ${span}`}
        and ${day} = any(${[...plus, ...minus]}::date[]) ${ofEntity}`
  })
  const { rows } = await sql<CreditSum>`
    select entity_id, outcome_type, revenue_type, sum(conversions)::bigint as conversions, sum(value_minor)::bigint as value_minor
    from (${sql.join(parts, sql` union all `)}) parts
    group by entity_id, outcome_type, revenue_type
    having sum(conversions) <> 0 or sum(value_minor) <> 0`.execute(db)
  return rows
}
