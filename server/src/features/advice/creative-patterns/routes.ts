import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const creativePatternRoutes: readonly Route[] = bind(contract, {
  listCreativePatterns: operations.listCreativePatterns,
  listCreativeDimensions: operations.listCreativeDimensions,
  listCreativeArchetypes: operations.listCreativeArchetypes,
})
