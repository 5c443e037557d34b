import { type Route, route } from '../../http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const campaignRoutes: readonly Route[] = [
  route(contract.getCampaignStatus, async (context, { params }) => ({
    data: await operations.readStatus(context, params.id),
  })),
  route(contract.pauseCampaign, async (context, { params }) => ({
    data: await operations.setStatus(context, params.id, 'PAUSED'),
  })),
  route(contract.resumeCampaign, async (context, { params }) => ({
    data: await operations.setStatus(context, params.id, 'ACTIVE'),
  })),
  route(
    contract.setCampaignBudget,
    async (context, { params, body }) => ({
      data: await operations.setBudget(context, 'campaign', params.id, body),
    }),
    ({ body }) => operations.budgetTypeOf(body),
  ),
  route(
    contract.setAdSetBudget,
    async (context, { params, body }) => ({
      data: await operations.setBudget(context, 'ad_set', params.id, body),
    }),
    ({ body }) => operations.budgetTypeOf(body),
  ),
]
