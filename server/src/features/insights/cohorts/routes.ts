import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { withRevalidation } from '../reports/revalidate.ts'
import { readRange } from '../reports/rules.ts'
import * as contract from './contract.ts'
import { getCohorts } from './report.ts'

export const cohortRoutes: readonly Route[] = [
  route(
    contract.getCohorts,
    (context, { query }) =>
      getCohorts(context, {
        range: accepted(readRange(query)),
        model: query.model,
        by: query.by,
        horizon: query.horizon,
      }),
    ({ query }) => accepted(readRange(query)),
  ),
].map(withRevalidation)
