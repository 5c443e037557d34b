import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const socialPageRoutes: readonly Route[] = [
  route(contract.listPages, async (context) => ({ data: await operations.listPages(context) })),
  route(contract.listAvailablePages, async (context) => ({
    data: await operations.listAvailablePages(context),
  })),
  route(contract.trackPages, async (context, { body }) => ({
    data: await operations.trackPages(context, body.page_ids),
  })),
]
