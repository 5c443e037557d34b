/** Calendars of an account: what a sync reports of them, and what is read and written live. */
import type { Session } from './session.ts'

export type CalendarEntry = { id: string; name: string; timezone: string | null; isPrimary: boolean }

/** All calendars of the account itself, without those only shown to it: one that is missing no longer exists. */
export type CalendarListRecord = {
  type: 'calendar_list'
  /** Of the account. */
  externalId: string
  calendars: CalendarEntry[]
  /** False where an entry could not be read: then one that is missing may still exist. */
  isWhole: boolean
  /** Calendars that this sync reads from the beginning instead of by their changes. */
  readWhole: string[]
}

/** A calendar was read to its end. A null token reports that the last one expired: it is read from the beginning next. */
export type CalendarReadRecord = {
  type: 'calendar_read'
  /** Of the calendar. */
  externalId: string
  token: string | null
  /** Read from the beginning: known events that begin within these bounds and did not come are gone. ISO 8601 UTC. */
  whole: { from: string; until: string } | null
}

export type Reply = 'accepted' | 'declined' | 'open'

/** Days are the calendar's own, the last one excluded. */
export type MeetingTime = { startsAt: string; endsAt: string } | { startDay: string; endDay: string }

/** An event of a calendar with those who were invited, without its words. */
export type MeetingRecord = {
  type: 'meeting'
  externalId: string
  calendarId: string
  isCancelled: boolean
  bookedAt: string | null
  changedAt: string | null
  /** Null where a cancelled event no longer says it. */
  time: MeetingTime | null
  attendees: { email: string; reply: Reply }[]
}

export type LiveEvent = Omit<MeetingRecord, 'type' | 'attendees' | 'calendarId'> & {
  title: string | null
  isRecurring: boolean
  attendees: { email: string; name: string | null; reply: Reply }[]
}

export const shareRoles = ['free_busy', 'reader', 'writer'] as const
export type ShareRole = (typeof shareRoles)[number]

export type Calendars = {
  /** One page; `after` is the place behind the page before. */
  listEvents(
    session: Session,
    calendarId: string,
    page: { from: Date; until: Date; limit: number; after: string | null },
  ): Promise<{ events: LiveEvent[]; after: string | null }>
  /** Null where the provider's calendars are only read. */
  create: ((session: Session, calendar: { name: string; timezone: string }) => Promise<CalendarEntry>) | null
  share:
    | ((session: Session, calendarId: string, share: { email: string; role: ShareRole }) => Promise<void>)
    | null
}

/** Appointments are booked for later: future ones were booked now. */
export const AHEAD_DAYS = 180
