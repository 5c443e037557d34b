import { type Route, route } from '../../../platform/http/route.ts'
import { lookUpEvents, sendEvent, sendEvents } from './contract.ts'
import * as lookUp from './look-up.ts'
import * as operations from './operations.ts'

export const eventRoutes: readonly Route[] = [
  route(
    sendEvent,
    async (context, { body, headers }) => ({
      data: await operations.sendEvent(context, body, headers['idempotency-key'] ?? null),
    }),
    ({ body, headers }, context) =>
      operations.validateEvent(body, headers['idempotency-key'] ?? null, context),
  ),
  route(sendEvents, async (context, { body, headers }) => ({
    data: await operations.sendEvents(context, body.events, headers['idempotency-key'] ?? null),
  })),
  route(lookUpEvents, async (context, { query }) => ({ data: await lookUp.lookUpEvents(context, query) })),
]
