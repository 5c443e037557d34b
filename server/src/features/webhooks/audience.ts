/** Who may be told what of a profile, as it stands now. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { ToldProfile } from './rules.ts'

type Row = {
  privacy_mode: string
  healthcare: boolean
  provisioned_by_app_id: string | null
  app_id: string | null
  grant_name: string | null
  scopes: string[] | null
}

/** Undefined once the profile is archived. */
export async function loadAudience(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ToldProfile | undefined> {
  const { rows } = await sql<Row>`
    select p.privacy_mode, w.healthcare, p.provisioned_by_app_id, a.app_id, a.grant_name, a.scopes
    from profiles p join workspaces w on w.id = p.workspace_id
    left join app_authorizations a on a.profile_id = p.id and a.revoked_at is null
    where p.id = ${params.profileId} and p.archived_at is null`.execute(db)
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    isHealthcare: first.healthcare || first.privacy_mode !== 'standard',
    provisionedByAppId: first.provisioned_by_app_id,
    grants: rows.flatMap((row) =>
      row.app_id === null ? [] : [{ appId: row.app_id, grant: row.grant_name!, scopes: row.scopes! }],
    ),
  }
}
