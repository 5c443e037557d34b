import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { scanJob } from './jobs.ts'
import * as operations from './operations.ts'

export const utmHealthRoutes: readonly Route[] = [
  route(contract.getUtmHealth, async (context) => ({
    data: await operations.getUtmHealth(context),
    meta: { currency: context.profile.currency },
  })),
  route(contract.scanUtmHealth, async (context) => ({
    data: await operations.scanUtmHealth(context, scanJob),
    meta: { currency: context.profile.currency },
  })),
]
