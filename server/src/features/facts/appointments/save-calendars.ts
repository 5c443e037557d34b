/** Saves calendars and calendar events that a sync reports. */
import { sql } from 'kysely'
import type { CalendarEntry, CalendarReadRecord } from '../../../connectors/calendars.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { AppointmentState } from './rules.ts'

type Ref = { profileId: string; connectionId: string }

/** With `isWhole`, calendars missing from the list are deleted and their future appointments cancelled. */
export async function saveCalendarList(
  tx: Tx,
  params: Ref & {
    calendars: readonly CalendarEntry[]
    isWhole: boolean
    readWhole: readonly string[]
    now: Date
  },
): Promise<void> {
  const { profileId, connectionId, now } = params
  if (params.isWhole) await dropMissing(tx, params)
  await sql`
    insert into calendars (profile_id, connection_id, external_id, name, timezone, is_primary, created_at)
    select ${profileId}::uuid, ${connectionId}::uuid, c.id, c.name, c.timezone, c."isPrimary", ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(params.calendars)}::jsonb) as c(id text, name text, timezone text, "isPrimary" boolean)
    on conflict (profile_id, connection_id, external_id) do update
      set name = excluded.name, timezone = excluded.timezone, is_primary = excluded.is_primary`.execute(tx)
  await sql`
    update calendars set sync_token = null, whole_read_at = ${now}
    where profile_id = ${profileId} and connection_id = ${connectionId}
      and external_id = any(${[...params.readWhole]}::text[])`.execute(tx)
}

/** Deletes calendars that are no longer listed (new managed ones are kept a day) and cancels their future appointments. */
async function dropMissing(tx: Tx, params: Ref & { calendars: readonly CalendarEntry[]; now: Date }) {
  const { profileId, connectionId, now } = params
  const ids = params.calendars.map(({ id }) => id)
  await sql`
    update appointments set state = 'cancelled', cancelled_at = coalesce(cancelled_at, ${now}), check_at = ${now}
    where profile_id = ${profileId} and connection_id = ${connectionId} and calendar_id is not null
      and not calendar_id = any(${ids}::text[]) and state <> 'cancelled' and starts_at > ${now}`.execute(tx)
  await sql`
    delete from calendars where profile_id = ${profileId} and connection_id = ${connectionId}
      and not external_id = any(${ids}::text[])
      and (not is_managed or created_at < ${now}::timestamptz - interval '1 day')`.execute(tx)
}

export async function saveManagedCalendar(tx: Tx, params: Ref & { calendar: CalendarEntry; now: Date }) {
  const { calendar } = params
  await sql`
    insert into calendars (profile_id, connection_id, external_id, name, timezone, is_primary, is_managed, created_at)
    values (${params.profileId}, ${params.connectionId}, ${calendar.id}, ${calendar.name}, ${calendar.timezone}, false, true,
      ${params.now})
    on conflict (profile_id, connection_id, external_id) do update set is_managed = true`.execute(tx)
}

/** Saves the sync token and schedules checks of ended events. After a full sync, events that it did not report are cancelled. */
export async function saveCalendarRead(tx: Tx, params: Ref & { read: CalendarReadRecord; now: Date }) {
  const { profileId, connectionId, read, now } = params
  if (read.whole !== null)
    await sql`
      update appointments a
      set state = 'cancelled', cancelled_at = coalesce(a.cancelled_at, ${now}), check_at = ${now}
      from calendars c
      where a.profile_id = ${profileId} and a.connection_id = ${connectionId} and a.calendar_id = ${read.externalId}
        and c.profile_id = ${profileId} and c.connection_id = ${connectionId} and c.external_id = a.calendar_id
        and a.state <> 'cancelled' and a.seen_at < c.whole_read_at
        and a.starts_at > ${read.whole.from}::timestamptz
        and a.starts_at < ${read.whole.until}::timestamptz`.execute(tx)
  if (read.token !== null)
    await sql`
      update appointments set check_at = ${now}
      where profile_id = ${profileId} and connection_id = ${connectionId} and calendar_id = ${read.externalId}
        and check_at is not null and ends_at <= ${now}`.execute(tx)
  await sql`
    update calendars
    set sync_token = ${read.token}, read_at = case when ${read.token}::text is null then read_at else ${now} end,
      whole_read_at = case when ${read.token}::text is null then ${now} else whole_read_at end
    where profile_id = ${profileId}
      and connection_id = ${connectionId} and external_id = ${read.externalId}`.execute(tx)
}

