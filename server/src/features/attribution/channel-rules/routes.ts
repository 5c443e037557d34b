import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getChannelRules, saveChannelRules, testChannelRules } from './operations.ts'

export const channelRuleRoutes: readonly Route[] = bind(contract, {
  getChannelRules,
  saveChannelRules,
  testChannelRules,
})
