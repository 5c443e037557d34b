import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const mailboxRoutes: readonly Route[] = bind(contract, {
  startMailboxLink: operations.startMailboxLink,
})
