import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const senderDomainRoutes: readonly Route[] = bind(contract, {
  getSenderDomain: operations.getSenderDomain,
  registerSenderDomain: operations.registerSenderDomain,
  removeSenderDomain: operations.removeSenderDomain,
  verifySenderDomain: operations.verifySenderDomain,
})
