import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { sendMail } from './operations.ts'

export const mailRoutes: readonly Route[] = [
  route(contract.sendMail, async (context, { body, headers }) => ({
    data: await sendMail(context, body, headers['idempotency-key'] ?? null),
  })),
]
