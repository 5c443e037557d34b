/** Who may be sent what of a profile, as it is now. */
import { sql } from 'kysely'
import { isHealthcareProfile } from '../../../platform/access/healthcare.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { RecipientProfile } from './rules.ts'

/** A `RecipientProfile` of the profile `p` in the workspace `w`. */
export const audience = sql`jsonb_build_object('isHealthcare', ${isHealthcareProfile},
  'provisionedByAppId', (
    select g.app_id from app_authorizations g where g.id = p.governing_authorization_id
      and g.app_id = p.provisioned_by_app_id and g.revoked_at is null and not g.allows_adoption),
  'grants', coalesce((
    select jsonb_agg(jsonb_build_object('appId', a.app_id, 'grant', a.grant_name, 'scopes', a.scopes))
    from app_authorizations a where a.profile_id = p.id and a.revoked_at is null), '[]'))`

/** Undefined once the profile is archived. */
export async function loadAudience(
  db: Db | Tx,
  params: { profileId: string },
): Promise<RecipientProfile | undefined> {
  const { rows } = await sql<{ profile: RecipientProfile }>`
    select ${audience} as profile from profiles p join workspaces w on w.id = p.workspace_id
    where p.id = ${params.profileId} and p.archived_at is null`.execute(db)
  return rows[0]?.profile
}
