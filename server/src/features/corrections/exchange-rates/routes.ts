import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const exchangeRateRoutes: readonly Route[] = bind(contract, {
  listExchangeRates: operations.listExchangeRates,
  saveExchangeRate: operations.saveExchangeRate,
  deleteExchangeRate: operations.deleteExchangeRate,
})
