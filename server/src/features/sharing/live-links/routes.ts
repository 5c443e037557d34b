import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { createLiveLink, listLiveLinks, revokeLiveLink } from './operations.ts'

export const liveLinkRoutes: readonly Route[] = bind(contract, {
  listLiveLinks,
  createLiveLink,
  revokeLiveLink,
})
