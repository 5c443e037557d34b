import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const campaignRoutes: readonly Route[] = [
  route(contract.getCampaignStatus, async (context, { params }) => ({
    data: await operations.getCampaignStatus(context, params.id),
  })),
  route(contract.pauseCampaign, async (context, { params }) => ({
    data: await operations.pauseCampaign(context, params.id),
  })),
  route(contract.resumeCampaign, async (context, { params }) => ({
    data: await operations.resumeCampaign(context, params.id),
  })),
  route(contract.pauseAdSet, async (context, { params }) => ({
    data: await operations.pauseAdSet(context, params.id),
  })),
  route(contract.resumeAdSet, async (context, { params }) => ({
    data: await operations.resumeAdSet(context, params.id),
  })),
  route(contract.pauseAd, async (context, { params }) => ({
    data: await operations.pauseAd(context, params.id),
  })),
  route(contract.resumeAd, async (context, { params }) => ({
    data: await operations.resumeAd(context, params.id),
  })),
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
