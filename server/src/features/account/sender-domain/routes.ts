import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const senderDomainRoutes: readonly Route[] = bind(contract, operations, [
  'getSenderDomain',
  'registerSenderDomain',
  'removeSenderDomain',
  'verifySenderDomain',
])
