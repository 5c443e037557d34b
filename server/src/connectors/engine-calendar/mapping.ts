/**
 * Maps Google Calendar responses to records. Field names of `CalendarListEntry`, `Event` and `EventAttendee` in the Calendar API v3
 * reference and its discovery document (googleapis/google-api-go-client calendar/v3), read on 2026-11-17.
 */
import { z } from 'zod'
import { wholeDays } from '../calendar-events.ts'
import type { CalendarEntry, LiveEvent, MeetingRecord, MeetingTime, Reply } from '../calendars.ts'
import { ProviderError } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { flag, text, time } from '../reply-fields.ts'
import { parsedOrSetAside } from '../set-aside.ts'
import { toInstant } from '../window.ts'

/** The access role must be readable; other unreadable fields become null. */
export const ListEntry = z.looseObject({
  id: z.string().min(1),
  summary: text.catch(null),
  summaryOverride: text.catch(null),
  timeZone: text.catch(null),
  primary: flag.catch(null),
  accessRole: text,
})
export type ListEntry = z.infer<typeof ListEntry>

export const CalendarList = z.looseObject({
  items: z.array(parsedOrSetAside('calendar', ListEntry)).nullish(),
  nextPageToken: text,
})

const EventTime = z.looseObject({ dateTime: text, date: text, timeZone: text }).nullish()

export const Event = z.looseObject({
  id: z.string().min(1),
  status: text,
  summary: text,
  created: time,
  updated: time,
  start: EventTime,
  end: EventTime,
  recurringEventId: text,
  attendees: z
    .array(
      z.looseObject({ email: text, displayName: text, self: flag, resource: flag, responseStatus: text }),
    )
    .nullish(),
})
export type Event = z.infer<typeof Event>

/** The last page contains `nextSyncToken`, every other one `nextPageToken`. */
export const EventPage = z.looseObject({
  items: z.array(parsedOrSetAside('meeting', Event)).nullish(),
  nextPageToken: text,
  nextSyncToken: text,
})

export const toEntry = (entry: ListEntry): CalendarEntry => ({
  id: entry.id,
  name: entry.summaryOverride ?? entry.summary ?? entry.id,
  timezone: entry.timeZone,
  isPrimary: entry.primary === true,
})

/** Calendars that the account owns or may write to, not those that are only shared with it. */
export const isOwn = ({ accessRole }: ListEntry) => accessRole === 'owner' || accessRole === 'writer'

/** Every time has an offset; all-day events have dates instead. */
function toTime(event: Event): MeetingTime | null {
  const { start, end } = event
  if (start?.date && end?.date) return wholeDays(start.date, end.date)
  const startsAt = toInstant(start?.dateTime)
  const endsAt = toInstant(end?.dateTime)
  return startsAt === null || endsAt === null ? null : { startsAt, endsAt }
}

const replies: Record<string, Reply> = { accepted: 'accepted', declined: 'declined' }

/** Attendees without the account itself and without rooms. */
function guestsOf(event: Event) {
  return (event.attendees ?? []).flatMap(({ email, displayName, self, resource, responseStatus }) =>
    email === null || self === true || resource === true
      ? []
      : [{ email, name: displayName, reply: lookUp(replies, responseStatus) ?? ('open' as const) }],
  )
}

export function toMeeting(event: Event, calendarId: string): MeetingRecord {
  const isCancelled = event.status === 'cancelled'
  const when = toTime(event)
  if (when === null && !isCancelled) throw new ProviderError('malformed', 'An event has no time')
  return {
    type: 'meeting',
    externalId: event.id,
    calendarId,
    isCancelled,
    bookedAt: event.created,
    changedAt: event.updated,
    time: when,
    attendees: guestsOf(event).map(({ email, reply }) => ({ email, reply })),
  }
}

export function toLiveEvent(event: Event): LiveEvent {
  const { type: _type, calendarId: _calendar, ...meeting } = toMeeting(event, '')
  return {
    ...meeting,
    title: event.summary,
    isRecurring: event.recurringEventId !== null,
    attendees: guestsOf(event),
  }
}
