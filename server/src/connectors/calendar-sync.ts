/** Syncs an account's calendars: first the list, then each calendar page by page, completely or by its sync token. */
import { z } from 'zod'
import { DAY_MS } from '../platform/contract/dates.ts'
import { APPOINTMENT_LOOKAHEAD_DAYS, type CalendarEntry } from './calendars.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from './connector.ts'
import { windowBounds } from './window.ts'

export type SyncedCalendar = { id: string; token: string | null }
/** Bounds of a full read. A sync token keeps the bounds of the read that issued it. */
type Bounds = { from: string; until: string }

type CalendarVendor = {
  /** Calendars that the account owns, without those shared with it. */
  listOwn(session: Session): Promise<{
    calendars: CalendarEntry[]
    setAside: NonNullable<SyncPage['setAside']>
    aside: Record<string, unknown>
  }>
  /** A page of events: `next` is the cursor of the following page, `token` the sync token on the last page. */
  readPage(
    session: Session,
    calendar: SyncedCalendar,
    page: string | null,
    bounds: Bounds,
  ): Promise<{
    result: Pick<SyncPage, 'records' | 'setAside'>
    count: number
    next: string | null
    token: string | null
  }>
  /** Error codes of an expired sync token; the calendar is then read from the beginning. */
  expired: RegExp
}

const Cursor = z.object({
  calendars: z.array(z.object({ id: z.string(), token: z.string().nullable() })),
  page: z.string().nullable(),
  done: z.number().int(),
})
type Cursor = z.infer<typeof Cursor>

const continueAt = (next: Cursor): Pick<SyncPage, 'cursor' | 'progress'> => ({
  cursor: next.calendars.length === 0 ? null : JSON.stringify(next),
  progress: { done: next.done, total: null, unit: 'events' },
})

function boundsOf(window: SyncWindow): Bounds {
  const { from, until } = windowBounds(window)
  return {
    from: from.toISOString(),
    until: new Date(until.getTime() + APPOINTMENT_LOOKAHEAD_DAYS * DAY_MS).toISOString(),
  }
}

export function calendarSync({ listOwn, readPage, expired }: CalendarVendor) {
  /** The list of calendars, and the first page of the first calendar. */
  async function firstPage(session: Session, window: SyncWindow): Promise<SyncPage> {
    const { calendars: ownCalendars, setAside, aside } = await listOwn(session)
    const calendars = ownCalendars.map(({ id }) => ({ id, token: window.syncTokens?.[id] ?? null }))
    const list: SyncRecord = {
      type: 'calendar_list',
      externalId: session.accountId,
      calendars: ownCalendars,
      isWhole: setAside.length === 0,
      readWhole: calendars.flatMap(({ id, token }) => (token === null ? [id] : [])),
      aside,
    }
    const page = await eventPage(session, window, { calendars, page: null, done: 0 })
    return { ...page, records: [list, ...page.records], setAside: [...setAside, ...(page.setAside ?? [])] }
  }

  async function eventPage(session: Session, window: SyncWindow, cursor: Cursor): Promise<SyncPage> {
    const [calendar, ...otherCalendars] = cursor.calendars
    if (calendar === undefined) return { records: [], ...continueAt(cursor) }
    const completed = { type: 'calendar_read' as const, externalId: calendar.id }
    const bounds = boundsOf(window)
    try {
      const { result, count, next, token } = await readPage(session, calendar, cursor.page, bounds)
      const done = cursor.done + count
      if (next !== null) return { ...result, ...continueAt({ ...cursor, page: next, done }) }
      const end = { ...completed, token, whole: calendar.token === null ? bounds : null }
      return {
        ...result,
        records: [...result.records, end],
        ...continueAt({ calendars: otherCalendars, page: null, done }),
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (calendar.token !== null && expired.test(error.providerCode ?? '')) {
        const restarted = [{ id: calendar.id, token: null }, ...otherCalendars]
        return {
          records: [{ ...completed, token: null, whole: null }],
          ...continueAt({ ...cursor, calendars: restarted, page: null }),
        }
      }
      // Removed since the list was read; the next list will not contain it.
      if (error.reason === 'not_found')
        return { records: [], ...continueAt({ calendars: otherCalendars, page: null, done: cursor.done }) }
      throw error
    }
  }

  return (session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> =>
    cursor === null
      ? firstPage(session, window)
      : eventPage(session, window, Cursor.parse(JSON.parse(cursor)))
}
