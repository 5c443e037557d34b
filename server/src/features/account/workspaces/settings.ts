/** Workspace settings: healthcare and reporting currency. */
import type { WorkspaceContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { stripPersonScopes } from '../../../platform/access/authorizations.ts'
import { mailOwners } from '../../../platform/access/owner-mail.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockWorkspace } from './queries.ts'
import {
  readComplianceOverview,
  readReportingCurrency,
  setHealthcare,
  setReportingCurrency,
} from './settings-queries.ts'

export const getComplianceOverview = ({ db, workspaceId }: WorkspaceContext) =>
  readComplianceOverview(db, { workspaceId })

export async function updateComplianceOverview(
  context: WorkspaceContext,
  { healthcare }: { healthcare: boolean },
) {
  const { workspaceId } = context
  const overview = await inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const before = await readComplianceOverview(tx, { workspaceId })
    if (before.healthcare === healthcare) return before
    await setHealthcare(tx, { workspaceId, healthcare })
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
    if (!healthcare)
      await mailOwners(tx, {
        workspaceId,
        actor: context.caller,
        subject: 'Your workspace is no longer a healthcare workspace',
        lines: [
          'The healthcare setting of the workspace was switched off: people of profiles in the standard mode are no longer treated as patients.',
        ],
      })
    return readComplianceOverview(tx, { workspaceId })
  })
  forgetCredentials(context.service)
  return overview
}

export const getReportingCurrency = ({ db, workspaceId }: WorkspaceContext) =>
  readReportingCurrency(db, { workspaceId })

export async function updateReportingCurrency(
  context: WorkspaceContext,
  { reporting_currency: currency }: { reporting_currency: string | null },
) {
  const { workspaceId } = context
  return inTransaction(context.db, async (tx) => {
    await lockWorkspace(tx, { workspaceId })
    const before = (await readReportingCurrency(tx, { workspaceId })).reporting_currency
    await setReportingCurrency(tx, { workspaceId, currency })
    await recordChange(tx, context, {
      workspaceId,
      action: 'workspace.reporting_currency_set',
      subject: workspaceId,
      detail: { before: { reporting_currency: before }, after: { reporting_currency: currency } },
    })
    return readReportingCurrency(tx, { workspaceId })
  })
}
