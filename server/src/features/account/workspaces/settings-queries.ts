import { sql } from 'kysely'
import { lacksDpa } from '../../../platform/access/dpa.ts'
import { isHealthcareProfile } from '../../../platform/access/healthcare.ts'
import { personScopes } from '../../../platform/contract/access.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'

type ProfilePrivacyRow = {
  profile_id: string
  name: string
  privacy_mode: 'standard' | 'platform_safe' | 'hipaa'
  is_healthcare: boolean
  hipaa_agreement_signed_at: Date | null
  export_destinations: number
  provisioned_by_app_id: string | null
  partner_apps: number
  partner_apps_reading_people: number
}

export async function readComplianceOverview(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<{ healthcare: boolean; profiles: ProfilePrivacyRow[] }> {
  const { workspaceId } = params
  const { healthcare } = await rowsWhere(db, 'workspaces', { id: workspaceId }).get(['healthcare'])
  const { rows } = await sql<Omit<ProfilePrivacyRow, 'hipaa_agreement_signed_at' | 'export_destinations'>>`
    select p.id as profile_id, p.name, p.privacy_mode, p.provisioned_by_app_id,
      ${isHealthcareProfile} as is_healthcare,
      count(distinct au.app_id) as partner_apps,
      count(distinct au.app_id) filter (
        where au.scopes && ${[...personScopes]}::text[] and not ${lacksDpa}) as partner_apps_reading_people
    from profiles p
    join workspaces w on w.id = p.workspace_id
    left join app_authorizations au on au.profile_id = p.id and au.revoked_at is null
    left join apps a on a.id = au.app_id
    where p.workspace_id = ${workspaceId} and p.archived_at is null
    group by p.id, p.name, p.privacy_mode, p.provisioned_by_app_id, p.created_at, w.healthcare
    order by p.created_at, p.id`.execute(db)
  const profileIds = rows.map((row) => row.profile_id)
  const exports = await readExportSettings(db, profileIds)
  const profiles = rows.map((row) => ({
    ...row,
    hipaa_agreement_signed_at: exports.signedAt.get(row.profile_id) ?? null,
    export_destinations: exports.destinations.get(row.profile_id) ?? 0,
  }))
  return { healthcare, profiles }
}

/** Export settings of each profile. */
async function readExportSettings(db: Db | Tx, profileIds: readonly string[]) {
  const signed = await sql<{ profile_id: string; at: Date | null }>`
    select profile_id, agreement_signed_at as at from export_settings
    where profile_id = any(${uuidList(profileIds)}::uuid[])`.execute(db)
  const enabled = await sql<{ profile_id: string; count: number }>`
    select profile_id, count(*) as count from export_destinations
    where profile_id = any(${uuidList(profileIds)}::uuid[]) and enabled group by profile_id`.execute(db)
  return {
    signedAt: new Map(signed.rows.map((row) => [row.profile_id, row.at])),
    destinations: new Map(enabled.rows.map((row) => [row.profile_id, row.count])),
  }
}

export async function setHealthcare(tx: Tx, params: { workspaceId: string; healthcare: boolean }) {
  await rowsWhere(tx, 'workspaces', { id: params.workspaceId }).update({ healthcare: params.healthcare })
}

export async function readReportingCurrency(
  db: Db | Tx,
  params: { workspaceId: string },
): Promise<{ reporting_currency: string | null; profile_currencies: string[] }> {
  const { reporting_currency } = await rowsWhere(db, 'workspaces', { id: params.workspaceId }).get([
    'reporting_currency',
  ])
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

export async function setReportingCurrency(tx: Tx, params: { workspaceId: string; currency: string | null }) {
  await rowsWhere(tx, 'workspaces', { id: params.workspaceId }).update({
    reporting_currency: params.currency,
  })
}
