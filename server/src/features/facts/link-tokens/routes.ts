import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const linkTokenRoutes: readonly Route[] = [
  route(contract.createLinkToken, async (context, { body }) => ({
    data: await operations.createLinkToken(context, body),
  })),
]
