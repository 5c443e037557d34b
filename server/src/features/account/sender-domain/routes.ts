import { type Route, route } from '../../../platform/http/route.ts'
import { getSenderDomain, registerSenderDomain, removeSenderDomain, verifySenderDomain } from './contract.ts'
import * as operations from './operations.ts'

export const senderDomainRoutes: readonly Route[] = [
  route(getSenderDomain, async (context) => ({ data: await operations.getSenderDomain(context) })),
  route(registerSenderDomain, async (context, { body }) => ({
    data: await operations.registerSenderDomain(context, body),
  })),
  route(removeSenderDomain, async (context) => {
    await operations.removeSenderDomain(context)
    return { data: null }
  }),
  route(verifySenderDomain, async (context) => ({ data: await operations.verifySenderDomain(context) })),
]
