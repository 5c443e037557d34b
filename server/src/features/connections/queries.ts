import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { ConnectionSyncsTable, ConnectionsTable } from '../../db/schema.ts'

export type ConnectionRow = Selectable<ConnectionsTable>
export type SyncRow = Selectable<ConnectionSyncsTable>

/** An app's key sees what the app holds a live grant for; anyone else the profile's. */
export type Seer = { profileId: string; appId: string | null }

export async function listConnectionRows(
  db: Db | Tx,
  params: Seer & { id?: string; provider?: string | undefined },
): Promise<ConnectionRow[]> {
  let query = db
    .selectFrom('connections as c')
    .selectAll('c')
    .where('c.profile_id', '=', params.profileId)
    .orderBy('c.created_at')
    .orderBy('c.id')
  if (params.id !== undefined) query = query.where('c.id', '=', params.id)
  if (params.provider !== undefined) query = query.where('c.provider', '=', params.provider)
  if (params.appId !== null)
    query = query
      .innerJoin('connection_grants as g', (join) =>
        join.onRef('g.profile_id', '=', 'c.profile_id').onRef('g.connection_id', '=', 'c.id'),
      )
      .where('g.profile_id', '=', params.profileId)
      .where('g.app_id', '=', params.appId)
      .where('g.revoked_at', 'is', null)
  return query.execute()
}

export async function findConnection(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .executeTakeFirst()
}

export async function listSyncRows(
  db: Db | Tx,
  params: { profileId: string; connectionIds: readonly string[] },
): Promise<Map<string, SyncRow>> {
  if (params.connectionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('connection_syncs')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('connection_id', 'in', [...params.connectionIds])
    .execute()
  return new Map(rows.map((row) => [row.connection_id, row]))
}
