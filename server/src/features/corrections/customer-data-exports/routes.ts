import { accepted } from '../../../platform/contract/refusal.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import type { ExportRow } from './queries.ts'
import { readPlace } from './rules.ts'

export const customerDataExportRoutes: readonly Route[] = [
  route(contract.requestCustomerDataExport, async (context, { body }) =>
    toRequested(await operations.requestCustomerDataExport(context, body), context.now),
  ),
  route(contract.requestWorkspaceCustomerDataExport, async (context, { body }) =>
    toRequested(await operations.requestWorkspaceCustomerDataExport(context, body), context.now),
  ),
  route(contract.getCustomerDataExport, async (context, { params }) => ({
    data: toReceipt(await operations.getCustomerDataExport(context, params.data_export_id), context.now),
  })),
  route(contract.getWorkspaceCustomerDataExport, async (context, { params }) => ({
    data: toReceipt(
      await operations.getWorkspaceCustomerDataExport(context, params.data_export_id),
      context.now,
    ),
  })),
  route(contract.confirmCustomerDataExport, async (context, { params, body }) => ({
    data: toReceipt(
      await operations.confirmCustomerDataExport(context, params.data_export_id, body),
      context.now,
    ),
  })),
  route(contract.confirmWorkspaceCustomerDataExport, async (context, { params, body }) => ({
    data: toReceipt(
      await operations.confirmWorkspaceCustomerDataExport(context, params.data_export_id, body),
      context.now,
    ),
  })),
  route(contract.downloadCustomerDataExport, async (context, { params }) =>
    toFile(await operations.downloadCustomerDataExport(context, params.data_export_id)),
  ),
  route(contract.downloadWorkspaceCustomerDataExport, async (context, { params }) =>
    toFile(await operations.downloadWorkspaceCustomerDataExport(context, params.data_export_id)),
  ),
  route(contract.deleteCustomerDataExport, async (context, { params }) => {
    await operations.deleteCustomerDataExport(context, params.data_export_id)
    return { data: null }
  }),
  route(contract.deleteWorkspaceCustomerDataExport, async (context, { params }) => {
    await operations.deleteWorkspaceCustomerDataExport(context, params.data_export_id)
    return { data: null }
  }),
  route(
    contract.listWorkspaceCustomerDataExports,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listWorkspaceCustomerDataExports(context, query)
      return { data: rows.map((row) => toReceipt(row, context.now)), extra: { pagination } }
    },
    ({ query }) => accepted(readPlace(query.cursor)),
  ),
]

function toRequested({ row, isNew }: { row: ExportRow; isNew: boolean }, now: Date) {
  return { status: isNew ? (202 as const) : (200 as const), data: toReceipt(row, now) }
}

function toReceipt(row: ExportRow, now: Date) {
  const isOpen = row.status === 'awaiting_identity' || row.status === 'pending'
  const isUnanswered = isOpen || (row.status === 'ready' && row.downloads === 0)
  return {
    data_export_id: row.id,
    profile_id: row.profile_id,
    status: row.status,
    law: row.law,
    requested_on: row.requested_on,
    due_on: row.due_on,
    is_overdue: isUnanswered && row.due_on < localDay(now, 'UTC'),
    identity_method: row.identity_method,
    created_at: row.created_at,
    ready_at: row.ready_at,
    expires_at: row.expires_at,
    sections: row.sections,
    sha256: row.sha256,
    bytes: row.bytes,
    downloads: row.downloads,
  }
}

function toFile({ bytes, size, id }: Awaited<ReturnType<typeof operations.downloadCustomerDataExport>>) {
  return {
    data: null,
    headers: {
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="customer-data-${id}.zip"`,
      'x-content-type-options': 'nosniff',
    },
    file: { contentType: 'application/zip', bytes, size },
  }
}
