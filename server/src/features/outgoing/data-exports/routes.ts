import { toReply } from '../../../platform/contract/to-reply.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import type { DestinationView, RunRow } from './queries.ts'

export const dataExportRoutes: readonly Route[] = [
  route(contract.listDataDestinations, async (context) => ({
    data: (await operations.listDataDestinations(context)).map(toDestination),
  })),
  route(contract.createDataDestination, async (context, { body }) => ({
    data: toDestination(await operations.createDataDestination(context, body)),
  })),
  route(contract.updateDataDestination, async (context, { params, body }) => ({
    data: toDestination(await operations.updateDataDestination(context, params.id, body)),
  })),
  route(contract.deleteDataDestination, async (context, { params }) => {
    await operations.deleteDataDestination(context, params.id)
    return { data: null }
  }),
  route(contract.testDataDestination, async (context, { params }) => ({
    data: await operations.testDataDestination(context, params.id),
  })),
  route(contract.startDataRun, async (context, { body }) => ({
    data: toRun(await operations.startDataRun(context, body)),
  })),
  route(contract.listDataRuns, async (context, { query }) => ({
    data: (await operations.listDataRuns(context, query.destination_id)).map(toRun),
  })),
  route(contract.getDataRun, async (context, { params }) => ({
    data: toRun(await operations.getDataRun(context, params.id)),
  })),
  route(contract.getDataSchema, async () => ({ data: operations.getDataSchema() })),
]

const toDestination = (row: DestinationView) => toReply(contract.DataDestination, row, {})
const toRun = (row: RunRow) => toReply(contract.DataRun, row, { full: row.is_full })
