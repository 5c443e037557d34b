import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type GapSaleRow = {
  id: string
  day: string
  occurred_at: Date
  is_cash: boolean
  value_minor: number | null
  customer_id: string
  packed: Buffer | null
}

/** Conversions that may be credited, with their stored credit. */
export async function listGapSales(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string; limit: number },
): Promise<GapSaleRow[]> {
  const { profileId } = params
  const { rows } = await sql<GapSaleRow>`
    select v.id, v.day, v.occurred_at, v.revenue_type = 'cash' as is_cash, v.report_value_minor as value_minor,
      u.customer_id, c.packed
    from (
      select * from conversions
      where profile_id = ${profileId} and attribution_eligible
        and day between ${params.from}::date and ${params.to}::date
      order by day, occurred_at, id limit ${params.limit}) v
    join identifiers u on u.profile_id = ${profileId} and u.id = v.identifier_id
    left join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    order by v.day, v.occurred_at, v.id`.execute(db)
  return rows
}

/** Paths of any of the entities. */
export async function pathsOfEntities(
  db: Db | Tx,
  params: { profileId: string; entityIds: readonly string[] },
): Promise<Set<number>> {
  const ids = sql`any(${params.entityIds}::uuid[])`
  const { rows } = await sql<{ number: number }>`
    select number from ad_paths where profile_id = ${params.profileId}
      and (campaign_id = ${ids} or ad_set_id = ${ids} or ad_id = ${ids})`.execute(db)
  return new Set(rows.map((row) => row.number))
}
