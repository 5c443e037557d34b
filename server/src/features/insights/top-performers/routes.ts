import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { listTopPerformers } from './operations.ts'
import { captureSnapshot, listSnapshots, revokeSnapshot } from './snapshots.ts'
import { exportTopPerformers, getTopPerformersBrief, listWorkspaceTopPerformers } from './workspace.ts'

export const topPerformerRoutes: readonly Route[] = [
  route(contract.listTopPerformers, (context, { query }) => listTopPerformers(context, query)),
  route(contract.listWorkspaceTopPerformers, (context, { query }) =>
    listWorkspaceTopPerformers(context, query),
  ),
  route(contract.getTopPerformersBrief, async (context, { query }) => ({
    data: await getTopPerformersBrief(context, query),
  })),
  route(contract.exportTopPerformers, async (context, { body }) => ({
    data: null,
    headers: { 'content-disposition': 'attachment; filename="top-performers.zip"' },
    file: { contentType: 'application/zip', bytes: await exportTopPerformers(context, body) },
  })),
  route(contract.listSnapshots, async (context) => ({ data: await listSnapshots(context) })),
  route(contract.captureSnapshot, async (context, { body }) => ({
    data: await captureSnapshot(context, body),
    status: 201,
  })),
  route(contract.revokeSnapshot, async (context, { params }) => {
    await revokeSnapshot(context, params.snapshotId)
    return { data: null, status: 204 }
  }),
]
