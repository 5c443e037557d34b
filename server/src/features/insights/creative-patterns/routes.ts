import { type Route, route } from '../../../platform/http/route.ts'
import { listCreativeArchetypes, listCreativeDimensions, listCreativePatterns } from './contract.ts'
import * as operations from './operations.ts'

export const creativePatternRoutes: readonly Route[] = [
  route(listCreativePatterns, async (context, { query }) => ({
    data: await operations.listCreativePatterns(context, query),
  })),
  route(listCreativeDimensions, async (context, { query }) => ({
    data: await operations.listCreativeDimensions(context, query),
  })),
  route(listCreativeArchetypes, async (context, { query }) => ({
    data: await operations.listCreativeArchetypes(context, query),
  })),
]
