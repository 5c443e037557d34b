import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const mcpRoutes: readonly Route[] = [
  route(contract.getMcpSettings, async (context) => ({ data: await operations.getMcpSettings(context) })),
  route(contract.putMcpSettings, async (context, { body }) => ({
    data: await operations.putMcpSettings(context, body),
  })),
  route(contract.listMcpWritebacks, async (context, { query }) => {
    const { rows, pagination } = await operations.listMcpWritebacks(context, query)
    return {
      data: rows.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() })),
      extra: { pagination },
    }
  }),
]
