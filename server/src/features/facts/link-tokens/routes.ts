import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const linkTokenRoutes: readonly Route[] = bind(contract, {
  createLinkToken: operations.createLinkToken,
})
