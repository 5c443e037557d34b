import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import { reachOfSingleRow } from '../../facts/ads/delivery.ts'
import { nullableMeasures } from '../../facts/ads/delivery-changes.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import type { Cover } from '../definitions/rules.ts'
import { dayArray } from './days.ts'
import { type AsOf, deliveryDaily } from './tables.ts'

export type DeliverySum = {
  entity_id: string
  spend_minor: number
  impressions: number | null
  clicks: number | null
  reach: number | null
  platform_conversions_milli: number | null
  platform_value_minor: number | null
  messaging_started_7d: number | null
  fx_missing: number
}

const columns = ['entity_id', 'spend_minor', ...nullableMeasures, 'fx_missing'] as const
const stored = sql.raw(columns.join(', '))

/** Effective delivery per entity, summed over all sources, in the report currency. */
export async function deliveryByEntity(
  db: Db | Tx,
  params: AsOf & {
    level: AdLevel
    cover: Cover
    entityId?: string
    entityIds?: readonly string[]
  },
): Promise<DeliverySum[]> {
  const { profileId, level, cover } = params
  const byId = params.entityId === undefined ? sql`` : sql`and entity_id = ${params.entityId}`
  const entityFilter =
    params.entityIds === undefined ? byId : sql`${byId} and entity_id = any(${params.entityIds}::uuid[])`
  const parts = cover.map(
    ({ span, plus }) => sql`
      select ${stored} from ${span === 1 ? deliveryDaily(params) : sql`delivery_spans`}
      where profile_id = ${profileId} and level = ${sql.lit(level)} ${span === 1 ? sql`` : sql`and span = ${sql.lit(span)}`}
        and ${sql.ref(span === 1 ? 'day' : 'start')} = any(${dayArray(db, plus)}) ${entityFilter}`,
  )
  return readColumns(
    db,
    columns,
    sql<DeliverySum>`
    select entity_id, sum(spend_minor)::bigint as spend_minor, sum(impressions)::bigint as impressions,
      sum(clicks)::bigint as clicks, ${reachOfSingleRow(sql`reach`)} as reach,
      sum(platform_conversions_milli)::bigint as platform_conversions_milli,
      sum(platform_value_minor)::bigint as platform_value_minor,
      sum(messaging_started_7d)::bigint as messaging_started_7d, sum(fx_missing)::bigint as fx_missing
    from (${sql.join(parts, sql` union all `)}) parts
    group by entity_id`,
  )
}
