import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const exchangeRateRoutes: readonly Route[] = [
  ...bind(contract, {
    listExchangeRates: operations.listExchangeRates,
    saveExchangeRate: operations.saveExchangeRate,
  }),
  route(contract.deleteExchangeRate, async (context, { params }) => ({
    data: await operations.deleteExchangeRate(context, params),
    status: 204,
  })),
]
