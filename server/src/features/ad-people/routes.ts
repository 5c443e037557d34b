import { accepted } from '../../contract/refusal.ts'
import { type Route, route } from '../../http/route.ts'
import { readRange } from '../reports/rules.ts'
import * as contract from './contract.ts'
import { readReferral, sendAdReferral } from './referrals.ts'
import { listAdPeople } from './report.ts'

/** Whose referral it is decides nothing about its form. */
const NIL = '00000000-0000-0000-0000-000000000000'

export const adPeopleRoutes: readonly Route[] = [
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
    ({ body }, asking) => readReferral(body, { ...asking, profileId: NIL }),
  ),
]
