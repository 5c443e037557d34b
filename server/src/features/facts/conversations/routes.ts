import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getConversation, listConversations } from './operations.ts'

export const conversationRoutes: readonly Route[] = [
  route(contract.listConversations, async (context, { query }) => {
    const { data, pagination } = await listConversations(context, query)
    return { data, extra: { pagination } }
  }),
  ...bind(contract, { getConversation }),
]
