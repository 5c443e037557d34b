/**
 * Reads a provider's world page by page. Each page's records, the cursor behind them and the progress
 * are one commit, so a sync that was cut off goes on after the last page that was kept.
 */
import { ProviderError, type SyncPage, type SyncWindow } from '../../connectors/connector.ts'
import type { JobContext } from '../../context.ts'
import { JobError } from '../../contract/job.ts'
import { databaseNow } from '../../db/database.ts'
import { findProfileRef } from '../access/queries.ts'
import { type ConnectionRow, findConnection, listSyncRows, type SyncRow } from './queries.ts'
import { applyRecords } from './records.ts'
import { RESYNC_AFTER_MS, syncWindow } from './rules.ts'
import { ConnectionUnusable, withSession } from './session.ts'

type Ref = { profileId: string; connectionId: string }

const MOST_ERROR_LENGTH = 500

export async function runSync(context: JobContext, ref: Ref): Promise<void> {
  const row = await findConnection(context.db, { profileId: ref.profileId, id: ref.connectionId })
  const sync = await findSync(context, ref)
  if (row === undefined || sync === undefined || row.status === 'revoked') return
  try {
    await readAll(context, ref, row, sync)
  } catch (error) {
    await fail(context, ref, error)
    throw toJobError(error)
  }
}

async function findSync(context: JobContext, ref: Ref): Promise<SyncRow | undefined> {
  const { profileId, connectionId } = ref
  return (await listSyncRows(context.db, { profileId, connectionIds: [connectionId] })).get(connectionId)
}

async function readAll(context: JobContext, ref: Ref, row: ConnectionRow, sync: SyncRow): Promise<void> {
  const window = await begin(context, ref, row, sync)
  let cursor = sync.cursor
  do {
    context.signal.throwIfAborted()
    const asked = cursor
    // The session is taken anew for each page: a long sync outlives its token.
    const page = await withSession(
      context.service,
      { profileId: ref.profileId, id: ref.connectionId },
      null,
      (session, { connector }) => connector.syncPage(session, window, asked),
    )
    await keepPage(context, ref, page, asked)
    cursor = page.cursor
  } while (cursor !== null)
}

async function begin(context: JobContext, ref: Ref, row: ConnectionRow, sync: SyncRow): Promise<SyncWindow> {
  const now = await databaseNow(context.db)
  const window =
    sync.cursor !== null && sync.since_day !== null && sync.until_day !== null
      ? { sinceDay: sync.since_day, untilDay: sync.until_day }
      : syncWindow({
          asked: sync.since_day,
          lastSuccessAt: sync.last_success_at,
          timezone: row.timezone,
          now,
        })
  await context.db
    .updateTable('connection_syncs')
    .set({
      state: 'running',
      since_day: window.sinceDay,
      until_day: window.untilDay,
      last_attempt_at: now,
      next_run_at: null,
      updated_at: now,
      ...(sync.cursor === null ? { pages: 0, progress_done: 0, progress_total: null } : {}),
    })
    .where('profile_id', '=', ref.profileId)
    .where('connection_id', '=', ref.connectionId)
    .execute()
  return window
}

async function keepPage(context: JobContext, ref: Ref, page: SyncPage, asked: string | null): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const isLast = page.cursor === null
    const kept = await tx
      .updateTable('connection_syncs')
      .set((eb) => ({
        cursor: page.cursor,
        pages: eb('pages', '+', 1),
        progress_done: page.progress.done,
        progress_total: page.progress.total,
        progress_unit: page.progress.unit,
        updated_at: now,
        ...(isLast
          ? {
              state: 'idle',
              since_day: null,
              until_day: null,
              last_success_at: now,
              last_error: null,
              next_run_at: new Date(now.getTime() + RESYNC_AFTER_MS),
            }
          : {}),
      }))
      .where('profile_id', '=', ref.profileId)
      .where('connection_id', '=', ref.connectionId)
      .where('state', '=', 'running')
      .where('cursor', 'is not distinct from', asked)
      .returning('state')
      .executeTakeFirst()
    // Someone asked for other days, or disconnected: this run ends and what was asked for begins.
    if (kept === undefined) throw new JobError('The sync was asked to start over', { afterMs: 100 })
    const profile = await findProfileRef(tx, { profileId: ref.profileId })
    const connection = await findConnection(tx, { profileId: ref.profileId, id: ref.connectionId })
    if (profile === undefined || connection === undefined) throw new JobError('The profile is gone', 'never')
    await applyRecords(tx, { service: context.service, profile, connection, now }, page.records)
  })
}

async function fail(context: JobContext, ref: Ref, error: unknown): Promise<void> {
  if (error instanceof JobError || context.signal.aborted) return
  const now = await databaseNow(context.db)
  const text = error instanceof Error ? error.message : String(error)
  await context.db
    .updateTable('connection_syncs')
    .set({
      state: 'failed',
      last_error: text.slice(0, MOST_ERROR_LENGTH),
      next_run_at: new Date(now.getTime() + RESYNC_AFTER_MS),
      updated_at: now,
    })
    .where('profile_id', '=', ref.profileId)
    .where('connection_id', '=', ref.connectionId)
    .execute()
}

function toJobError(error: unknown): unknown {
  if (error instanceof ConnectionUnusable) return new JobError(error.message, 'never', { cause: error })
  if (!(error instanceof ProviderError)) return error
  if (error.reason === 'rate_limited')
    return new JobError(error.message, { afterMs: (error.retryAfterSeconds ?? 60) * 1000 }, { cause: error })
  const isHopeless = error.reason === 'invalid_grant' || error.reason === 'permission_missing'
  return isHopeless ? new JobError(error.message, 'never', { cause: error }) : error
}
