/** Microsoft 365 and Outlook calendars through Microsoft Graph, read-only. */
import { liveEvents } from '../calendar-events.ts'
import type { Calendars } from '../calendars.ts'
import { type Connector, ProviderError } from '../connector.ts'
import { microsoftOAuth } from '../microsoft-oauth.ts'
import { readableItems } from '../set-aside.ts'
import { call, queryOf } from './calls.ts'
import { EventPage, toLiveEvent, User } from './mapping.ts'
import { listCalendars, preferHeader, syncPage } from './sync.ts'

const oauth = microsoftOAuth(['offline_access', 'User.Read', 'Calendars.Read'], 'Calendars.Read')

const calendars: Calendars = {
  async listEvents(session, calendarId, { from, until, limit, after }) {
    const first = new URLSearchParams({
      startDateTime: from.toISOString(),
      endDateTime: until.toISOString(),
      $orderby: 'start/dateTime',
      $top: String(limit),
    })
    if (after !== null) first.set('$skip', after)
    const page = await call(
      session,
      `/me/calendars/${encodeURIComponent(calendarId)}/calendarView?${first}`,
      {
        schema: EventPage,
        headers: { prefer: preferHeader },
      },
    )
    const link = page['@odata.nextLink']
    const ownEmail = session.token.extra.email ?? ''
    return {
      events: liveEvents(readableItems(page.value), (event) => toLiveEvent(event, ownEmail)),
      after: link === null ? null : new URLSearchParams(queryOf(link)).get('$skip'),
    }
  },
  create: null,
  share: null,
}

export const externalCalendar: Connector = {
  provider: 'external_calendar',
  accountKind: 'account',
  exclusiveAccount: false,
  oauth,
  async listAccounts(http, app, token) {
    const user = await call({ http, app, token }, '/me', { schema: User })
    const email = user.mail ?? user.userPrincipalName
    try {
      if ((await listCalendars({ http, app, token })).entries.length === 0) return []
    } catch (error) {
      // A user without a mailbox has no calendar.
      if (error instanceof ProviderError && error.providerCode === 'MailboxNotEnabledForRESTAPI') return []
      throw error
    }
    return [
      {
        id: user.id,
        name: email ?? user.displayName ?? user.id,
        kind: 'account' as const,
        currency: null,
        timezone: null,
        tokenExtra: { email: email ?? '' },
      },
    ]
  },
  sync: { page: syncPage },
  calendars,
}
