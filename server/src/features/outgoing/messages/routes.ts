import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { sendMessage } from './operations.ts'

export const messageRoutes: readonly Route[] = [
  route(contract.sendMessage, async (context, { params, body, headers }) => ({
    data: await sendMessage(context, params.id, body, headers['idempotency-key'] ?? null),
  })),
]
