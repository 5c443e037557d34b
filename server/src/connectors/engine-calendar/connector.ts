/** Google Calendar: a person's calendars, their events with attendees, and calendars that the service creates. */

import { z } from 'zod'
import { liveEvents } from '../calendar-events.ts'
import { calendarSync } from '../calendar-sync.ts'
import type { Calendars, ShareRole } from '../calendars.ts'
import { type Connector, type ProviderApp, ProviderError, type Session, type TokenSet } from '../connector.ts'
import { engineOAuth, engineRefusal } from '../engine-oauth.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { mapItems, type ParsedItem, readableItems, setAsideEntries } from '../set-aside.ts'
import { versionedBase } from '../versions.ts'
import { CalendarList, EventPage, isOwn, ListEntry, toEntry, toLiveEvent, toMeeting } from './mapping.ts'

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
const APP_CREATED = scope('calendar.app.created')
const ACLS = scope('calendar.acls')
const oauth = engineOAuth(scope('calendar.readonly'), [APP_CREATED, ACLS])

const pageSize = 250
const MAX_LIST_PAGES = 20

type CallContext = Pick<Session, 'http' | 'app' | 'token'>

function call<T>(
  { http, app, token }: CallContext,
  path: string,
  request: Pick<JsonCall<T>, 'schema'> & Partial<JsonCall<T>>,
): Promise<T> {
  return callJson(http, {
    url: `${versionedBase(`${app.apiBaseUrl}/calendar`, 'engine_calendar')}${path}`,
    bearer: token.accessToken,
    refusal: engineRefusal,
    ...request,
  })
}

async function listCalendars(context: CallContext) {
  const listed: ParsedItem<ListEntry>[] = []
  let pageToken: string | undefined
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const list = await call(context, '/users/me/calendarList', {
      schema: CalendarList,
      query: { maxResults: pageSize, pageToken },
    })
    listed.push(...(list.items ?? []))
    const { items: _items, nextPageToken, ...aside } = list
    if (nextPageToken === null)
      return { entries: readableItems(listed), setAside: setAsideEntries(listed), aside }
    pageToken = nextPageToken
  }
  throw new ProviderError('malformed', 'The list of calendars has too many pages')
}

const syncPage = calendarSync({
  expired: /^(fullSyncRequired|410|updatedMinTooLongAgo)$/,
  async listOwn(session) {
    const { entries, setAside, aside } = await listCalendars(session)
    return { calendars: entries.filter(isOwn).map(toEntry), setAside, aside: { ...aside } }
  },
  async readPage(session, { id, token }, page, bounds) {
    const read = await call(session, `/calendars/${encodeURIComponent(id)}/events`, {
      schema: EventPage,
      query: {
        singleEvents: 'true',
        showDeleted: 'true',
        maxResults: pageSize,
        pageToken: page ?? undefined,
        ...(token === null ? { timeMin: bounds.from, timeMax: bounds.until } : { syncToken: token }),
      },
    })
    const items = read.items ?? []
    return {
      result: mapItems('meeting', items, (event) => toMeeting(event, id)),
      count: items.length,
      next: read.nextPageToken,
      token: read.nextSyncToken,
    }
  },
})

function requireScope({ token }: Session, scopeName: string): void {
  if (token.scopes.includes(scopeName)) return
  throw new ProviderError('permission_missing', 'The person did not grant the permission', {
    providerCode: 'scope_missing',
  })
}

const roles: Record<ShareRole, string> = { free_busy: 'freeBusyReader', reader: 'reader', writer: 'writer' }

const calendars: Calendars = {
  async listEvents(session, calendarId, { from, until, limit, after }) {
    const page = await call(session, `/calendars/${encodeURIComponent(calendarId)}/events`, {
      schema: EventPage,
      query: {
        singleEvents: 'true',
        orderBy: 'startTime',
        timeMin: from.toISOString(),
        timeMax: until.toISOString(),
        maxResults: limit,
        pageToken: after ?? undefined,
      },
    })
    return { events: liveEvents(readableItems(page.items ?? []), toLiveEvent), after: page.nextPageToken }
  },
  async create(session, { name, timezone }) {
    requireScope(session, APP_CREATED)
    const created = await call(session, '/calendars', {
      schema: ListEntry,
      json: { summary: name, timeZone: timezone },
      once: true,
    })
    return toEntry({ ...created, timeZone: created.timeZone ?? timezone, primary: false })
  },
  async share(session, calendarId, { email, role }) {
    requireScope(session, ACLS)
    await call(session, `/calendars/${encodeURIComponent(calendarId)}/acl`, {
      schema: z.looseObject({ id: z.string() }),
      json: { role: roles[role], scope: { type: 'user', value: email } },
    })
  },
}

export const engineCalendar: Connector = {
  provider: 'engine_calendar',
  accountKind: 'account',
  exclusiveAccount: false,
  oauth,
  async listAccounts(http, app: ProviderApp, token: TokenSet) {
    const { entries } = await listCalendars({ http, app, token })
    return entries
      .filter(({ primary }) => primary === true)
      .map((entry) => ({
        id: entry.id,
        name: toEntry(entry).name,
        kind: 'account' as const,
        currency: null,
        timezone: entry.timeZone,
      }))
  },
  sync: { page: syncPage },
  calendars,
}
