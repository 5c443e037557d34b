import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readColumns, toInstant } from '../../../../platform/db/read-columns.ts'
import { type AsOf, adEntities, deliveryDaily } from '../../rollups/tables.ts'

/** The last day with delivery of a source. */
export type SourceDay = { source: string; day: string }

/** Last day with delivery up to a day, per source of ad entities. */
export async function deliveryThrough(db: Db | Tx, params: AsOf & { to: string }): Promise<SourceDay[]> {
  const { profileId } = params
  return readColumns(
    db,
    ['source', 'day'],
    sql<SourceDay>`
    select s.source, d.day
    from (
      select distinct source from ${adEntities(params, 'e')}
      where profile_id = ${profileId} and source is not null) s
    cross join lateral (
      select day from ${deliveryDaily(params)} where profile_id = ${profileId} and source = s.source and day <= ${params.to}::date
      order by day desc limit 1) d
    order by s.source`,
  )
}

export type ConnectedSource = {
  connection_id: string
  source: string
  name: string
  last_success_at: Date | null
}

/** Connected ad accounts with the time of their last complete sync. */
export async function connectedSources(
  db: Db | Tx,
  params: { profileId: string; providers: readonly string[] },
): Promise<ConnectedSource[]> {
  const { profileId } = params
  type Row = Omit<ConnectedSource, 'last_success_at'> & { last_success_at: string | null }
  const rows = await readColumns(
    db,
    ['connection_id', 'source', 'name', 'last_success_at'],
    sql<Row>`
    select c.id as connection_id, c.provider as source, c.display_name as name, y.last_success_at
    from connections c
    left join connection_syncs y on y.profile_id = ${profileId} and y.connection_id = c.id
    where c.profile_id = ${profileId} and c.provider = any(${params.providers}::text[]) and c.status <> 'revoked'
    order by c.provider, c.id`,
  )
  return rows.map((row) => ({ ...row, last_success_at: toInstant(row.last_success_at) }))
}
