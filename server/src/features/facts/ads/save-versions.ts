/** Keeps previous versions of the ad entity fields that reports show. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

const types = {
  source: 'text',
  connection_id: 'uuid',
  name: 'text',
  status: 'text',
  objective: 'text',
  daily_budget_minor: 'bigint',
  currency: 'text',
  campaign_id: 'uuid',
  ad_set_id: 'uuid',
} as const

/** The columns of a version. */
export const versionColumns = Object.keys(types) as (keyof typeof types)[]

const listOf = (prefix: string) => sql.raw(versionColumns.map((name) => `${prefix}${name}`).join(', '))

/** Runs a change of these entities and saves the previous version of each that changed. */
export async function withEntityVersions<T>(
  tx: Tx,
  profileId: string,
  ids: readonly string[],
  now: Date,
  change: () => Promise<T>,
): Promise<T> {
  if (ids.length === 0) return change()
  const { rows } = await sql`
    select id, ${listOf('')} from ad_entities
    where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(tx)
  const result = await change()
  if (rows.length === 0) return result
  const columns = sql.raw(versionColumns.map((name) => `${name} ${types[name]}`).join(', '))
  await sql`
    insert into ad_entity_versions (profile_id, entity_id, replaced_at, ${listOf('')})
    select e.profile_id, e.id, ${now}::timestamptz, ${listOf('b.')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(id uuid, ${columns})
    join ad_entities e on e.profile_id = ${profileId} and e.id = b.id
    where row(${listOf('e.')}) is distinct from row(${listOf('b.')})
    on conflict (profile_id, entity_id, replaced_at) do nothing`.execute(tx)
  return result
}
