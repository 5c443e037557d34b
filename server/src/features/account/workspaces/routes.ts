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
    const meta = { workspace_id: params.workspaceId }
    return { data: { ...meta, ...(await operations.archiveWorkspace(context, params.workspaceId)) }, meta }
  }),
  ...bind(contract, {
    getSubscription: operations.getSubscription,
    getComplianceOverview: settings.getComplianceOverview,
    updateComplianceOverview: settings.updateComplianceOverview,
    getReportingCurrency: settings.getReportingCurrency,
    updateReportingCurrency: settings.updateReportingCurrency,
  }),
  retiredRoute(contract.chatInDashboard),
  retiredRoute(contract.chatAboutTopPerformers),
]
