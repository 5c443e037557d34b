import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const campaignRoutes: readonly Route[] = [
  ...bind(contract, {
    getCampaignStatus: operations.getCampaignStatus,
    pauseCampaign: operations.pauseCampaign,
    resumeCampaign: operations.resumeCampaign,
    pauseAdSet: operations.pauseAdSet,
    resumeAdSet: operations.resumeAdSet,
    pauseAd: operations.pauseAd,
    resumeAd: operations.resumeAd,
  }),
  route(
    contract.setCampaignBudget,
    async (context, { params, body }) => ({
      data: await operations.setCampaignBudget(context, params.id, body),
    }),
    ({ body }) => operations.budgetTypeOf(body),
  ),
  route(
    contract.setAdSetBudget,
    async (context, { params, body }) => ({
      data: await operations.setAdSetBudget(context, params.id, body),
    }),
    ({ body }) => operations.budgetTypeOf(body),
  ),
]
