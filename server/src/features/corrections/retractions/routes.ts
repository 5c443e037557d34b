import { type Route, route } from '../../../platform/http/route.ts'
import { retractEvent } from './contract.ts'
import * as operations from './operations.ts'

export const retractionRoutes: readonly Route[] = [
  route(retractEvent, async (context, { body }) => ({ data: await operations.retractEvent(context, body) })),
]
