import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const exchangeRateRoutes: readonly Route[] = [
  ...bind(contract, operations, ['listExchangeRates', 'saveExchangeRate']),
  route(contract.deleteExchangeRate, async (context, { params }) => ({
    data: await operations.deleteExchangeRate(context, params),
    status: 204,
  })),
]
