import { type Route, route } from '../../../platform/http/route.ts'
import { listExperiments } from './contract.ts'
import * as operations from './operations.ts'

export const experimentRoutes: readonly Route[] = [
  route(listExperiments, async (context, { query }) => ({
    data: await operations.listExperiments(context, query),
  })),
]
