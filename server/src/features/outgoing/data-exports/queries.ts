import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { TableName } from './tables.ts'
import type { S3Location } from './targets/s3.ts'

type RowKey = { profileId: string; id: string }
export type DestinationTarget = { folder: string } | S3Location
export type DestinationRow = Omit<Selectable<DB['data_export_destinations']>, 'target' | 'tables'> & {
  target: DestinationTarget
  tables: TableName[]
}
export type DestinationView = DestinationRow & {
  last_completed_at: Date | null
  last_error: string | null
  files: number
  bytes: number
  erasures_waiting: number
}
export type WrittenTable = {
  table: TableName
  rows: number
  bytes: number
  files: number
  days: string[]
  days_written: number
  days_removed: number
}
export type RunRow = Omit<Selectable<DB['data_export_runs']>, 'tables'> & { tables: WrittenTable[] }

/** Erasures completed since the last completed run of the destination `d`. */
const erasuresWaiting = sql<number>`coalesce((
  select count(*)::integer from erasures e
  where e.profile_id = d.profile_id and e.state = 'completed') - d.erasures_seen, 0)`

export async function countErasures(tx: Tx, profileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from erasures where profile_id = ${profileId} and state = 'completed'`.execute(
    tx,
  )
  return rows[0]!.count
}

export async function listDestinations(
  db: Db | Tx,
  params: { profileId: string; id?: string },
): Promise<DestinationView[]> {
  const ofOne = params.id === undefined ? sql`` : sql`and d.id = ${params.id}`
  const { rows } = await sql<DestinationView>`
    select d.*, f.files, f.bytes, ${erasuresWaiting} as erasures_waiting,
      (select max(r.finished_at) from data_export_runs r
        where r.profile_id = ${params.profileId} and r.destination_id = d.id and r.status = 'completed') as last_completed_at,
      (select r.error from data_export_runs r
        where r.profile_id = ${params.profileId} and r.destination_id = d.id and r.status in ('completed', 'failed')
        order by r.created_at desc, r.id desc limit 1) as last_error
    from data_export_destinations d
    left join lateral (
      select count(*)::integer as files, coalesce(sum(x.bytes), 0)::bigint as bytes from data_export_files x
      where x.profile_id = ${params.profileId} and x.destination_id = d.id and x.state = 'current') f on true
    where d.profile_id = ${params.profileId} ${ofOne}
    order by d.created_at, d.id`.execute(db)
  return rows
}

export async function findDestination(db: Db | Tx, params: RowKey): Promise<DestinationRow | undefined> {
  const { rows } = await sql<DestinationRow>`
    select * from data_export_destinations where profile_id = ${params.profileId} and id = ${params.id}`.execute(
    db,
  )
  return rows[0]
}

export async function insertDestination(
  tx: Tx,
  row: Insertable<DB['data_export_destinations']>,
): Promise<void> {
  await tx.insertInto('data_export_destinations').values(row).execute()
}

export async function updateDestination(
  tx: Tx,
  params: RowKey & { fields: Partial<Insertable<DB['data_export_destinations']>> },
): Promise<void> {
  await tx
    .updateTable('data_export_destinations')
    .set(params.fields)
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .execute()
}

/** Also deletes the rows of its runs and files. */
export async function deleteDestination(tx: Tx, params: RowKey): Promise<void> {
  for (const table of ['data_export_files', 'data_export_runs'] as const)
    await tx
      .deleteFrom(table)
      .where('profile_id', '=', params.profileId)
      .where('destination_id', '=', params.id)
      .execute()
  await tx
    .deleteFrom('data_export_destinations')
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .execute()
}

/** Destinations that are scheduled, have erased people in their files, or have replaced files to remove. */
export async function listDue(
  db: Db,
  params: { now: Date; replacedBefore: Date; abandonedBefore: Date; limit: number },
): Promise<{ profile_id: string; id: string; erasures_waiting: number }[]> {
  const { rows } = await sql<{ profile_id: string; id: string; erasures_waiting: number }>`
    select profile_id, id, erasures_waiting from (
      select d.profile_id, d.id, d.next_run_at, d.next_try_at, ${erasuresWaiting} as erasures_waiting,
        exists (select 1 from data_export_files f where f.profile_id = d.profile_id and f.destination_id = d.id
          and f.state = 'replaced' and f.replaced_at <= ${params.replacedBefore}) as has_overdue
      from data_export_destinations d
      where d.enabled and (d.next_try_at is null or d.next_try_at <= ${params.now})
        and not exists (select 1 from data_export_runs r where r.profile_id = d.profile_id
          and r.destination_id = d.id and r.status in ('queued', 'running')
          and r.created_at > ${params.abandonedBefore})) due
    where next_run_at <= ${params.now} or erasures_waiting > 0 or has_overdue
    order by next_try_at nulls first, next_run_at nulls first limit ${params.limit}`.execute(db)
  return rows
}

/** Undefined if a run of the destination is queued or running. */
export async function insertRun(
  tx: Tx,
  row: { profileId: string; id: string; destinationId: string; isFull: boolean; now: Date },
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    insert into data_export_runs (profile_id, id, destination_id, is_full, status, tables, created_at)
    values (${row.profileId}, ${row.id}, ${row.destinationId}, ${row.isFull}, 'queued', '[]', ${row.now})
    on conflict (profile_id, destination_id) where status in ('queued', 'running') do nothing
    returning *`.execute(tx)
  return rows[0]
}

