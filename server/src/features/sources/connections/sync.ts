/**
 * Reads a provider's data page by page. Records, next cursor and progress are written in one
 * transaction, so an interrupted sync continues after the last stored page.
 */
import { ProviderError, type SyncPage, type SyncWindow } from '../../../connectors/connector.ts'
import { describeFailure } from '../../../connectors/provider-messages.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { JobError } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { listSyncTokens } from '../../facts/appointments/queries.ts'
import {
  type ConnectionRow,
  findConnection,
  listSyncRows,
  listTrackedPageIds,
  type SyncRow,
} from './queries.ts'
import { queueStudies } from './read-studies-job.ts'
import { applyRecords } from './records.ts'
import { ConnectionUnusable } from './refresh.ts'
import { RESYNC_AFTER_MS, splitStorable, syncWindow } from './rules.ts'
import { withSession } from './session.ts'
import { saveSetAside } from './set-aside.ts'

type Ref = { profileId: string; connectionId: string }

const MAX_ERROR_LENGTH = 500

export async function runSync(context: JobContext, ref: Ref): Promise<void> {
  const row = await findConnection(context.db, { profileId: ref.profileId, id: ref.connectionId })
  const sync = await findSync(context, ref)
  if (row === undefined || sync === undefined || row.status === 'revoked') return
  try {
    await readAllPages(context, ref, row, sync)
  } catch (error) {
    await fail(context, ref, error)
    throw toJobError(error)
  }
}

async function findSync(context: JobContext, ref: Ref): Promise<SyncRow | undefined> {
  const { profileId, connectionId } = ref
  return (await listSyncRows(context.db, { profileId, connectionIds: [connectionId] })).get(connectionId)
}

/** Small pages share a commit, which is due after this many records or this long. */
const RECORDS_PER_COMMIT = 1000
const MAX_MS_UNCOMMITTED = 3000
/** More than any account has: a provider that sends more is repeating itself. */
const MAX_PAGES = 100_000

async function readAllPages(context: JobContext, ref: Ref, row: ConnectionRow, sync: SyncRow): Promise<void> {
  const window = await begin(context, ref, row, sync)
  let cursor = sync.cursor
  let pagesLeft = MAX_PAGES - (sync.cursor === null ? 0 : sync.pages)
  do {
    const batch = await readBatch(context, ref, window, cursor, pagesLeft)
    cursor = batch.cursor
    pagesLeft -= batch.pages
  } while (cursor !== null)
}

/** Reads pages from the cursor on and stores them with the next cursor, also if a later page fails. */
async function readBatch(
  context: JobContext,
  ref: Ref,
  window: SyncWindow,
  from: string | null,
  pagesLeft: number,
): Promise<{ cursor: string | null; pages: number }> {
  const pages: SyncPage[] = []
  const readAt = await databaseNow(context.db)
  const startedMs = performance.now()
  const isFull = () =>
    pages.reduce((sum, page) => sum + page.records.length, 0) >= RECORDS_PER_COMMIT ||
    performance.now() - startedMs > MAX_MS_UNCOMMITTED
  try {
    do {
      context.signal.throwIfAborted()
      if (pages.length >= pagesLeft)
        throw new EndlessPages(`The provider sent ${MAX_PAGES} pages without an end.`)
      const cursor = pages.at(-1)?.cursor ?? from
      const page = await readPage(context, ref, window, cursor)
      if (page.cursor !== null && page.cursor === cursor)
        throw new EndlessPages('The provider returned the cursor of the current page as the next one.')
      pages.push(page)
    } while (pages.at(-1)!.cursor !== null && !isFull())
  } catch (error) {
    if (pages.length > 0 && !context.signal.aborted) await savePages(context, ref, { pages, readAt }, from)
    throw error
  }
  await savePages(context, ref, { pages, readAt }, from)
  return { cursor: pages.at(-1)!.cursor, pages: pages.length }
}

/** The provider's pagination does not end. The next sync starts from the first page. */
class EndlessPages extends ProviderError {
  constructor(message: string) {
    super('malformed', message)
  }
}

/** For a provider without records, such as a mailbox. */
const noRecords: SyncPage = { records: [], cursor: null, progress: { done: 0, total: 0, unit: 'records' } }

/** Each page opens a new session, because a long sync may outlive its token. */
function readPage(
  context: JobContext,
  ref: Ref,
  window: SyncWindow,
  cursor: string | null,
): Promise<SyncPage> {
  return withSession(
    context.service,
    { profileId: ref.profileId, id: ref.connectionId },
    null,
    async (session, { connector }) => connector.sync?.page(session, window, cursor) ?? noRecords,
  )
}

