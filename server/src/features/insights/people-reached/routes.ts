import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { readRange } from '../../figures/definitions/rules.ts'
import { withRevalidation } from '../reports/revalidate.ts'
import * as contract from './contract.ts'
import { checkReferral, sendAdReferral } from './referrals.ts'
import { listAdPeople } from './report.ts'

const routes: readonly Route[] = [
  route(
    contract.listAdPeople,
    (context, { query }) =>
      listAdPeople(context, {
        range: accepted(readRange(query)),
        groupBy: query.group_by,
        channel: query.channel ?? null,
        firstOnly: query.first_only === 'true',
        limit: query.limit,
      }),
    ({ query }) => accepted(readRange(query)),
  ),
  route(
    contract.sendAdReferral,
    async (context, { body }) => ({ data: await sendAdReferral(context, body) }),
    // The body is validated before the profile is loaded.
    ({ body }, asking) => checkReferral(body, asking.now),
  ),
]

export const adPeopleRoutes: readonly Route[] = routes.map(withRevalidation)