export type GuestRow = {
  external_id: string
  identifier_id: string
  calendar_id: string | null
  booked_at: Date
  starts_at: Date
  ends_at: Date | null
  state: AppointmentState
  cancelled_at: Date | null
}

/** Schedules a check of calendar appointments that share an old or new start time with these: only one of them counts. */
async function scheduleSameStart(
  tx: Tx,
  params: Ref & { externalIds: readonly string[]; starts: readonly Date[]; now: Date },
): Promise<void> {
  const { profileId, connectionId, now } = params
  await sql`
    update appointments set check_at = ${now}
    where profile_id = ${profileId} and calendar_id is not null and starts_at in (
      select starts_at from appointments
      where profile_id = ${profileId} and connection_id = ${connectionId}
        and external_id = any(${[...params.externalIds]}::text[])
      union all select unnest(${[...params.starts]}::timestamptz[]))`.execute(tx)
}

/** Saves the current guests of these events; guests who are missing were uninvited, so their appointment is cancelled. */
export async function saveGuests(
  tx: Tx,
  params: Ref & {
    provider: string
    events: readonly { externalId: string; guests: readonly GuestRow[] }[]
    now: Date
  },
): Promise<void> {
  if (params.events.length === 0) return
  const { profileId, connectionId, now } = params
  const rows = params.events.flatMap(({ guests }) => guests)
  await scheduleSameStart(tx, {
    profileId,
    connectionId,
    externalIds: params.events.map(({ externalId }) => externalId),
    starts: rows.map(({ starts_at }) => starts_at),
    now,
  })
  const currentGuests = params.events.map(({ externalId, guests }) => ({
    external_id: externalId,
    guests: guests.map(({ identifier_id }) => identifier_id),
  }))
  await sql`
    update appointments a set state = 'cancelled', cancelled_at = coalesce(a.cancelled_at, ${now}), seen_at = ${now}, check_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(currentGuests)}::jsonb) as k(external_id text, guests uuid[])
    where a.profile_id = ${profileId} and a.connection_id = ${connectionId} and a.external_id = k.external_id
      and a.calendar_id is not null
      and a.state <> 'cancelled' and not a.identifier_id = any(k.guests)`.execute(tx)
  await sql`
    insert into appointments as a (profile_id, connection_id, external_id, identifier_id, calendar_id, provider, booked_at,
      starts_at, ends_at, state, cancelled_at, seen_at, check_at)
    select ${profileId}::uuid, ${connectionId}::uuid, r.external_id, r.identifier_id, r.calendar_id, ${params.provider}, r.booked_at,
      r.starts_at, r.ends_at, r.state, r.cancelled_at, ${now}::timestamptz,
      case when r.calendar_id is null then null else ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(external_id text, identifier_id uuid, calendar_id text,
      booked_at timestamptz, starts_at timestamptz, ends_at timestamptz, state text, cancelled_at timestamptz)
    on conflict (profile_id, connection_id, external_id, identifier_id) do update set
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, state = excluded.state, seen_at = excluded.seen_at,
      cancelled_at = case when excluded.state = 'cancelled' then coalesce(a.cancelled_at, excluded.cancelled_at) end,
      check_at = excluded.check_at`.execute(tx)
}

/** Deletes appointments that the CRM no longer has. */
export async function dropAppointments(tx: Tx, params: Ref & { externalIds: readonly string[]; now: Date }) {
  if (params.externalIds.length === 0) return
  await scheduleSameStart(tx, { ...params, starts: [] })
  await sql`
    delete from appointments where profile_id = ${params.profileId} and connection_id = ${params.connectionId}
      and external_id = any(${[...params.externalIds]}::text[])`.execute(tx)
}
