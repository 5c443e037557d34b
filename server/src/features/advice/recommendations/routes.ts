import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const recommendationRoutes: readonly Route[] = [
  route(contract.listRecommendations, async (context, { query }) => {
    const { rows, predictions } = await operations.listRecommendations(context, query)
    return { data: rows, meta: { predictions } }
  }),
  ...bind(contract, {
    applyRecommendation: operations.applyRecommendation,
    undoRecommendation: operations.undoRecommendation,
    dismissRecommendation: operations.dismissRecommendation,
  }),
]