/** The queued or running run. Its row is locked, so that it does not start in the meantime. */
export async function findOpenRun(
  tx: Tx,
  params: { profileId: string; destinationId: string },
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    select * from data_export_runs where profile_id = ${params.profileId}
      and destination_id = ${params.destinationId} and status in ('queued', 'running') for update`.execute(tx)
  return rows[0]
}

/** Attempt id of the running run, or null. */
export async function findOpenAttempt(
  db: Db | Tx,
  params: { profileId: string; destinationId: string },
): Promise<string | null> {
  const { rows } = await sql<{ attempt_id: string }>`
    select attempt_id from data_export_runs where profile_id = ${params.profileId}
      and destination_id = ${params.destinationId} and status = 'running'`.execute(db)
  return rows[0]?.attempt_id ?? null
}

export async function hasFullRunSince(
  tx: Tx,
  params: { profileId: string; destinationId: string; since: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from data_export_runs where profile_id = ${params.profileId}
      and destination_id = ${params.destinationId} and is_full and status = 'completed'
      and created_at > ${params.since} limit 1`.execute(tx)
  return rows.length > 0
}

export async function listRuns(
  db: Db | Tx,
  params: { profileId: string; destinationId?: string | undefined; id?: string; limit: number },
): Promise<RunRow[]> {
  const ofDestination =
    params.destinationId === undefined ? sql`` : sql`and destination_id = ${params.destinationId}`
  const ofOne = params.id === undefined ? sql`` : sql`and id = ${params.id}`
  const { rows } = await sql<RunRow>`
    select * from data_export_runs where profile_id = ${params.profileId} ${ofDestination} ${ofOne}
    order by created_at desc, id desc limit ${params.limit}`.execute(db)
  return rows
}

export async function markRunning(
  db: Db | Tx,
  params: RowKey & { attemptId: string; now: Date },
): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    update data_export_runs set status = 'running', started_at = ${params.now}, attempt_id = ${params.attemptId}
    where profile_id = ${params.profileId} and id = ${params.id} and status in ('queued', 'running')
    returning *`.execute(db)
  return rows[0]
}

/** True if this attempt still owns the run, and the destination is enabled and still allows what the run includes. */
export async function canContinue(
  db: Db | Tx,
  params: RowKey & { attemptId: string; includesIdentifiers: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from data_export_runs r
    join data_export_destinations d on d.profile_id = r.profile_id and d.id = r.destination_id
    where r.profile_id = ${params.profileId} and r.id = ${params.id} and r.attempt_id = ${params.attemptId}
      and r.status = 'running' and d.enabled
      and (d.include_identifiers or not ${params.includesIdentifiers})`.execute(db)
  return rows.length > 0
}

/** False if the run is already settled or another attempt owns it. */
export async function settleRun(
  tx: Tx,
  params: RowKey & {
    attemptId: string
    status: 'completed' | 'failed'
    tables: readonly WrittenTable[]
    erasures: number
    error: string | null
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    update data_export_runs set status = ${params.status}, tables = ${JSON.stringify(params.tables)}::jsonb,
      erasures = ${params.erasures}, error = ${params.error}, finished_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id} and status = 'running'
      and attempt_id = ${params.attemptId} returning id`.execute(tx)
  return rows.length > 0
}

/** Fails a run whose worker was lost. */
export async function failAbandonedRun(
  tx: Tx,
  params: { profileId: string; destinationId: string; before: Date; now: Date },
): Promise<void> {
  await sql`
    update data_export_runs set status = 'failed', error = 'It was interrupted and did not continue.',
      finished_at = ${params.now}
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId}
      and status in ('queued', 'running') and created_at < ${params.before}`.execute(tx)
}

export async function deleteRunsBefore(tx: Tx, params: { profileId: string; before: Date }): Promise<void> {
  await sql`
    delete from data_export_runs where profile_id = ${params.profileId} and created_at < ${params.before}
      and (status = 'failed' or status = 'completed' and exists (
        select 1 from data_export_runs n where n.profile_id = ${params.profileId}
          and n.destination_id = data_export_runs.destination_id and n.status = 'completed'
          and n.created_at > data_export_runs.created_at))`.execute(tx)
}

export type FileRow = Omit<Selectable<DB['data_export_files']>, 'sums' | 'table_name'> & {
  sums: Record<string, number>
  table_name: TableName
}

export async function listFiles(
  db: Db | Tx,
  params: { profileId: string; destinationId: string },
): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select * from data_export_files
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId}
    order by table_name, day, path`.execute(db)
  return rows
}

export async function insertFiles(db: Db | Tx, rows: readonly FileRow[]): Promise<void> {
  await db
    .insertInto('data_export_files')
    .values(rows.map((row) => ({ ...row, sums: JSON.stringify(row.sums) })))
    .execute()
}

type Paths = { profileId: string; destinationId: string; paths: readonly string[] }

export async function markCurrent(tx: Tx, params: Paths): Promise<void> {
  await sql`
    update data_export_files set state = 'current' where profile_id = ${params.profileId}
      and destination_id = ${params.destinationId} and path = any(${[...params.paths]}::text[])`.execute(tx)
}

export async function markReplaced(tx: Tx, params: Paths & { now: Date }): Promise<void> {
  await sql`
    update data_export_files set state = 'replaced', replaced_at = ${params.now}
    where profile_id = ${params.profileId} and destination_id = ${params.destinationId}
      and path = any(${[...params.paths]}::text[])`.execute(tx)
}

export async function deleteFile(
  db: Db | Tx,
  params: { profileId: string; destinationId: string; path: string },
): Promise<void> {
  await db
    .deleteFrom('data_export_files')
    .where('profile_id', '=', params.profileId)
    .where('destination_id', '=', params.destinationId)
    .where('path', '=', params.path)
    .execute()
}
