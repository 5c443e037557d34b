import { type Route, route } from '../../../platform/http/route.ts'
import { getPacing, setPacingTarget } from './contract.ts'
import * as operations from './operations.ts'

export const pacingRoutes: readonly Route[] = [
  route(getPacing, async (context, { query }) => ({ data: await operations.getPacing(context, query) })),
  route(setPacingTarget, async (context, { body }) => ({
    data: await operations.setPacingTarget(context, body),
  })),
]
