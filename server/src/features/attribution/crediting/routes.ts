import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { explainConversion } from './explain.ts'
import { getAttributionSettings, startRecompute, updateAttributionSettings } from './operations.ts'

export const attributionRoutes: readonly Route[] = [
  route(contract.getAttributionSettings, async (context) => ({
    data: await getAttributionSettings(context.db, context.profile.id),
  })),
  ...bind(contract, { updateAttributionSettings, startRecompute }),
  route(contract.explainConversion, async (context, { params, query }) => ({
    data: await explainConversion(context, params.id, query.model),
    meta: { currency: context.profile.currency },
  })),
]
