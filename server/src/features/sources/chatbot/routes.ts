import { type Route, route } from '../../../platform/http/route.ts'
import { toConnection } from '../connections/to-connection.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const chatbotRoutes: readonly Route[] = [
  route(contract.getChatbot, async (context) => ({
    data: toConnection(await operations.getChatbot(context)),
  })),
  route(contract.saveChatbot, async (context, { body }) => ({
    data: toConnection(await operations.saveChatbot(context, body)),
  })),
]
