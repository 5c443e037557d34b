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

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

function toDestination(row: DestinationView): contract.DataDestination {
  return {
    id: row.id,
    kind: row.kind as contract.DataDestination['kind'],
    name: row.name,
    target: row.target,
    tables: row.tables,
    include_identifiers: row.include_identifiers,
    schedule: row.schedule as contract.DataDestination['schedule'],
    enabled: row.enabled,
    next_run_at: instant(row.next_run_at),
    last_completed_at: instant(row.last_completed_at),
    last_error: row.last_error,
    files: row.files,
    bytes: row.bytes,
    erasures_waiting: row.erasures_waiting,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function toRun(row: RunRow): contract.DataRun {
  return {
    id: row.id,
    destination_id: row.destination_id,
    full: row.is_full,
    status: row.status as contract.DataRun['status'],
    tables: row.tables,
    erasures: row.erasures,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: instant(row.started_at),
    finished_at: instant(row.finished_at),
  }
}
