/** Stores appointments from calendars and the CRM; the job `settle` decides on their outcomes. */
import type { CalendarListRecord, CalendarReadRecord, MeetingRecord } from '../../../connectors/calendars.ts'
import type { OutcomeRecord } from '../../../connectors/connector.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type IdentityScope, toIdentifiers } from '../identity/identifiers.ts'
import { loadZones } from './queries.ts'
import { meetingBounds } from './rules.ts'
import {
  dropAppointments,
  type GuestRow,
  saveCalendarList,
  saveCalendarRead,
  saveGuests,
} from './save-calendars.ts'
import { settleAppointments } from './settle-job.ts'

export type CalendarSetting = IdentityScope & {
  provider: string
  connectionId: string
  /** Time zone of all-day events if the calendar has none. */
  timezone: string
  now: Date
}

export type CalendarRecords = {
  lists: readonly CalendarListRecord[]
  reads: readonly CalendarReadRecord[]
  meetings: readonly MeetingRecord[]
}

export async function receiveCalendars(
  tx: Tx,
  setting: CalendarSetting,
  { lists, reads, meetings }: CalendarRecords,
): Promise<void> {
  if (lists.length + reads.length + meetings.length === 0) return
  const { profileId, connectionId, provider, now } = setting
  const ref = { profileId, connectionId, now }
  for (const { calendars, isWhole, readWhole } of lists)
    await saveCalendarList(tx, { ...ref, calendars, isWhole, readWhole })
  const zones = await loadZones(tx, ref)
  // If a page has two versions of an event, the later one wins.
  const latest = new Map(meetings.map((meeting) => [eventKey(meeting), meeting]))
  const events = [...latest.values()].map((meeting) => ({
    externalId: eventKey(meeting),
    guests: guestsOf(meeting, setting, [zones.get(meeting.calendarId) ?? null, setting.timezone]),
  }))
  await saveGuests(tx, { ...ref, provider, events })
  for (const read of reads) await saveCalendarRead(tx, { ...ref, read })
  await queueSettle(tx, profileId)
}

const eventKey = ({ calendarId, externalId }: MeetingRecord) => `${calendarId}|${externalId}`

function guestsOf(
  meeting: MeetingRecord,
  setting: CalendarSetting,
  zones: readonly (string | null)[],
): GuestRow[] {
  if (meeting.isCancelled || meeting.time === null) return []
  const { starts, ends } = meetingBounds(meeting.time, zones)
  const changedAt = meeting.changedAt === null ? setting.now : new Date(meeting.changedAt)
  const guests = new Map<string, GuestRow>()
  for (const { email, reply } of meeting.attendees) {
    const id = toIdentifiers({ email }, setting)[0]?.id
    if (id === undefined) continue
    guests.set(id, {
      external_id: eventKey(meeting),
      identifier_id: id,
      calendar_id: meeting.calendarId,
      booked_at: meeting.bookedAt === null ? changedAt : new Date(meeting.bookedAt),
      starts_at: starts,
      ends_at: ends,
      state: reply === 'declined' ? 'cancelled' : reply,
      cancelled_at: reply === 'declined' ? changedAt : null,
    })
  }
  return [...guests.values()]
}

/** CRM appointments are outcomes of their own; they are stored so that a calendar does not count them twice. */
export async function saveCrmAppointments(
  tx: Tx,
  setting: CalendarSetting,
  outcomes: readonly OutcomeRecord[],
): Promise<void> {
  const booked = outcomes.filter(
    ({ startsAt, person }) => startsAt !== undefined && person.contactId !== null,
  )
  if (booked.length === 0) return
  const { profileId, connectionId, provider, now } = setting
  const ref = { profileId, connectionId, now }
  const latest = new Map(booked.map((record) => [record.externalId, record]))
  const all = [...latest.values()]
  await dropAppointments(tx, {
    ...ref,
    externalIds: all.flatMap(({ retracted, externalId }) => (retracted ? [externalId] : [])),
  })
  const events = all
    .filter(({ retracted }) => !retracted)
    .map((record) => ({ externalId: record.externalId, guests: [toCrmRow(record, setting)] }))
  await saveGuests(tx, { ...ref, provider, events })
  await queueSettle(tx, profileId)
}

function toCrmRow(record: OutcomeRecord, setting: CalendarSetting): GuestRow {
  const crmContactId = `${setting.provider}:${record.person.contactId}`
  return {
    external_id: record.externalId,
    identifier_id: toIdentifiers({ crmContactId }, setting)[0]!.id,
    calendar_id: null,
    booked_at: new Date(record.occurredAt),
    starts_at: new Date(record.startsAt!),
    ends_at: null,
    state: 'accepted',
    cancelled_at: null,
  }
}

const queueSettle = (tx: Tx, profileId: string) =>
  enqueue(tx, settleAppointments, { profile_id: profileId }, { profileId, dedupeKey: profileId })
