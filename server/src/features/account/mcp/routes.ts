import { bind, pageRoute, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const mcpRoutes: readonly Route[] = [
  ...bind(contract, { getMcpSettings: operations.getMcpSettings, putMcpSettings: operations.putMcpSettings }),
  pageRoute(contract.listMcpWritebacks, operations.listMcpWritebacks, (row) => row),
]
