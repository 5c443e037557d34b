import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { isAlive } from '../identity/members.ts'
import type { Appointment } from './rules.ts'

type Ref = { profileId: string; connectionId: string }

/** Interval of full syncs: occurrences of recurring events enter the sync window without being reported as changes. */
const WHOLE_READ_DAYS = 14

/** Sync tokens by calendar, for calendars that can be synced incrementally. */
export async function listSyncTokens(
  db: Db | Tx,
  params: Ref & { now: Date },
): Promise<Record<string, string>> {
  const { rows } = await sql<{ external_id: string; sync_token: string }>`
    select external_id, sync_token from calendars
    where profile_id = ${params.profileId} and connection_id = ${params.connectionId} and sync_token is not null
      and whole_read_at > ${params.now}::timestamptz - make_interval(days => ${WHOLE_READ_DAYS})`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.external_id, row.sync_token]))
}

/** Time zones of a connection's calendars. */
export async function loadZones(tx: Tx, params: Ref): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ external_id: string; timezone: string | null }>`
    select external_id, timezone from calendars
    where profile_id = ${params.profileId} and connection_id = ${params.connectionId}`.execute(tx)
  return new Map(rows.map((row) => [row.external_id, row.timezone]))
}

/** Profiles with due appointments, without disconnected accounts. */
export async function listDueProfiles(db: Db | Tx, params: { now: Date; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct a.profile_id from appointments a
    join connections c on c.profile_id = a.profile_id and c.id = a.connection_id
    where a.check_at <= ${params.now} and c.status <> 'revoked' limit ${params.limit}`.execute(db)
  return rows.map((row) => row.profile_id)
}

/** Locks the due appointments and all others that start at the same times. */
export async function lockDueAppointments(
  tx: Tx,
  params: { profileId: string; now: Date; limit: number },
): Promise<Appointment[]> {
  const { profileId, now } = params
  const { rows: due } = await sql<{ starts_at: Date }>`
    select a.starts_at from appointments a
    join connections c on c.profile_id = ${profileId} and c.id = a.connection_id
    where a.profile_id = ${profileId} and a.check_at <= ${now} and c.status <> 'revoked'
    order by a.check_at limit ${params.limit}`.execute(tx)
  if (due.length === 0) return []
  const { rows } = await sql<Appointment>`
    select a.connection_id, a.external_id, a.identifier_id, a.calendar_id, a.provider, a.booked_at, a.starts_at, a.ends_at,
      a.state, a.cancelled_at, a.reported, a.seen_at, i.customer_id, calendars.read_at
    from appointments a
    join connections c on c.profile_id = ${profileId} and c.id = a.connection_id and c.status <> 'revoked'
    left join calendars on calendars.profile_id = ${profileId} and calendars.connection_id = a.connection_id
      and calendars.external_id = a.calendar_id
    left join identifiers i on i.profile_id = ${profileId} and i.id = a.identifier_id
      and ${isAlive(profileId, sql.ref('i.customer_id'))}
    where a.profile_id = ${profileId} and a.starts_at = any(${due.map((row) => row.starts_at)}::timestamptz[])
    order by a.connection_id, a.external_id, a.identifier_id
    for update of a`.execute(tx)
  return rows
}

export async function saveReported(
  tx: Tx,
  params: {
    profileId: string
    rows: readonly (Pick<Appointment, 'connection_id' | 'external_id' | 'identifier_id' | 'reported'> & {
      check_at: Date | null
    })[]
  },
): Promise<void> {
  if (params.rows.length === 0) return
  await sql`
    update appointments a set reported = r.reported, check_at = r.check_at
    from jsonb_to_recordset(${JSON.stringify(params.rows)}::jsonb) as r(connection_id uuid, external_id text, identifier_id uuid,
      reported text[], check_at timestamptz)
    where a.profile_id = ${params.profileId} and a.connection_id = r.connection_id and a.external_id = r.external_id
      and a.identifier_id = r.identifier_id`.execute(tx)
}

/** Deletes guests of past events who never became customers. */
export async function deleteUnknownGuests(
  tx: Tx,
  params: { profileId: string; before: Date },
): Promise<void> {
  await sql`
    delete from appointments where profile_id = ${params.profileId} and calendar_id is not null and check_at is null
      and reported = '{}' and starts_at < ${params.before}`.execute(tx)
}

/** After a disconnect only counted appointments remain: uncounted guests, sync tokens and calendar names are deleted. */
export async function forgetCalendars(tx: Tx, params: Ref): Promise<void> {
  const { profileId, connectionId } = params
  await sql`
    delete from appointments where profile_id = ${profileId} and connection_id = ${connectionId}
      and calendar_id is not null and reported = '{}'`.execute(tx)
  await sql`
    delete from calendars
    where profile_id = ${profileId} and connection_id = ${connectionId} and not is_managed`.execute(tx)
  await sql`
    update calendars set sync_token = null, whole_read_at = null
    where profile_id = ${profileId} and connection_id = ${connectionId}`.execute(tx)
}
