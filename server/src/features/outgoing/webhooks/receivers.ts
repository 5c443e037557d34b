/** Loads what decides which apps may receive which data of a profile. */
import { sql } from 'kysely'
import { lacksDpa } from '../../../platform/access/dpa.ts'
import { isHealthcareProfile } from '../../../platform/access/healthcare.ts'
import { personScopes } from '../../../platform/contract/access.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { RecipientProfile } from './rules.ts'

/** A `RecipientProfile` of the profile `p` in the workspace `w`. */
export const audience = sql`jsonb_build_object('isHealthcare', ${isHealthcareProfile},
  'provisionedByAppId', (
    select g.app_id from app_authorizations g join apps a on a.id = g.app_id
    where g.id = p.governing_authorization_id and g.app_id = p.provisioned_by_app_id
      and g.revoked_at is null and not g.allows_adoption and not ${lacksDpa}),
  'grants', coalesce((
    select jsonb_agg(jsonb_build_object('appId', g.app_id, 'grant', g.grant_name, 'scopes', case when ${lacksDpa}
      then array(select scope from unnest(g.scopes) as scope where scope <> all(${[...personScopes]}::text[])) else g.scopes end))
    from app_authorizations g join apps a on a.id = g.app_id
    where g.profile_id = p.id and g.revoked_at is null), '[]'))`

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
