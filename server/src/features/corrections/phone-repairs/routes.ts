import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { previewPhoneRepair } from './preview.ts'
import type { RepairRow } from './queries.ts'

export const phoneRepairRoutes: readonly Route[] = [
  route(contract.previewPhoneRepair, async (context, { body }) => ({
    data: await previewPhoneRepair(context, body.include_unresolved),
  })),
  route(contract.startPhoneRepair, async (context, { body }) => ({
    status: 202 as const,
    data: toRepair(await operations.startPhoneRepair(context, body.include_unresolved)),
  })),
  route(
    contract.listPhoneRepairs,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listPhoneRepairs(context, query)
      return { data: rows.map(toRepair), extra: { pagination } }
    },
    ({ query }) => operations.cursorId(query.cursor),
  ),
  route(contract.undoPhoneRepair, async (context, { params }) => ({
    status: 202 as const,
    data: toRepair(await operations.undoPhoneRepair(context, params.id)),
  })),
]

function toRepair(row: RepairRow) {
  return {
    id: row.id,
    status: row.status,
    include_unresolved: row.include_unresolved,
    events: row.events,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
