/** Settings of a workspace: whether people are patients, and the currency of its reports. */
import { sql } from 'kysely'
import type { WorkspaceContext } from '../../context.ts'
import { personScopes } from '../../contract/access.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { forgetCredentials } from '../access/authenticate.ts'
import { stripPersonScopes } from '../access/authorizations.ts'
import { recordChange } from '../audit/record.ts'
import { lockWorkspace } from './queries.ts'

type PostureRow = {
  profile_id: string
  name: string
  privacy_mode: 'standard' | 'platform_safe' | 'hipaa'
  is_healthcare: boolean
  provisioned_by_app_id: string | null
  partner_apps: number
  partner_apps_reading_people: number
}

export async function getComplianceOverview(context: WorkspaceContext) {
  return readOverview(context.db, context.workspaceId)
}

async function readOverview(db: Db | Tx, workspaceId: string) {
  const workspace = await db
    .selectFrom('workspaces')
    .select('healthcare')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<PostureRow>`
    select p.id as profile_id, p.name, p.privacy_mode, p.provisioned_by_app_id,
      (p.privacy_mode <> 'standard' or ${workspace.healthcare}) as is_healthcare,
      count(distinct au.app_id) as partner_apps,
      count(distinct au.app_id) filter (where au.scopes && ${[...personScopes]}::text[]) as partner_apps_reading_people
    from profiles p
    left join app_authorizations au on au.profile_id = p.id and au.revoked_at is null
    where p.workspace_id = ${workspaceId} and p.archived_at is null
    group by p.id, p.name, p.privacy_mode, p.provisioned_by_app_id, p.created_at
    order by p.created_at, p.id`.execute(db)
  return { healthcare: workspace.healthcare, profiles: rows }
}

export async function updateComplianceOverview(context: WorkspaceContext, healthcare: boolean) {
  const { workspaceId } = context
  const overview = await inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const before = await readOverview(tx, workspaceId)
    if (before.healthcare === healthcare) return before
    await tx.updateTable('workspaces').set({ healthcare }).where('id', '=', workspaceId).execute()
    if (healthcare)
      await stripPersonScopes(
        tx,
        before.profiles.map((profile) => profile.profile_id),
      )
    await recordChange(tx, context, {
      workspaceId,
      action: 'workspace.healthcare_set',
      subject: workspaceId,
      detail: { before: { healthcare: before.healthcare }, after: { healthcare } },
    })
    return readOverview(tx, workspaceId)
  })
  forgetCredentials(context.service)
  return overview
}

export async function getReportingCurrency(context: Pick<WorkspaceContext, 'db' | 'workspaceId'>) {
  const { db, workspaceId } = context
  const workspace = await db
    .selectFrom('workspaces')
    .select('reporting_currency')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const currencies = await db
    .selectFrom('profiles')
    .select('currency')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('currency')
    .execute()
  return {
    reporting_currency: workspace.reporting_currency,
    profile_currencies: currencies.map((row) => row.currency),
  }
}

export async function updateReportingCurrency(context: WorkspaceContext, currency: string | null) {
  const { workspaceId } = context
  return inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const before = (await getReportingCurrency({ db: tx, workspaceId })).reporting_currency
    await tx
      .updateTable('workspaces')
      .set({ reporting_currency: currency })
      .where('id', '=', workspaceId)
      .execute()
    await recordChange(tx, context, {
      workspaceId,
      action: 'workspace.reporting_currency_set',
      subject: workspaceId,
      detail: { before: { reporting_currency: before }, after: { reporting_currency: currency } },
    })
    return getReportingCurrency({ db: tx, workspaceId })
  })
}
