import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const socialPageRoutes: readonly Route[] = [
  ...bind(contract, { listPages: operations.listPages, listAvailablePages: operations.listAvailablePages }),
  route(contract.trackPages, async (context, { body }) => ({
    data: await operations.trackPages(context, body.page_ids),
  })),
]
