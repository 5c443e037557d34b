import { bind, type Route, retiredRoute, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import * as queries from './queries.ts'
import * as settings from './settings.ts'

export const workspaceRoutes: readonly Route[] = [
  route(contract.listWorkspaces, async (context) => ({
    data: await queries.listWorkspaces(context.db, { userId: context.caller.userId }),
  })),
  route(
    contract.createWorkspace,
    async (context, { body }) => {
      const { workspaceId, name, created, checkout, warnings } = await operations.createWorkspace(
        context,
        body,
      )
      return {
        status: created ? 201 : 200,
        data: { workspace_id: workspaceId, name, created, checkout, ...(warnings && { warnings }) },
      }
    },
    ({ body }, { caller }) => operations.checkNewWorkspace(body, caller),
  ),
  route(contract.archiveWorkspace, async (context, { params }) => {
    const result = await operations.archiveWorkspace(context, params.workspaceId)
    return {
      data: {
        workspace_id: params.workspaceId,
        archived: result.archived,
        archived_at: result.archivedAt,
        counts: result.counts,
        profiles_purged: result.profilesPurged,
      },
      meta: { workspace_id: params.workspaceId },
    }
  }),
  route(contract.getSubscription, async (context) => {
    const found = await operations.getSubscription(context)
    return {
      data: {
        plan: found.plan,
        status: found.status,
        trial_ends_at: found.trialEndsAt,
        current_period_start: found.periodStart,
        current_period_end: found.periodEnd,
        cancels_at: found.cancelsAt,
        billed_by: found.billedBy,
        active_profiles: found.activeProfiles,
      },
    }
  }),
  ...bind(contract, {
    getComplianceOverview: settings.getComplianceOverview,
    updateComplianceOverview: settings.updateComplianceOverview,
    getReportingCurrency: settings.getReportingCurrency,
    updateReportingCurrency: settings.updateReportingCurrency,
  }),
  retiredRoute(contract.chatInDashboard),
  retiredRoute(contract.chatAboutTopPerformers),
]
