import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import { readAsOf } from '../../figures/definitions/rules.ts'
import * as contract from './contract.ts'
import { getBrief } from './operations.ts'
import * as receivers from './receivers.ts'
import { parseBriefDays } from './rules.ts'

export const briefRoutes: readonly Route[] = [
  route(
    contract.getBrief,
    (context, { query }) =>
      getBrief(context, {
        days: accepted(parseBriefDays(query)),
        model: query.model,
        language: query.language,
        asOf: readAsOf(query.as_of),
        withPacing: context.caller.kind === 'user',
      }),
    ({ query }) => accepted(parseBriefDays(query)),
  ),
  ...bind(contract, {
    listBriefReceivers: receivers.listBriefReceivers,
    putBriefSubscription: receivers.putBriefSubscription,
    createBriefWebhook: receivers.createBriefWebhook,
    deleteBriefWebhook: receivers.deleteBriefWebhook,
  }),
]
