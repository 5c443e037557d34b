import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import { withRevalidation } from '../reports/revalidate.ts'
import * as contract from './contract.ts'
import { getCohorts } from './report.ts'

export const cohortRoutes: readonly Route[] = [
  route(
    contract.getCohorts,
    async (context, { query }) => {
      const { model, by, horizon } = query
      const range = accepted(readRange(query))
      const { data, meta, total } = await getCohorts(context, { range, model, by, horizon })
      return { data, meta, extra: { total } }
    },
    ({ query }) => accepted(readRange(query)),
  ),
].map(withRevalidation)
