import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const mailboxRoutes: readonly Route[] = [
  route(contract.startMailboxLink, async (context, { body }) => ({
    data: await operations.startMailboxLink(context, body),
  })),
]
