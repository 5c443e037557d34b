import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getBrief } from './operations.ts'
import * as receivers from './receivers.ts'
import { readBriefDays } from './rules.ts'

export const briefRoutes: readonly Route[] = [
  route(
    contract.getBrief,
    (context, { query }) =>
      getBrief(context, {
        days: accepted(readBriefDays(query)),
        model: query.model,
        language: query.language,
        withPacing: context.caller.kind === 'user',
      }),
    ({ query }) => accepted(readBriefDays(query)),
  ),
  route(contract.listBriefReceivers, async (context) => ({
    data: await receivers.listBriefReceivers(context),
  })),
  route(contract.putBriefSubscription, async (context, { body }) => ({
    data: await receivers.putBriefSubscription(context, body),
  })),
  route(contract.createBriefWebhook, async (context, { body }) => ({
    data: await receivers.createBriefWebhook(context, body),
  })),
  route(contract.deleteBriefWebhook, async (context, { params }) => {
    await receivers.deleteBriefWebhook(context, params.webhookId)
    return { data: null }
  }),
]
