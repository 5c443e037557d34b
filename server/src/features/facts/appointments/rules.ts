/** Which outcomes follow from an event of a calendar. Pure. */
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
  /** Customer of the identifier; null where the profile does not know the person. */
  customer_id: string | null
  /** When the event was last reported. */
  seen_at: Date
  /** When the calendar was last read to its end. */
  read_at: Date | null
}

/** Whole days are those of the calendar's own zone. */
export function instantsOf(
  time: MeetingTime,
  zones: readonly (string | null)[],
): { starts: Date; ends: Date } {
  if ('startsAt' in time) return { starts: new Date(time.startsAt), ends: new Date(time.endsAt) }
  const zone = zones.find((one): one is string => one !== null && isTimeZone(one)) ?? 'UTC'
  const last = time.endDay > time.startDay ? addDays(time.endDay, -1) : time.startDay
  return { starts: dayBounds(time.startDay, zone).start, ends: dayBounds(last, zone).end }
}

export type Outcome = { type: string; at: Date }

/**
 * A cancelled appointment was booked all the same. A calendar does not say who came: a guest who accepted and whose
 * event was not cancelled by its end has attended, once a sync later than the end has confirmed it.
 */
export function outcomesOf(appointment: Appointment, now: Date): Outcome[] {
  const { booked_at, starts_at, ends_at, state, cancelled_at, read_at } = appointment
  const booked = { type: 'appointment_booked', at: booked_at }
  if (state === 'cancelled') return [booked, { type: 'appointment_cancelled', at: cancelled_at ?? now }]
  const isOver = ends_at !== null && ends_at <= now && read_at !== null && read_at >= ends_at
  return state === 'accepted' && isOver ? [booked, { type: 'appointment_attended', at: starts_at }] : [booked]
}

const keyOf = ({ connection_id, external_id }: Appointment) => `${connection_id} ${external_id}`

/**
 * Of appointments of one person at one time only one counts: the CRM's where it has one, else one that holds, else the
 * first by id. The others report nothing.
 */
export function winnersOf(sameStart: readonly Appointment[]): Set<Appointment> {
  const rank = (one: Appointment) =>
    `${one.calendar_id === null ? 0 : one.state === 'cancelled' ? 2 : 1} ${keyOf(one)}`
  const byPerson = Map.groupBy(
    sameStart.filter(({ customer_id }) => customer_id !== null),
    ({ customer_id, starts_at }) => `${customer_id} ${starts_at.getTime()}`,
  )
  const winners = [...byPerson.values()].map((rivals) =>
    rivals.reduce((best, one) => (rank(one) < rank(best) ? one : best)),
  )
  return new Set(winners.filter(({ calendar_id }) => calendar_id !== null))
}

/** Later than this after its end nothing about an appointment is expected to change. */
export const SETTLED_AFTER_MS = 30 * DAY_MS
const AGAIN_MS = 6 * 3_600_000
const SOON_MS = 5 * 60_000
const NEW_MS = 3_600_000

/**
 * When to look again: at the end of the event, soon for a new guest whose own events may still wait to be processed, and
 * now and then for guests who become known and for the CRM.
 */
export function nextCheck(appointment: Appointment, now: Date): Date | null {
  const { ends_at, starts_at, customer_id, seen_at } = appointment
  const end = ends_at ?? starts_at
  const isNew = customer_id === null && now.getTime() - seen_at.getTime() < NEW_MS
  if (isNew) return new Date(now.getTime() + SOON_MS)
  if (now.getTime() - end.getTime() > SETTLED_AFTER_MS) return null
  const again = now.getTime() + AGAIN_MS
  return new Date(end > now ? Math.min(end.getTime(), again) : again)
}
