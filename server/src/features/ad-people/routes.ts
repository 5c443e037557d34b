import { type Route, route } from '../../http/route.ts'
import { readRange } from '../reports/rules.ts'
import { listAdPeople, sendAdReferral } from './contract.ts'
import { takeReferral } from './referrals.ts'
import { readAdPeople } from './report.ts'

export const adPeopleRoutes: readonly Route[] = [
  route(listAdPeople, (context, { query }) =>
    readAdPeople(context, {
      range: readRange(query),
      groupBy: query.group_by,
      channel: query.channel ?? null,
      firstOnly: query.first_only === 'true',
      limit: query.limit,
    }),
  ),
  route(sendAdReferral, async (context, { body }) => ({ data: await takeReferral(context, body) })),
]
