import { sql } from 'kysely'
import { isUuid } from '../../../platform/contract/ids.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { readColumns } from '../../../platform/db/read-columns.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { type AsOf, adEntities } from './tables.ts'

/** In order of precedence when a platform id exists at several levels. */
export const allLevels: readonly AdLevel[] = ['campaign', 'ad_set', 'ad']

export type EntityDetail = {
  id: string
  level: AdLevel
  external_id: string
  source: string | null
  /** Source of its topmost ancestor, under whose platform credit and delivery are counted. */
  top_source: string | null
  name: string | null
  status: string | null
  objective: string | null
  daily_budget_minor: number | null
  currency: string | null
  /** Whether a connection that is not revoked lists it. */
  is_connected: boolean
  campaign_id: string | null
  ad_set_id: string | null
  campaign_external_id: string | null
  campaign_name: string | null
  campaign_objective: string | null
  ad_set_external_id: string | null
  ad_set_name: string | null
}

const topSource = sql`
  case when c.id is not null then c.source when s.id is not null then s.source else e.source end as top_source`

const withParents = ({ profileId, asOf }: AsOf) => sql`
  from ${adEntities({ profileId, asOf }, 'e')}
  left join ${adEntities({ profileId, asOf }, 'c')} on c.profile_id = ${profileId} and c.id = e.campaign_id
  left join ${adEntities({ profileId, asOf }, 's')} on s.profile_id = ${profileId} and s.id = e.ad_set_id
  where e.profile_id = ${profileId}`

const detail = ({ profileId, asOf }: AsOf) => sql`
  select e.id, e.level, e.external_id, e.source, e.name, e.status, e.objective, e.daily_budget_minor, e.currency,
    e.campaign_id, e.ad_set_id, ${topSource},
    exists (select 1 from connections x
      where x.profile_id = ${profileId} and x.id = e.connection_id and x.status <> 'revoked') as is_connected,
    c.external_id as campaign_external_id, c.name as campaign_name, c.objective as campaign_objective,
    s.external_id as ad_set_external_id, s.name as ad_set_name
  ${withParents({ profileId, asOf })}`

const nameColumns = ['id', 'level', 'external_id', 'name', 'source', 'top_source'] as const
const detailColumns = [
  ...nameColumns,
  'status',
  'objective',
  'daily_budget_minor',
  'currency',
  'is_connected',
  'campaign_id',
  'ad_set_id',
  'campaign_external_id',
  'campaign_name',
  'campaign_objective',
  'ad_set_external_id',
  'ad_set_name',
] as const

export async function entityDetails(
  db: Db | Tx,
  params: AsOf & { ids: readonly string[] },
): Promise<Map<string, EntityDetail>> {
  const rows = await readColumns(
    db,
    detailColumns,
    sql<EntityDetail>`${detail(params)} and e.id = any(${params.ids}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export type EntityName = Pick<EntityDetail, 'id' | 'level' | 'external_id' | 'name' | 'source' | 'top_source'>

/** Name and platform only, a third of the columns: for reports with rows for all entities. */
export async function entityNames(
  db: Db | Tx,
  params: AsOf & { ids: readonly string[] },
): Promise<Map<string, EntityName>> {
  const rows = await readColumns(
    db,
    nameColumns,
    sql<EntityName>`
    select e.id, e.level, e.external_id, e.name, e.source, ${topSource}
    ${withParents(params)} and e.id = any(${params.ids}::uuid[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** By our id or the platform's. If several levels have the platform id, the first of `levels` takes precedence. */
export async function findEntity(
  db: Db | Tx,
  params: AsOf & { id: string; levels: readonly AdLevel[] },
): Promise<EntityDetail | undefined> {
  const internalId = isUuid(params.id) ? params.id : null
  const levels = sql`${[...params.levels]}::text[]`
  const [entity] = await readColumns(
    db,
    detailColumns,
    sql<EntityDetail>`
    ${detail(params)} and e.level = any(${levels}) and (e.id = ${internalId}::uuid or e.external_id = ${params.id})
    order by coalesce(e.id = ${internalId}::uuid, false) desc, array_position(${levels}, e.level) limit 1`,
  )
  return entity
}

/** The ad sets and ads in a campaign, or the ads in an ad set. */
export async function descendantIds(db: Db | Tx, params: AsOf & { parentId: string }): Promise<Set<string>> {
  const rows = await readColumns(
    db,
    ['id'],
    sql<{ id: string }>`
    select id from ${adEntities(params, 'e')}
    where profile_id = ${params.profileId} and (campaign_id = ${params.parentId} or ad_set_id = ${params.parentId})`,
  )
  return new Set(rows.map((row) => row.id))
}

export type OrphanEntity = { id: string; level: 'ad_set' | 'ad' }

/** Ad sets without a campaign, and ads without campaign and ad set. */
export async function orphanEntities(db: Db | Tx, params: AsOf): Promise<OrphanEntity[]> {
  return readColumns(
    db,
    ['id', 'level'],
    sql<OrphanEntity>`
    select id, level from ${adEntities(params, 'e')}
    where profile_id = ${params.profileId} and campaign_id is null
      and (level = 'ad_set' or (level = 'ad' and ad_set_id is null))`,
  )
}
