import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const mcpRoutes: readonly Route[] = [
  ...bind(contract, { getMcpSettings: operations.getMcpSettings, putMcpSettings: operations.putMcpSettings }),
  route(contract.listMcpWritebacks, async (context, { query }) => {
    const { rows, pagination } = await operations.listMcpWritebacks(context, query)
    return {
      data: rows,
      extra: { pagination },
    }
  }),
]
