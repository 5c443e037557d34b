import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const liveLinkRoutes: readonly Route[] = [
  route(contract.listLiveLinks, async (context) => ({ data: await operations.listLiveLinks(context) })),
  route(contract.createLiveLink, async (context, { body }) => ({
    data: await operations.createLiveLink(context, body),
    status: 201,
  })),
  route(contract.revokeLiveLink, async (context, { params }) => {
    await operations.revokeLiveLink(context, params.liveLinkId)
    return { data: null, status: 204 }
  }),
]
