import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { listAvailablePages, listPages, trackPages } from './operations.ts'

export const socialPageRoutes: readonly Route[] = bind(contract, {
  listPages,
  listAvailablePages,
  trackPages,
})
