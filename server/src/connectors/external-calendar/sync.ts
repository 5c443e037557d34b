/**
 * Reads each calendar by `calendarView/delta`: first all events of the window, then what changed. Traps of the platform:
 * an occurrence of a series comes without what its master says, and an event that moved out of the window is reported as
 * removed, like one that was deleted.
 */

import { z } from 'zod'
import { DAY_MS } from '../../platform/contract/dates.ts'
import { AHEAD_DAYS } from '../calendars.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { type Judged, readable, setAsideOf, toRecordsOf } from '../set-aside.ts'
import { windowBounds } from '../window.ts'
import { call, queryOf, type Reached } from './calls.ts'
import { type Calendar, CalendarPage, Event, EventPage, toEntry, toMeeting } from './mapping.ts'

export const prefer = 'odata.maxpagesize=100, outlook.timezone="UTC"'
const MAX_LIST_PAGES = 20

export async function listCalendars(reached: Reached) {
  const found: Judged<Calendar>[] = []
  let query = '?$top=100'
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const list = await call(reached, `/me/calendars${query}`, { schema: CalendarPage })
    found.push(...list.value)
    const link = list['@odata.nextLink']
    if (link === null) return { entries: readable(found), setAside: setAsideOf(found) }
    query = queryOf(link)
  }
  throw new ProviderError('malformed', 'The list of calendars has no end')
}

const Cursor = z.object({
  /** The token is the query of the last `deltaLink`. */
  calendars: z.array(z.object({ id: z.string(), token: z.string().nullable() })),
  page: z.string().nullable(),
  done: z.number().int(),
})
type Cursor = z.infer<typeof Cursor>

const progress = (done: number) => ({ done, total: null, unit: 'events' })
const to = (next: Cursor): Pick<SyncPage, 'cursor' | 'progress'> => ({
  cursor: next.calendars.length === 0 ? null : JSON.stringify(next),
  progress: progress(next.done),
})

/** The list of calendars, and the first page of the first. */
async function firstPage(session: Session, window: SyncWindow): Promise<SyncPage> {
  const { entries, setAside } = await listCalendars(session)
  // One that is only shown to the account is someone else's.
  const own = entries.filter(({ canEdit }) => canEdit === true)
  const calendars = own.map(({ id }) => ({ id, token: window.syncTokens?.[id] ?? null }))
  const owners = own.map(({ id, owner }) => [id, owner])
  const list: SyncRecord = {
    type: 'calendar_list',
    externalId: session.accountId,
    calendars: own.map(toEntry),
    isWhole: setAside.length === 0,
    readWhole: calendars.flatMap(({ id, token }) => (token === null ? [id] : [])),
    aside: { owners: Object.fromEntries(owners) },
  }
  const page = await eventPage(session, window, { calendars, page: null, done: 0 })
  return { ...page, records: [list, ...page.records], setAside: [...setAside, ...(page.setAside ?? [])] }
}

export const syncPage = (session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> =>
  cursor === null ? firstPage(session, window) : eventPage(session, window, Cursor.parse(JSON.parse(cursor)))

async function eventPage(session: Session, window: SyncWindow, cursor: Cursor): Promise<SyncPage> {
  const [calendar, ...others] = cursor.calendars
  if (calendar === undefined) return { records: [], ...to({ ...cursor, calendars: [] }) }
  const { from, until } = windowBounds(window)
  const bounds = {
    from: from.toISOString(),
    until: new Date(until.getTime() + AHEAD_DAYS * DAY_MS).toISOString(),
  }
  const first = `?${new URLSearchParams({ startDateTime: bounds.from, endDateTime: bounds.until })}`
  try {
    const page = await call(
      session,
      `/me/calendars/${encodeURIComponent(calendar.id)}/calendarView/delta${cursor.page ?? calendar.token ?? first}`,
      { schema: EventPage, headers: { prefer } },
    )
    const made = await toRecords(session, calendar, page.value)
    const done = cursor.done + page.value.length
    const next = page['@odata.nextLink']
    if (next !== null) return { ...made, ...to({ ...cursor, page: queryOf(next), done }) }
    const delta = page['@odata.deltaLink']
    const end: SyncRecord = {
      type: 'calendar_read',
      externalId: calendar.id,
      token: delta === null ? null : queryOf(delta),
      whole: calendar.token === null ? bounds : null,
    }
    return { ...made, records: [...made.records, end], ...to({ calendars: others, page: null, done }) }
  } catch (error) {
    const code = error instanceof ProviderError ? (error.providerCode ?? '') : ''
    if (calendar.token !== null && /^(410|syncStateNotFound|syncStateInvalid|resyncRequired)$/i.test(code)) {
      const expired = { type: 'calendar_read' as const, externalId: calendar.id, token: null, whole: null }
      const again = [{ id: calendar.id, token: null }, ...others]
      return { records: [expired], ...to({ ...cursor, calendars: again, page: null }) }
    }
    if (error instanceof ProviderError && error.reason === 'not_found')
      return { records: [], ...to({ calendars: others, page: null, done: cursor.done }) }
    throw error
  }
}

async function toRecords(
  session: Session,
  calendar: { id: string; token: string | null },
  listed: readonly Judged<Event>[],
): Promise<Pick<SyncPage, 'setAside'> & { records: SyncRecord[] }> {
  const masters = new Map<string, Event | null>()
  for (const { item } of listed) if (item?.type === 'seriesMaster') masters.set(item.id, item)
  const whole: Judged<Event>[] = []
  for (const entry of listed) {
    const event = entry.item
    if (event === null) whole.push(entry)
    else if (event.type === 'seriesMaster') continue
    else if (event['@removed'] != null) {
      // In a first read there is nothing that it could have removed.
      if (calendar.token !== null) whole.push({ item: await readRemoved(session, event.id), setAside: null })
    } else whole.push({ item: await withMaster(session, event, masters), setAside: null })
  }
  return toRecordsOf('meeting', whole, (event) =>
    toMeeting(event, calendar.id, session.token.extra.email ?? ''),
  )
}

async function readEvent(session: Session, id: string): Promise<Event | null> {
  try {
    return await call(session, `/me/events/${encodeURIComponent(id)}`, { schema: Event, headers: { prefer } })
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return null
    throw error
  }
}

const readRemoved = async (session: Session, id: string): Promise<Event> =>
  (await readEvent(session, id)) ?? Event.parse({ id, isCancelled: true })

/** An occurrence says when it is; who was invited and when it was booked is the master's. */
async function withMaster(
  session: Session,
  event: Event,
  masters: Map<string, Event | null>,
): Promise<Event> {
  const masterId = event.seriesMasterId
  if (event.type !== 'occurrence' || masterId === null || (event.attendees ?? []).length > 0) return event
  if (!masters.has(masterId)) masters.set(masterId, await readEvent(session, masterId))
  const master = masters.get(masterId)
  if (master == null) return event
  return {
    ...event,
    attendees: master.attendees,
    isAllDay: event.isAllDay ?? master.isAllDay,
    createdDateTime: event.createdDateTime ?? master.createdDateTime,
    lastModifiedDateTime: event.lastModifiedDateTime ?? master.lastModifiedDateTime,
  }
}
