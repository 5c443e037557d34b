import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getCustomer, listCustomers, readCursor } from './operations.ts'

export const customerRoutes: readonly Route[] = [
  route(
    contract.listCustomers,
    async (context, { query }) => {
      const { data, pagination } = await listCustomers(context, query)
      return { data, extra: { pagination } }
    },
    ({ query }) => accepted(readCursor(query)),
  ),
  ...bind(contract, { getCustomer }),
]
