import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const recommendationRoutes: readonly Route[] = [
  route(contract.listRecommendations, async (context, { query }) => {
    const { rows, predictions } = await operations.listRecommendations(context, query)
    return { data: rows, meta: { predictions } }
  }),
  route(contract.applyRecommendation, async (context, { params }) => ({
    data: await operations.applyRecommendation(context, params.id),
  })),
  route(contract.undoRecommendation, async (context, { params }) => ({
    data: await operations.undoRecommendation(context, params.id),
  })),
  route(contract.dismissRecommendation, async (context, { params }) => ({
    data: await operations.dismissRecommendation(context, params.id),
  })),
]
