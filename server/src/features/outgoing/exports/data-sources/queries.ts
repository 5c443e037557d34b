import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { SourceConnection } from './rules.ts'

export async function listSourceConnections(
  db: Db | Tx,
  params: { profileId: string },
): Promise<SourceConnection[]> {
  const { rows } = await sql<SourceConnection>`
    select provider, status, provider_subtype, dataset_id from connections where profile_id = ${params.profileId}`.execute(
    db,
  )
  return rows
}

export async function hasTrackingKey(db: Db | Tx, params: { profileId: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from credentials
    where profile_id = ${params.profileId} and kind = 'tracking_key' and revoked_at is null limit 1`.execute(
    db,
  )
  return rows.length > 0
}
