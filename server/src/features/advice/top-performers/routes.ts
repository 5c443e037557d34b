import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { listTopPerformers } from './operations.ts'
import { captureSnapshot, listSnapshots, revokeSnapshot } from './snapshots.ts'
import { exportTopPerformers, getTopPerformersBrief, listWorkspaceTopPerformers } from './workspace.ts'

export const topPerformerRoutes: readonly Route[] = [
  route(contract.listTopPerformers, (context, { query }) => listTopPerformers(context, query)),
  route(contract.listWorkspaceTopPerformers, (context, { query }) =>
    listWorkspaceTopPerformers(context, query),
  ),
  ...bind(contract, { getTopPerformersBrief }),
  route(contract.exportTopPerformers, async (context, { body }) => ({
    data: null,
    headers: { 'content-disposition': 'attachment; filename="top-performers.zip"' },
    file: { contentType: 'application/zip', bytes: await exportTopPerformers(context, body) },
  })),
  ...bind(contract, { listSnapshots, captureSnapshot, revokeSnapshot }),
]
