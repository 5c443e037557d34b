import { accepted } from '../../../platform/contract/refusal.ts'
import { bind, type Route, route } from '../../../platform/http/route.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'
import { readWindow } from './rules.ts'

export const calendarRoutes: readonly Route[] = [
  ...bind(contract, {
    startCalendarLink: operations.startCalendarLink,
    listCalendars: operations.listCalendars,
    createCalendar: operations.createCalendar,
  }),
  route(contract.shareCalendar, async (context, { params, body }) => {
    await operations.shareCalendar(context, params.id, body)
    return { data: null, status: 204 }
  }),
  route(
    contract.listCalendarEvents,
    async (context, { params, query }) => {
      const window = accepted(readWindow(query))
      const { data, pagination } = await operations.listCalendarEvents(
        context,
        params.id,
        window,
        query.limit,
      )
      return { data, extra: { pagination } }
    },
    ({ query }) => accepted(readWindow(query)),
  ),
]
