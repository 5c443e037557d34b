import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import { getBrief } from './operations.ts'
import { readBriefDays } from './rules.ts'

export const briefRoutes: readonly Route[] = [
  route(
    contract.getBrief,
    (context, { query }) =>
      getBrief(context, {
        days: accepted(readBriefDays(query)),
        model: query.model,
        language: query.language,
      }),
    ({ query }) => accepted(readBriefDays(query)),
  ),
]
