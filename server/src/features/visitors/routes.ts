import { type Route, route } from '../../http/route.ts'
import * as contract from './contract.ts'
import { getRealtime, listVisitors } from './operations.ts'

export const visitorRoutes: readonly Route[] = [
  route(contract.listVisitors, async (context, { query }) => {
    const { data, pagination } = await listVisitors(context, query)
    return { data, beside: { pagination } }
  }),
  route(contract.getRealtime, async (context) => ({ data: await getRealtime(context) })),
]
