import { sql } from 'kysely'
import { personScopes } from '../../contract/access.ts'
import type { Db, Tx } from '../../db/database.ts'

type PostureRow = {
  profile_id: string
  name: string
  privacy_mode: 'standard' | 'platform_safe' | 'hipaa'
  is_healthcare: boolean
  provisioned_by_app_id: string | null
  partner_apps: number
  partner_apps_reading_people: number
}

export async function readComplianceOverview(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<{ healthcare: boolean; profiles: PostureRow[] }> {
  const { workspaceId } = params
  const { healthcare } = await db
    .selectFrom('workspaces')
    .select('healthcare')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<PostureRow>`
    select p.id as profile_id, p.name, p.privacy_mode, p.provisioned_by_app_id,
      (p.privacy_mode <> 'standard' or ${healthcare}) as is_healthcare,
      count(distinct au.app_id) as partner_apps,
      count(distinct au.app_id) filter (where au.scopes && ${[...personScopes]}::text[]) as partner_apps_reading_people
    from profiles p
    left join app_authorizations au on au.profile_id = p.id and au.revoked_at is null
    where p.workspace_id = ${workspaceId} and p.archived_at is null
    group by p.id, p.name, p.privacy_mode, p.provisioned_by_app_id, p.created_at
    order by p.created_at, p.id`.execute(db)
  return { healthcare, profiles: rows }
}

export async function setHealthcare(
  tx: Tx,
  params: { workspaceId: string; healthcare: boolean },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ healthcare: params.healthcare })
    .where('id', '=', params.workspaceId)
    .execute()
}

export async function readReportingCurrency(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<{ reporting_currency: string | null; profile_currencies: string[] }> {
  const { reporting_currency } = await db
    .selectFrom('workspaces')
    .select('reporting_currency')
    .where('id', '=', params.workspaceId)
    .executeTakeFirstOrThrow()
  const currencies = await db
    .selectFrom('profiles')
    .select('currency')
    .distinct()
    .where('workspace_id', '=', params.workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('currency')
    .execute()
  return { reporting_currency, profile_currencies: currencies.map((row) => row.currency) }
}

export async function setReportingCurrency(
  tx: Tx,
  params: { workspaceId: string; currency: string | null },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ reporting_currency: params.currency })
    .where('id', '=', params.workspaceId)
    .execute()
}
