/** Requested recomputes and their state. */
import type { AttributionSettings } from '@whence/engine'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'

type Recompute = { profileId: string; id: string }

/** The queued recompute; undefined if there is none or its job has locked it to start. */
export async function lockQueuedRecompute(tx: Tx, params: { profileId: string }) {
  const { rows } = await sql<{ id: string; scope: string; requested_at: Date }>`
    select id, scope, requested_at from recomputes where profile_id = ${params.profileId} and state = 'queued'
    order by requested_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

export async function insertRecompute(tx: Tx, params: Recompute & { scope: string; now: Date }) {
  await insertRow(tx, 'recomputes', {
    profile_id: params.profileId,
    id: params.id,
    scope: params.scope,
    state: 'queued',
    requested_at: params.now,
  })
}

/** Returns the scope; undefined if the recompute was done before. */
export async function markRunning(db: Db, params: Recompute & { now: Date }): Promise<string | undefined> {
  const row = await db
    .updateTable('recomputes')
    .set({ state: 'running', started_at: params.now, error: null })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .where('state', '<>', 'done')
    .returning('scope')
    .executeTakeFirst()
  return row?.scope
}

/** Stores the replaced settings, because `as_of` reports from before the recompute return them. */
export async function saveSettingsBefore(tx: Tx, params: Recompute & { settings: AttributionSettings }) {
  const { lookbackDays, firstTouchLookbackDays } = params.settings
  const before = { lookback_days: lookbackDays, first_touch_lookback_days: firstTouchLookbackDays }
  await sql`
    update recomputes set settings_before = ${JSON.stringify(before)}::jsonb
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
}

export async function markFailed(db: Db, params: Recompute & { error: string }): Promise<void> {
  await rowsWhere(db, 'recomputes', { profile_id: params.profileId, id: params.id }).update({
    state: 'failed',
    error: params.error,
  })
}

/** Undefined if it was done before, because the job ran twice. */
export async function markDone(
  tx: Tx,
  params: Recompute & { conversions: number; now: Date },
): Promise<{ scope: string } | undefined> {
  return tx
    .updateTable('recomputes')
    .set({ state: 'done', conversions: params.conversions, finished_at: params.now })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.id)
    .where('state', '<>', 'done')
    .returning('scope')
    .executeTakeFirst()
}

/** For the rest of the transaction. */
export async function disableStatementTimeout(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
}
