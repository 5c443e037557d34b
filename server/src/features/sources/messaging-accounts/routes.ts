import { bind, type Route, route } from '../../../platform/http/route.ts'
import { toConnection } from '../connections/to-connection.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const messagingAccountRoutes: readonly Route[] = [
  ...bind(contract, { listMessagingAccounts: operations.listMessagingAccounts }),
  route(contract.connectMessagingAccount, async (context, { body }) => ({
    data: toConnection(await operations.connectMessagingAccount(context, body)),
  })),
]
