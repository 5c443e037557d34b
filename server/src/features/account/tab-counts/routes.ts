import { type Route, route } from '../../../platform/http/route.ts'
import { getTabCounts, markTabSeen } from './contract.ts'
import * as operations from './operations.ts'

export const tabCountRoutes: readonly Route[] = [
  route(getTabCounts, async (context) => ({ data: await operations.getTabCounts(context) })),
  route(markTabSeen, async (context, { params }) => ({
    data: await operations.markTabSeen(context, params.tab),
  })),
]
