import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const exchangeRateRoutes: readonly Route[] = [
  route(contract.listExchangeRates, async (context) => ({
    data: await operations.listExchangeRates(context),
  })),
  route(contract.saveExchangeRate, async (context, { body }) => ({
    data: await operations.saveExchangeRate(context, body),
  })),
  route(contract.deleteExchangeRate, async (context, { params }) => ({
    data: await operations.deleteExchangeRate(context, params),
    status: 204,
  })),
]
