import { bind, type Route, route } from '../../../platform/http/route.ts'
import { toConnection } from '../connections/to-connection.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const bankLinkRoutes: readonly Route[] = [
  ...bind(contract, { startBankLink: operations.startBankLink }),
  route(contract.connectBankLink, async (context, { body }) => ({
    data: toConnection(await operations.connectBankLink(context, body)),
  })),
]
