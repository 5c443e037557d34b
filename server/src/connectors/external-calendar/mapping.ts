/**
 * Maps Microsoft Graph calendar responses to records. Field names of `calendar`, `event` and `attendee` in the v1.0 reference
 * (microsoftgraph/microsoft-graph-docs-contrib), read on 2026-11-17.
 */
import { z } from 'zod'
import { wholeDays } from '../calendar-events.ts'
import type { CalendarEntry, LiveEvent, MeetingRecord, MeetingTime, Reply } from '../calendars.ts'
import { ProviderError } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { flag, text, time } from '../reply-fields.ts'
import { parsedOrSetAside } from '../set-aside.ts'
import { toInstant } from '../window.ts'

export const User = z.looseObject({
  id: z.string().min(1),
  displayName: text,
  mail: text,
  userPrincipalName: text,
})

/** The owner must be readable; other unreadable fields become null. */
export const Calendar = z.looseObject({
  id: z.string().min(1),
  name: text.catch(null),
  isDefaultCalendar: flag.catch(null),
  canEdit: flag,
})
export type Calendar = z.infer<typeof Calendar>
export const CalendarPage = z.looseObject({
  value: z.array(parsedOrSetAside('calendar', Calendar)),
  '@odata.nextLink': text,
})

const EventTime = z.looseObject({ dateTime: text, timeZone: text }).nullish()

export const Event = z.looseObject({
  id: z.string().min(1),
  type: text,
  subject: text,
  isCancelled: flag,
  isAllDay: flag,
  createdDateTime: time,
  lastModifiedDateTime: time,
  start: EventTime,
  end: EventTime,
  seriesMasterId: text,
  attendees: z
    .array(
      z.looseObject({
        type: text,
        status: z.looseObject({ response: text }).nullish(),
        emailAddress: z.looseObject({ name: text, address: text }).nullish(),
      }),
    )
    .nullish(),
  '@removed': z.looseObject({ reason: text }).nullish(),
})
export type Event = z.infer<typeof Event>

export const EventPage = z.looseObject({
  value: z.array(parsedOrSetAside('meeting', Event)),
  '@odata.nextLink': text,
  '@odata.deltaLink': text,
})

export const toEntry = (calendar: Calendar): CalendarEntry => ({
  id: calendar.id,
  name: calendar.name ?? calendar.id,
  // Reading the time zone of a mailbox requires another permission.
  timezone: null,
  isPrimary: calendar.isDefaultCalendar === true,
})

/** Times are requested in UTC; all-day events have midnights instead of dates. */
function toTime(event: Event): MeetingTime | null {
  const { start, end } = event
  if (!start?.dateTime || !end?.dateTime) return null
  if (event.isAllDay === true) return wholeDays(start.dateTime.slice(0, 10), end.dateTime.slice(0, 10))
  const isUtc = [start.timeZone, end.timeZone].every((zone) => zone === null || zone === 'UTC')
  const startsAt = toInstant(start.dateTime)
  const endsAt = toInstant(end.dateTime)
  return !isUtc || startsAt === null || endsAt === null ? null : { startsAt, endsAt }
}

const replies: Record<string, Reply> = { accepted: 'accepted', declined: 'declined' }

/** Attendees without the account itself and without rooms. */
function guestsOf(event: Event, ownEmail: string) {
  return (event.attendees ?? []).flatMap(({ type, status, emailAddress }) => {
    const email = emailAddress?.address ?? null
    if (email === null || type === 'resource' || email.toLowerCase() === ownEmail.toLowerCase()) return []
    return [
      {
        email,
        name: emailAddress?.name ?? null,
        reply: lookUp(replies, status?.response) ?? ('open' as const),
      },
    ]
  })
}

export function toMeeting(event: Event, calendarId: string, ownEmail: string): MeetingRecord {
  const isCancelled = event.isCancelled === true
  const when = toTime(event)
  if (when === null && !isCancelled) throw new ProviderError('malformed', 'An event has no time in UTC')
  return {
    type: 'meeting',
    externalId: event.id,
    calendarId,
    isCancelled,
    bookedAt: event.createdDateTime,
    changedAt: event.lastModifiedDateTime,
    time: when,
    attendees: guestsOf(event, ownEmail).map(({ email, reply }) => ({ email, reply })),
  }
}

export function toLiveEvent(event: Event, ownEmail: string): LiveEvent {
  const { type: _type, calendarId: _calendar, ...meeting } = toMeeting(event, '', ownEmail)
  return {
    ...meeting,
    title: event.subject,
    isRecurring: event.seriesMasterId !== null,
    attendees: guestsOf(event, ownEmail),
  }
}
