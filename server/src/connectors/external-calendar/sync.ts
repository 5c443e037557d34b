/**
 * Syncs each calendar by `calendarView/delta`: first all events of the window, then changes. Traps of the platform:
 * an occurrence of a series lacks the fields of its master, and an event that moved out of the window is reported as
 * removed, like a deleted one.
 */

import { calendarSync, type SyncedCalendar } from '../calendar-sync.ts'
import { ProviderError, type Session, type SyncPage } from '../connector.ts'
import { mapItems, type ParsedItem, readableItems, setAsideEntries } from '../set-aside.ts'
import { type CallContext, call, queryOf } from './calls.ts'
import { type Calendar, CalendarPage, Event, EventPage, toEntry, toMeeting } from './mapping.ts'

export const preferHeader = 'odata.maxpagesize=100, outlook.timezone="UTC"'
const MAX_LIST_PAGES = 20

export async function listCalendars(context: CallContext) {
  const entries: ParsedItem<Calendar>[] = []
  let query = '?$top=100'
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const list = await call(context, `/me/calendars${query}`, { schema: CalendarPage })
    entries.push(...list.value)
    const link = list['@odata.nextLink']
    if (link === null) return { entries: readableItems(entries), setAside: setAsideEntries(entries) }
    query = queryOf(link)
  }
  throw new ProviderError('malformed', 'The list of calendars has too many pages')
}

export const syncPage = calendarSync({
  expired: /^(410|syncStateNotFound|syncStateInvalid|resyncRequired)$/i,
  async listOwn(session) {
    const { entries, setAside } = await listCalendars(session)
    // A calendar that the account cannot edit is only shared with it.
    const ownCalendars = entries.filter(({ canEdit }) => canEdit === true)
    const owners = Object.fromEntries(ownCalendars.map(({ id, owner }) => [id, owner]))
    return { calendars: ownCalendars.map(toEntry), setAside, aside: { owners } }
  },
  /** The token is the query of the last `deltaLink`. */
  async readPage(session, calendar, page, bounds) {
    const first = `?${new URLSearchParams({ startDateTime: bounds.from, endDateTime: bounds.until })}`
    const read = await call(
      session,
      `/me/calendars/${encodeURIComponent(calendar.id)}/calendarView/delta${page ?? calendar.token ?? first}`,
      { schema: EventPage, headers: { prefer: preferHeader } },
    )
    const [next, delta] = [read['@odata.nextLink'], read['@odata.deltaLink']]
    return {
      result: await toRecords(session, calendar, read.value),
      count: read.value.length,
      next: next === null ? null : queryOf(next),
      token: delta === null ? null : queryOf(delta),
    }
  },
})

async function toRecords(
  session: Session,
  calendar: SyncedCalendar,
  listed: readonly ParsedItem<Event>[],
): Promise<Pick<SyncPage, 'records' | 'setAside'>> {
  const masters = new Map<string, Event | null>()
  for (const { item } of listed) if (item?.type === 'seriesMaster') masters.set(item.id, item)
  const completed: ParsedItem<Event>[] = []
  for (const entry of listed) {
    const event = entry.item
    if (event === null) completed.push(entry)
    else if (event.type === 'seriesMaster') continue
    else if (event['@removed'] != null) {
      // A complete read has nothing that could have been removed.
      if (calendar.token !== null)
        completed.push({ item: await readRemoved(session, event.id), setAside: null })
    } else completed.push({ item: await withMaster(session, event, masters), setAside: null })
  }
  return mapItems('meeting', completed, (event) =>
    toMeeting(event, calendar.id, session.token.extra.email ?? ''),
  )
}

async function readEvent(session: Session, id: string): Promise<Event | null> {
  try {
    return await call(session, `/me/events/${encodeURIComponent(id)}`, {
      schema: Event,
      headers: { prefer: preferHeader },
    })
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return null
    throw error
  }
}

const readRemoved = async (session: Session, id: string): Promise<Event> =>
  (await readEvent(session, id)) ?? Event.parse({ id, isCancelled: true })

/** An occurrence has its own times; attendees and booking time come from the master. */
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
