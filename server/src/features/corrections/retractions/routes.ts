import { bind, type Route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const retractionRoutes: readonly Route[] = bind(contract, { retractEvent: operations.retractEvent })
