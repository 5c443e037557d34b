import { type Route, route } from '../../../platform/http/route.ts'
import { toConnection } from '../connections/to-connection.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const messagingAccountRoutes: readonly Route[] = [
  route(contract.listMessagingAccounts, async (context) => ({
    data: await operations.listMessagingAccounts(context),
  })),
  route(contract.connectMessagingAccount, async (context, { body }) => ({
    data: toConnection(await operations.connectMessagingAccount(context, body)),
  })),
]
