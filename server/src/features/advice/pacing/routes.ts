import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const pacingRoutes: readonly Route[] = bind(contract, {
  getPacing: operations.getPacing,
  setPacingTarget: operations.setPacingTarget,
})
