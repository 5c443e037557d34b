import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'

export type ScheduleRow = Selectable<DB['report_schedules']>

export async function listSchedules(
  db: Db | Tx,
  params: { profileIds: readonly string[] },
): Promise<ScheduleRow[]> {
  if (params.profileIds.length === 0) return []
  return rowsWhere(db, 'report_schedules', { profile_id: params.profileIds }).list()
}

export async function lockSchedule(tx: Tx, params: { profileId: string }): Promise<ScheduleRow | undefined> {
  return rowsWhere(tx, 'report_schedules', { profile_id: params.profileId }).lock()
}

export async function saveSchedule(tx: Tx, row: ScheduleRow): Promise<void> {
  const { profile_id: _, ...fields } = row
  await tx
    .insertInto('report_schedules')
    .values(row)
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(fields))
    .execute()
}

export async function listDueProfiles(db: Db, params: { now: Date; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select profile_id from report_schedules where enabled and next_run_at <= ${params.now}
    order by next_run_at limit ${params.limit}`.execute(db)
  return rows.map((row) => row.profile_id)
}

export async function saveNextRun(tx: Tx, params: { profileId: string; nextRunAt: Date }): Promise<void> {
  await rowsWhere(tx, 'report_schedules', { profile_id: params.profileId }).update({
    next_run_at: params.nextRunAt,
  })
}
