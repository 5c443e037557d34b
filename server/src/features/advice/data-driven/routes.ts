import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const dataDrivenRoutes: readonly Route[] = [
  route(
    contract.getDataDriven,
    (context, { query }) => operations.getDataDriven(context, query.as_of),
    ({ query }, asking) => operations.checkAsOf(query.as_of, asking.now),
  ),
]
