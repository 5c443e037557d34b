import { type Route, route } from '../../http/route.ts'
import {
  explainConversion,
  getAttributionSettings,
  startRecompute,
  updateAttributionSettings,
} from './contract.ts'
import { explainCredit } from './explain.ts'
import { readSettings, requestRecompute, updateSettings } from './operations.ts'

export const attributionRoutes: readonly Route[] = [
  route(getAttributionSettings, async (context) => ({
    data: await readSettings(context.db, context.profile.id),
  })),
  route(updateAttributionSettings, async (context, { body }) => ({
    data: await updateSettings(context, body),
  })),
  route(startRecompute, async (context) => ({ data: await requestRecompute(context) })),
  route(explainConversion, async (context, { params, query }) => ({
    data: await explainCredit(context, params.id, query.model),
    meta: { currency: context.profile.currency },
  })),
]
