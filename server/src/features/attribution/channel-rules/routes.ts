import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getChannelRules, saveChannelRules, testChannelRules } from './operations.ts'

export const channelRuleRoutes: readonly Route[] = [
  route(contract.getChannelRules, async (context) => ({ data: await getChannelRules(context) })),
  route(contract.saveChannelRules, async (context, { body }) => ({
    data: await saveChannelRules(context, body.overrides),
  })),
  route(contract.testChannelRules, async (context, { query }) => ({
    data: await testChannelRules(context, query),
  })),
]
