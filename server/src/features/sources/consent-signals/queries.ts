import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

export type DomainPolicy = { gpc: 'honor' | 'explicit_choice_wins'; since: string }

/** Policies of the profiles of the shard that verified this domain, and since when. */
export async function listDomainPolicies(db: Db, params: { domain: string }): Promise<DomainPolicy[]> {
  const { rows } = await sql<DomainPolicy>`
    select coalesce(s.gpc, 'honor') as gpc, (coalesce(s.updated_at, d.created_at) at time zone 'UTC')::date::text as since
    from tracking_domains d
    left join tracking_settings s on s.profile_id = d.profile_id
    where d.domain = ${params.domain} and d.status = 'verified'`.execute(db)
  return rows
}
