import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { DB } from '../../../../platform/db/schema.ts'
import type { DataSource, EventMapEntry, ExportKind } from '../../../facts/export-queue/rules.ts'

export type DestinationRow = Omit<
  Selectable<DB['export_destinations']>,
  'kind' | 'event_map' | 'data_source'
> & {
  kind: ExportKind
  data_source: DataSource | null
  event_map: EventMapEntry[]
}

export type RunSummary = {
  run_id: string
  status: 'queued' | 'sent' | 'failed' | 'skipped'
  sent: number
  failed: number
  skipped: number
  provider_status: 'processing' | 'success' | 'partial_success' | 'failed' | null
}

export type DestinationView = DestinationRow & { waiting: number; last_run: RunSummary | null }

/**
 * SQL expression for the platform's status of a run: `processing` while one request is, the common status of all
 * requests, or `partial_success`.
 */
export function providerStatusOf(profileId: string, runId: unknown) {
  return sql<RunSummary['provider_status']>`(
    select case
      when bool_or(q.status = 'processing') then 'processing'
      when bool_and(q.status = 'success') then 'success'
      when bool_and(q.status = 'failed') then 'failed'
      when count(q.status) > 0 then 'partial_success' end
    from export_requests q where q.profile_id = ${profileId} and q.run_id = ${runId} and q.status is not null)`
}

export async function listDestinations(
  db: Db | Tx,
  params: { profileId: string; id?: string },
): Promise<DestinationView[]> {
  const { profileId, id } = params
  const { rows } = await sql<DestinationView>`
    select d.profile_id, d.id, d.kind, d.connection_id, d.target_id, d.destination_key, d.display_name, d.enabled,
      d.enabled_at, d.data_source, d.event_map, d.event_id_source, d.test_event_code, d.access_token, d.status_reason, d.retry_at, d.retries, d.is_owner_decision, d.authorization_id, d.made_by_user_id, d.made_by_credential_id, d.created_at,
      d.updated_at,
      (select count(*) from conversion_exports x
       where x.profile_id = ${profileId} and x.destination_id = d.id and x.status = 'queued') as waiting,
      case when r.id is null then null else json_build_object('run_id', r.id, 'status', r.status, 'sent', r.sent,
        'failed', r.failed, 'skipped', r.skipped, 'provider_status', ${providerStatusOf(profileId, sql.ref('r.id'))}) end
        as last_run
    from export_destinations d
    left join lateral (
      select id, status, sent, failed, skipped from export_runs
      where profile_id = ${profileId} and destination_id = d.id order by id desc limit 1) r on true
    where d.profile_id = ${profileId} ${id === undefined ? sql`` : sql`and d.id = ${id}`}
    order by d.created_at, d.id`.execute(db)
  return rows
}

/** Per destination: conversions sent with our id from a browser with a cookie of the platform's pixel. */
export async function countPixelConversions(
  db: Db | Tx,
  params: { profileId: string; since: Date },
): Promise<Map<string, number>> {
  const { profileId } = params
  const { rows } = await sql<{ destination_id: string; conversions: number }>`
    select x.destination_id, count(*)::int as conversions
    from conversion_exports x
    join export_destinations d on d.profile_id = ${profileId} and d.id = x.destination_id
    join event_agents a on a.profile_id = ${profileId} and a.event_id = x.event_id
    where x.profile_id = ${profileId} and x.status = 'sent' and x.adjustment_no = 0 and x.event_id_source = 'whence'
      and a.kept_at >= ${params.since}
      and a.cookies ? case d.kind when 'social' then 'fbp' when 'shortvideo' then 'ttp' else '' end
    group by x.destination_id`.execute(db)
  return new Map(rows.map((row) => [row.destination_id, row.conversions]))
}

export async function findDestination(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<DestinationRow | undefined> {
  const row = await db
    .selectFrom('export_destinations')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .executeTakeFirst()
  return row as DestinationRow | undefined
}

/** Returns undefined if the row was inserted, else the id of the destination with the same key. */
export async function insertDestination(tx: Tx, row: DestinationRow): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('export_destinations')
    .values({ ...row, event_map: JSON.stringify(row.event_map) })
    .onConflict((conflict) => conflict.columns(['profile_id', 'destination_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return undefined
  const conflicting = await tx
    .selectFrom('export_destinations')
    .select('id')
    .where('profile_id', '=', row.profile_id)
    .where('destination_key', '=', row.destination_key)
    .executeTakeFirstOrThrow()
  return conflicting.id
}

export async function saveDestination(tx: Tx, row: DestinationRow): Promise<void> {
  const { profile_id: profileId, id, ...fields } = row
  await tx
    .updateTable('export_destinations')
    .set({ ...fields, event_map: JSON.stringify(fields.event_map) })
    .where('profile_id', '=', profileId)
    .where('id', '=', id)
    .execute()
}

export async function listGoalKeys(db: Db | Tx, params: { profileId: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('goals')
    .select('conversion_key')
    .where('profile_id', '=', params.profileId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.conversion_key)
}

/** Ids across all tenants. */
export async function listProfilesWithDestinations(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    profile_id: string
  }>`select distinct profile_id from export_destinations`.execute(db)
  return rows.map((row) => row.profile_id)
}
