import { readTimeCursor } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getRealtime, listVisitors } from './operations.ts'

export const visitorRoutes: readonly Route[] = [
  route(
    contract.listVisitors,
    async (context, { query }) => {
      const { data, pagination } = await listVisitors(context, query)
      return { data, extra: { pagination } }
    },
    ({ query }) => accepted(readTimeCursor(query.cursor)),
  ),
  ...bind(contract, { getRealtime }),
]
