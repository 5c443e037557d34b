import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const clientRoutes: readonly Route[] = [
  route(
    contract.listClients,
    (context, { params, query }) =>
      operations.listClients(context, params.workspaceId, { ...query, range: accepted(readRange(query)) }),
    ({ query }) => accepted(readRange(query)),
  ),
  ...bind(contract, { tagClients: operations.tagClients }),
]
