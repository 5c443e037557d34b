import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const tabCountRoutes: readonly Route[] = bind(contract, {
  getTabCounts: operations.getTabCounts,
  markTabSeen: operations.markTabSeen,
})
