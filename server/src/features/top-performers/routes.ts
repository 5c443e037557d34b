import { type Route, route } from '../../http/route.ts'
import * as contract from './contract.ts'
import { listTopPerformers } from './operations.ts'

export const topPerformerRoutes: readonly Route[] = [
  route(contract.listTopPerformers, (context, { query }) => listTopPerformers(context, query)),
]
