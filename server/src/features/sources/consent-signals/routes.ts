import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const consentSignalRoutes: readonly Route[] = [
  route(contract.getTrackingConsent, (context, { query }) => operations.getTrackingConsent(context, query)),
  route(contract.createOwnBrowserLink, async (context, { body }) => ({
    data: await operations.createOwnBrowserLink(context, body),
  })),
]
