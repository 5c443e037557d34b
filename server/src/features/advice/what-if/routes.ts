import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import * as contract from './contract.ts'
import { whatIf } from './operations.ts'

export const whatIfRoutes: readonly Route[] = [
  route(
    contract.whatIf,
    async (context, { query }) => {
      const range = accepted(readRange(query))
      const meta = { date_from: range.from, date_to: range.to, model: query.model }
      return {
        data: await whatIf(context, range, query),
        meta: { ...meta, currency: context.profile.currency },
      }
    },
    ({ query }) => accepted(readRange(query)),
  ),
]
