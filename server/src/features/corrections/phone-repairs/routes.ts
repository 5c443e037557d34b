import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { previewPhoneRepair } from './preview.ts'

export const phoneRepairRoutes: readonly Route[] = [
  route(contract.previewPhoneRepair, async (context, { body }) => ({
    data: await previewPhoneRepair(context, body.include_unresolved),
  })),
  route(contract.startPhoneRepair, async (context, { body }) => ({
    status: 202 as const,
    data: await operations.startPhoneRepair(context, body.include_unresolved),
  })),
  route(
    contract.listPhoneRepairs,
    async (context, { query }) => {
      const { rows, pagination } = await operations.listPhoneRepairs(context, query)
      return { data: rows, extra: { pagination } }
    },
    ({ query }) => operations.cursorId(query.cursor),
  ),
  route(contract.undoPhoneRepair, async (context, { params }) => ({
    status: 202 as const,
    data: await operations.undoPhoneRepair(context, params.id),
  })),
]
