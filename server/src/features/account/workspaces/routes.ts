import { type Route, retiredRoute, route } from '../../../platform/http/route.ts'
import {
  archiveWorkspace,
  chatAboutTopPerformers,
  chatInDashboard,
  createWorkspace,
  getComplianceOverview,
  getReportingCurrency,
  getSubscription,
  listWorkspaces,
  updateComplianceOverview,
  updateReportingCurrency,
} from './contract.ts'
import * as operations from './operations.ts'
import * as queries from './queries.ts'
import * as settings from './settings.ts'

const toIso = (date: Date | null) => date?.toISOString() ?? null

export const workspaceRoutes: readonly Route[] = [
  route(listWorkspaces, async (context) => {
    const rows = await queries.listWorkspaces(context.db, { userId: context.caller.userId })
    return {
      data: rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        archived_at: toIso(row.archived_at),
      })),
    }
  }),
  route(
    createWorkspace,
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
  route(archiveWorkspace, async (context, { params }) => {
    const result = await operations.archiveWorkspace(context, params.workspaceId)
    return {
      data: {
        workspace_id: params.workspaceId,
        archived: result.archived,
        archived_at: result.archivedAt.toISOString(),
        counts: result.counts,
        profiles_purged: result.profilesPurged,
      },
      meta: { workspace_id: params.workspaceId },
    }
  }),
  route(getSubscription, async (context) => {
    const found = await operations.getSubscription(context)
    return {
      data: {
        plan: found.plan,
        status: found.status,
        trial_ends_at: toIso(found.trialEndsAt),
        current_period_start: found.periodStart.toISOString(),
        current_period_end: toIso(found.periodEnd),
        active_profiles: found.activeProfiles,
      },
    }
  }),
  route(getComplianceOverview, async (context) => ({ data: await settings.getComplianceOverview(context) })),
  route(updateComplianceOverview, async (context, { body }) => ({
    data: await settings.updateComplianceOverview(context, body.healthcare),
  })),
  route(getReportingCurrency, async (context) => ({ data: await settings.getReportingCurrency(context) })),
  route(updateReportingCurrency, async (context, { body }) => ({
    data: await settings.updateReportingCurrency(context, body.reporting_currency),
  })),
  retiredRoute(chatInDashboard),
  retiredRoute(chatAboutTopPerformers),
]
