/** Who may be told what of a profile, as it stands now. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { SubscriptionRow } from './queries.ts'
import type { LiveGrant, ToldProfile } from './rules.ts'

type AudienceRow = {
  told_healthcare: boolean
  told_provisioned_by: string | null
  told_grants: LiveGrant[] | null
}

const audience = sql`w.healthcare or p.privacy_mode <> 'standard' as told_healthcare,
  p.provisioned_by_app_id as told_provisioned_by,
  (select jsonb_agg(jsonb_build_object('appId', a.app_id, 'grant', a.grant_name, 'scopes', a.scopes))
    from app_authorizations a where a.profile_id = p.id and a.revoked_at is null) as told_grants`

const toProfile = (row: AudienceRow): ToldProfile => ({
  isHealthcare: row.told_healthcare,
  provisionedByAppId: row.told_provisioned_by,
  grants: row.told_grants ?? [],
})

/** Undefined once the profile is archived. */
export async function loadAudience(
  db: Db | Tx,
  params: { profileId: string },
): Promise<ToldProfile | undefined> {
  const { rows } = await sql<AudienceRow>`
    select ${audience} from profiles p join workspaces w on w.id = p.workspace_id
    where p.id = ${params.profileId} and p.archived_at is null`.execute(db)
  return rows[0] && toProfile(rows[0])
}

/** Some subscriptions and what decides their reach, in one question: it is asked for every batch that is sent. */
export async function loadListeners(
  db: Db | Tx,
  params: { profileId: string; ids: readonly string[] },
): Promise<{ profile: ToldProfile | undefined; subscriptions: Map<string, SubscriptionRow> }> {
  const { rows } = await sql<SubscriptionRow & AudienceRow & { told_archived: boolean }>`
    select s.*, p.archived_at is not null as told_archived, ${audience}
    from webhook_subscriptions s
    join profiles p on p.id = ${params.profileId} join workspaces w on w.id = p.workspace_id
    where s.profile_id = ${params.profileId} and s.id = any(${params.ids}::uuid[])`.execute(db)
  const first = rows[0]
  return {
    profile: first === undefined || first.told_archived ? undefined : toProfile(first),
    subscriptions: new Map(rows.map((row) => [row.id, row])),
  }
}
