/** Calendars of an account: records of a sync, and live reads and writes. */
import type { Session } from './session.ts'

export type CalendarEntry = { id: string; name: string; timezone: string | null; isPrimary: boolean }

/** All calendars that the account owns, without those shared with it. A calendar that is missing no longer exists. */
export type CalendarListRecord = {
  type: 'calendar_list'
  /** Id of the account. */
  externalId: string
  calendars: CalendarEntry[]
  /** False if an entry could not be parsed: a missing calendar may then still exist. */
  isWhole: boolean
  /** Ids of calendars that this sync reads completely instead of by changes. */
  readWhole: string[]
}

/** A calendar was read to its end. A null token means that the sync token expired; a complete read follows. */
export type CalendarReadRecord = {
  type: 'calendar_read'
  /** Id of the calendar. */
  externalId: string
  token: string | null
  /** Set after a complete read: stored events that start within these bounds and were not returned no longer exist. ISO 8601 UTC. */
  whole: { from: string; until: string } | null
}

export type Reply = 'accepted' | 'declined' | 'open'

/** Days are in the calendar's time zone; `endDay` is exclusive. */
export type MeetingTime = { startsAt: string; endsAt: string } | { startDay: string; endDay: string }

/** A calendar event with its attendees, without its text. */
export type MeetingRecord = {
  type: 'meeting'
  externalId: string
  calendarId: string
  isCancelled: boolean
  bookedAt: string | null
  changedAt: string | null
  /** Null if a cancelled event no longer contains it. */
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
  /** Returns one page; `after` is the cursor of the previous page. */
  listEvents(
    session: Session,
    calendarId: string,
    page: { from: Date; until: Date; limit: number; after: string | null },
  ): Promise<{ events: LiveEvent[]; after: string | null }>
  /** Null if calendars of the provider are read-only. */
  create: ((session: Session, calendar: { name: string; timezone: string }) => Promise<CalendarEntry>) | null
  share:
    | ((session: Session, calendarId: string, share: { email: string; role: ShareRole }) => Promise<void>)
    | null
}

/** How far ahead calendars are read: appointments are booked in advance, so future events are recent bookings. */
export const APPOINTMENT_LOOKAHEAD_DAYS = 180
