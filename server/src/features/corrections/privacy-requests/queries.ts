import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

export type Holder = { profileId: string; workspaceId: string; connectionId: string }

/**
 * Every profile that the account is or was connected to, including revoked connections: a shop's redaction arrives two
 * days after it uninstalled the app. This is the only query across profiles for a provider account.
 */
export async function listHolders(db: Db, params: { provider: string; externalId: string }) {
  const { rows } = await sql<Holder>`
    select c.profile_id as "profileId", p.workspace_id as "workspaceId", c.id as "connectionId"
    from profiles p join connections c on c.profile_id = p.id
    where c.provider = ${params.provider} and c.external_id = ${params.externalId}
    order by c.profile_id, c.id`.execute(db)
  return rows
}

/** A page of identifiers, one of each person that the connection reported. Erased people are left out. */
export async function listPeople(
  db: Db,
  params: { profileId: string; connectionId: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct (e.body -> 'identifiers' -> 0 ->> 'id')::uuid as id from events e
    where e.profile_id = ${params.profileId} and e.body ->> 'connection_id' = ${params.connectionId}
      and e.body ->> 'erased_as' is null
      and (e.body -> 'identifiers' -> 0 ->> 'id')::uuid > ${params.after}::uuid
      and exists (
        select 1 from identifiers i
        where i.profile_id = ${params.profileId} and i.id = (e.body -> 'identifiers' -> 0 ->> 'id')::uuid
          and not exists (
            select 1 from erased_customers x
            where x.profile_id = ${params.profileId} and x.id = i.customer_id))
    order by id limit ${params.limit}`.execute(db)
  return rows.map(({ id }) => id)
}
