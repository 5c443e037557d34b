import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readAsOf, readRange } from '../../figures/definitions/rules.ts'
import * as contract from './contract.ts'
import { getChanges } from './report.ts'
import { readUntil } from './rules.ts'

export const changesRoutes: readonly Route[] = [
  route(
    contract.getChanges,
    (context, { query }) =>
      getChanges(
        context,
        {
          range: accepted(readRange(query)),
          level: query.level,
          model: query.model,
          since: readAsOf(query.since),
          until: accepted(readUntil(query)),
          asOf: readAsOf(query.as_of),
        },
        query.limit,
      ),
    ({ query }) => [accepted(readRange(query)), accepted(readUntil(query))],
  ),
]
