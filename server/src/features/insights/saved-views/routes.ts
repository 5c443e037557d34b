import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const savedViewRoutes: readonly Route[] = [
  route(contract.listSavedViews, async (context, { query }) => ({
    data: await operations.listSavedViews(context, query.page),
  })),
  ...bind(contract, { saveView: operations.saveView, deleteView: operations.deleteView }),
]
