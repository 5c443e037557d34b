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
  const measures = sql`${sql.ref(`${params.model}_count`)} as conversions, ${sql.ref(`${params.model}_minor`)} as value_minor`
  const ofEntity = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
  const ofSpans = cover.starts
    .filter(({ starts }) => starts.length > 0)
    .map(
      ({ span, starts }) => sql`
        union all
        select entity_id, outcome_type, revenue_type, ${measures} from credit_spans
        where profile_id = ${profileId} and level = ${level} and span = ${span} and start = any(${starts}::date[]) ${ofEntity}`,
    )
  const { rows } = await sql<CreditSum>`
    select entity_id, outcome_type, revenue_type, sum(conversions)::bigint as conversions, sum(value_minor)::bigint as value_minor
    from (
      select entity_id, outcome_type, revenue_type, ${measures} from credit_daily
      where profile_id = ${profileId} and level = ${level} and day = any(${cover.days}::date[]) ${ofEntity}
      ${sql.join(ofSpans, sql` `)}
    ) parts
    group by entity_id, outcome_type, revenue_type
    having sum(conversions) <> 0 or sum(value_minor) <> 0`.execute(db)
  return rows
}
