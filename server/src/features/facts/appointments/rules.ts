/** Derives outcomes from calendar events. Pure. */
import type { MeetingTime } from '../../../connectors/calendars.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { dayBounds, isTimeZone } from '../../../platform/contract/zones.ts'

export type AppointmentState = 'open' | 'accepted' | 'cancelled'

export type Appointment = {
  connection_id: string
  external_id: string
  identifier_id: string
  calendar_id: string | null
  provider: string
  booked_at: Date
  starts_at: Date
  ends_at: Date | null
  state: AppointmentState
  cancelled_at: Date | null
  reported: string[]
  /** Customer of the identifier; null if there is none. */
  customer_id: string | null
  /** When a sync last reported the event. */
  seen_at: Date
  /** When the last complete sync of the calendar was. */
  read_at: Date | null
}

/** Start and end of a meeting. All-day events use the calendar's time zone. */
export function meetingBounds(
  time: MeetingTime,
  zones: readonly (string | null)[],
): { starts: Date; ends: Date } {
  if ('startsAt' in time) return { starts: new Date(time.startsAt), ends: new Date(time.endsAt) }
  const zone =
    zones.find((candidate): candidate is string => candidate !== null && isTimeZone(candidate)) ?? 'UTC'
  const last = time.endDay > time.startDay ? addDays(time.endDay, -1) : time.startDay
  return { starts: dayBounds(time.startDay, zone).start, ends: dayBounds(last, zone).end }
}

export type Outcome = { type: string; at: Date }

/**
 * A cancelled appointment still counts as booked. Calendars do not report attendance: a guest has attended if they
 * accepted and a sync after the end of the event shows that it was not cancelled.
 */
export function appointmentOutcomes(appointment: Appointment, now: Date): Outcome[] {
  const { booked_at, starts_at, ends_at, state, cancelled_at, read_at } = appointment
  const booked = { type: 'appointment_booked', at: booked_at }
  if (state === 'cancelled') return [booked, { type: 'appointment_cancelled', at: cancelled_at ?? now }]
  const isOver = ends_at !== null && ends_at <= now && read_at !== null && read_at >= ends_at
  return state === 'accepted' && isOver ? [booked, { type: 'appointment_attended', at: starts_at }] : [booked]
}

const keyOf = ({ connection_id, external_id }: Appointment) => `${connection_id} ${external_id}`

/**
 * Counts one appointment per person and start time: the CRM's if there is one, else one that is not cancelled, else the
 * first by id. Returns the counted ones of calendars.
 */
export function countedAppointments(sameStart: readonly Appointment[]): Set<Appointment> {
  const rank = (appointment: Appointment) =>
    `${appointment.calendar_id === null ? 0 : appointment.state === 'cancelled' ? 2 : 1} ${keyOf(appointment)}`
  const byPerson = Map.groupBy(
    sameStart.filter(({ customer_id }) => customer_id !== null),
    ({ customer_id, starts_at }) => `${customer_id} ${starts_at.getTime()}`,
  )
  const counted = [...byPerson.values()].map((candidates) =>
    candidates.reduce((best, candidate) => (rank(candidate) < rank(best) ? candidate : best)),
  )
  return new Set(counted.filter(({ calendar_id }) => calendar_id !== null))
}

/** Appointments that ended longer ago are not checked any more. */
export const SETTLED_AFTER_MS = 30 * DAY_MS
const RECHECK_MS = 6 * 3_600_000
const NEW_GUEST_RECHECK_MS = 5 * 60_000
const NEW_GUEST_MS = 3_600_000

/**
 * Time of the next check: at the end of the event; soon for a new unknown guest, whose events may still be queued;
 * otherwise at an interval, because guests may become customers later and the CRM may change.
 */
export function nextCheck(appointment: Appointment, now: Date): Date | null {
  const { ends_at, starts_at, customer_id, seen_at } = appointment
  const end = ends_at ?? starts_at
  const isNew = customer_id === null && now.getTime() - seen_at.getTime() < NEW_GUEST_MS
  if (isNew) return new Date(now.getTime() + NEW_GUEST_RECHECK_MS)
  if (now.getTime() - end.getTime() > SETTLED_AFTER_MS) return null
  const recheck = now.getTime() + RECHECK_MS
  return new Date(end > now ? Math.min(end.getTime(), recheck) : recheck)
}
