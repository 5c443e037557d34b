import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const signInPolicyRoutes: readonly Route[] = bind(contract, {
  getSignInPolicy: operations.getSignInPolicy,
  updateSignInPolicy: operations.updateSignInPolicy,
  resetMemberFactors: operations.resetMemberFactors,
})