async function begin(context: JobContext, ref: Ref, row: ConnectionRow, sync: SyncRow): Promise<SyncWindow> {
  const now = await databaseNow(context.db)
  const days =
    sync.cursor !== null && sync.since_day !== null && sync.until_day !== null
      ? { sinceDay: sync.since_day, untilDay: sync.until_day }
      : syncWindow({
          requestedSince: sync.since_day,
          lastSuccessAt: sync.last_success_at,
          timezone: row.timezone,
          now,
        })
  await rowsWhere(context.db, 'connection_syncs', {
    profile_id: ref.profileId,
    connection_id: ref.connectionId,
  }).update({
    state: 'running',
    since_day: days.sinceDay,
    until_day: days.untilDay,
    last_attempt_at: now,
    next_run_at: null,
    updated_at: now,
    ...(sync.cursor === null ? { began_at: now, pages: 0, progress_done: 0, progress_total: null } : {}),
  })
  const pageIds = await listTrackedPageIds(context.db, ref)
  // Requested days are read in full, so no incremental sync tokens are used.
  const syncTokens = sync.since_day === null ? await listSyncTokens(context.db, { ...ref, now }) : {}
  return { ...days, ...(pageIds.length === 0 ? {} : { pageIds }), syncTokens }
}

async function savePages(
  context: JobContext,
  ref: Ref,
  { pages, readAt }: { pages: readonly SyncPage[]; readAt: Date },
  from: string | null,
): Promise<void> {
  const page = pages.at(-1)!
  await context.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const isLast = page.cursor === null
    const syncRow = await tx
      .updateTable('connection_syncs')
      .set((eb) => ({
        cursor: page.cursor,
        pages: eb('pages', '+', pages.length),
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
              began_at: null,
              // Processes of the previous release do not write `began_at`.
              complete_until: eb.fn.coalesce('began_at', 'complete_until'),
              first_success_at: eb.fn.coalesce('first_success_at', eb.val(now)),
              last_error: null,
              next_run_at: new Date(now.getTime() + RESYNC_AFTER_MS),
            }
          : {}),
      }))
      .where('profile_id', '=', ref.profileId)
      .where('connection_id', '=', ref.connectionId)
      .where('state', '=', 'running')
      .where('cursor', 'is not distinct from', from)
      .returning('first_success_at')
      .executeTakeFirst()
    // Other days were requested, or the account was disconnected: this run ends and the job starts over.
    if (syncRow === undefined) throw new JobError('The sync starts over on request', { afterMs: 100 })
    const profile = await findProfileRef(tx, { profileId: ref.profileId })
    const connection = await findConnection(tx, { profileId: ref.profileId, id: ref.connectionId })
    if (profile === undefined || connection === undefined) throw new JobError('The profile is gone', 'never')
    const records = pages.flatMap(({ records }) => records)
    const { good, bad } = splitStorable(records)
    const setAside = [...pages.flatMap((each) => each.setAside ?? []), ...bad]
    const cleared = pages.flatMap((each) => each.cleared ?? [])
    const clearedKinds = pages.flatMap((each) => each.clearedKinds ?? [])
    const rereads = pages.flatMap((each) => each.rereads ?? [])
    await saveSetAside(tx, { ...ref, setAside, good, cleared, clearedKinds, rereads, now })
    await applyRecords(tx, { service: context.service, profile, connection, readAt, now }, good)
    if (isLast && syncRow.first_success_at?.getTime() === now.getTime())
      await queueStudies(tx, context.service.providers.get(connection.provider)?.connector, ref)
  })
  context.service.processor.wake(ref.profileId)
}

async function fail(context: JobContext, ref: Ref, error: unknown): Promise<void> {
  if (error instanceof JobError || context.signal.aborted) return
  const now = await databaseNow(context.db)
  const isUnusable = error instanceof ConnectionUnusable
  const isWaiting = isUnusable || (error instanceof ProviderError && error.reason === 'invalid_grant')
  // A connection that needs a person keeps failing this way; the first error is the useful one and is kept.
  const keepsError = isUnusable && error.cause === undefined
  await rowsWhere(context.db, 'connection_syncs', {
    profile_id: ref.profileId,
    connection_id: ref.connectionId,
  }).update({
    state: 'failed',
    ...(error instanceof EndlessPages ? { cursor: null } : {}),
    ...(keepsError ? {} : { last_error: describeFailure(error).slice(0, MAX_ERROR_LENGTH) }),
    next_run_at: isWaiting ? null : new Date(now.getTime() + RESYNC_AFTER_MS),
    updated_at: now,
  })
}

function toJobError(error: unknown): unknown {
  if (error instanceof ConnectionUnusable) return new JobError(error.message, 'never', { cause: error })
  if (!(error instanceof ProviderError)) return error
  if (error.reason === 'rate_limited')
    return new JobError(error.message, { afterMs: (error.retryAfterSeconds ?? 60) * 1000 }, { cause: error })
  const isPermanent = error.reason === 'invalid_grant' || error.reason === 'permission_missing'
  return isPermanent ? new JobError(error.message, 'never', { cause: error }) : error
}
