/** Google Calendar: the calendars of a person, who was invited to what, and calendars that the service creates. */

import { z } from 'zod'
import { DAY_MS } from '../../platform/contract/dates.ts'
import { liveEvents } from '../calendar-events.ts'
import { AHEAD_DAYS, type Calendars, type ShareRole } from '../calendars.ts'
import {
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type SyncPage,
  type SyncRecord,
  type SyncWindow,
  type TokenSet,
} from '../connector.ts'
import { engineOAuth, engineRefusal } from '../engine-oauth.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { type Judged, readable, setAsideOf, toRecordsOf } from '../set-aside.ts'
import { versionedBase } from '../versions.ts'
import { windowBounds } from '../window.ts'
import { CalendarList, EventPage, isOwn, ListEntry, toEntry, toLiveEvent, toMeeting } from './mapping.ts'

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
const APP_CREATED = scope('calendar.app.created')
const ACLS = scope('calendar.acls')
const oauth = engineOAuth(scope('calendar.readonly'), [APP_CREATED, ACLS])

const pageSize = 250
const MAX_LIST_PAGES = 20

type Reached = Pick<Session, 'http' | 'app' | 'token'>

function call<T>(
  { http, app, token }: Reached,
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

async function listCalendars(reached: Reached) {
  const listed: Judged<ListEntry>[] = []
  let pageToken: string | undefined
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const list = await call(reached, '/users/me/calendarList', {
      schema: CalendarList,
      query: { maxResults: pageSize, pageToken },
    })
    listed.push(...(list.items ?? []))
    const { items: _items, nextPageToken, ...aside } = list
    if (nextPageToken === null) return { entries: readable(listed), setAside: setAsideOf(listed), aside }
    pageToken = nextPageToken
  }
  throw new ProviderError('malformed', 'The list of calendars has no end')
}

const Cursor = z.object({
  calendars: z.array(z.object({ id: z.string(), token: z.string().nullable() })),
  page: z.string().nullable(),
  done: z.number().int(),
})
type Cursor = z.infer<typeof Cursor>

const progress = (done: number) => ({ done, total: null, unit: 'events' })

/** The list of calendars, and the first page of the first. */
async function firstPage(session: Session, window: SyncWindow): Promise<SyncPage> {
  const { entries, setAside, aside } = await listCalendars(session)
  const own = entries.filter(isOwn)
  const calendars = own.map(({ id }) => ({ id, token: window.syncTokens?.[id] ?? null }))
  const list: SyncRecord = {
    type: 'calendar_list',
    externalId: session.accountId,
    calendars: own.map(toEntry),
    isWhole: setAside.length === 0,
    readWhole: calendars.flatMap(({ id, token }) => (token === null ? [id] : [])),
    aside: { ...aside },
  }
  const page = await eventPage(session, window, { calendars, page: null, done: 0 })
  return { ...page, records: [list, ...page.records], setAside: [...setAside, ...(page.setAside ?? [])] }
}

/** Bounds of a first read. A sync token takes no bounds: it repeats those of the read that gave it. */
function boundsOf(window: SyncWindow) {
  const { from, until } = windowBounds(window)
  return { from: from.toISOString(), until: new Date(until.getTime() + AHEAD_DAYS * DAY_MS).toISOString() }
}

const syncPage = (session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> =>
  cursor === null ? firstPage(session, window) : eventPage(session, window, Cursor.parse(JSON.parse(cursor)))

async function eventPage(session: Session, window: SyncWindow, cursor: Cursor): Promise<SyncPage> {
  const [calendar, ...others] = cursor.calendars
  if (calendar === undefined) return { records: [], cursor: null, progress: progress(cursor.done) }
  const bounds = boundsOf(window)
  const to = (next: Cursor): Pick<SyncPage, 'cursor' | 'progress'> => ({
    cursor: next.calendars.length === 0 ? null : JSON.stringify(next),
    progress: progress(next.done),
  })
  try {
    const page = await call(session, `/calendars/${encodeURIComponent(calendar.id)}/events`, {
      schema: EventPage,
      query: {
        singleEvents: 'true',
        showDeleted: 'true',
        maxResults: pageSize,
        pageToken: cursor.page ?? undefined,
        ...(calendar.token === null
          ? { timeMin: bounds.from, timeMax: bounds.until }
          : { syncToken: calendar.token }),
      },
    })
    const items = page.items ?? []
    const made = toRecordsOf('meeting', items, (event) => toMeeting(event, calendar.id))
    const done = cursor.done + items.length
    if (page.nextPageToken !== null) return { ...made, ...to({ ...cursor, page: page.nextPageToken, done }) }
    const end = {
      type: 'calendar_read' as const,
      externalId: calendar.id,
      token: page.nextSyncToken,
      whole: calendar.token === null ? bounds : null,
    }
    return {
      ...made,
      records: [...made.records, end],
      ...to({ calendars: others, page: null, done }),
    }
  } catch (error) {
    const code = error instanceof ProviderError ? error.providerCode : null
    if (
      calendar.token !== null &&
      (code === 'fullSyncRequired' || code === '410' || code === 'updatedMinTooLongAgo')
    ) {
      const expired = { type: 'calendar_read' as const, externalId: calendar.id, token: null, whole: null }
      const again = [{ id: calendar.id, token: null }, ...others]
      return { records: [expired], ...to({ ...cursor, calendars: again, page: null }) }
    }
    // Removed since the list was read; the next list will not have it.
    if (error instanceof ProviderError && error.reason === 'not_found')
      return { records: [], ...to({ calendars: others, page: null, done: cursor.done }) }
    throw error
  }
}

function requireScope({ token }: Session, needed: string): void {
  if (token.scopes.includes(needed)) return
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
    return { events: liveEvents(readable(page.items ?? []), toLiveEvent), after: page.nextPageToken }
  },
  async create(session, { name, timezone }) {
    requireScope(session, APP_CREATED)
    const made = await call(session, '/calendars', {
      schema: ListEntry,
      json: { summary: name, timeZone: timezone },
      once: true,
    })
    return toEntry({ ...made, timeZone: made.timeZone ?? timezone, primary: false })
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
