import type { ProfileContext, WorkspaceContext } from '../../context.ts'
import { uuidv7 } from '../contract/ids.ts'
import { type Pagination, readIdCursor, toPage } from '../contract/page.ts'
import { accepted } from '../contract/refusal.ts'
import * as queries from './queries.ts'
import { actorOf } from './record.ts'

const MAX_LOGGED_IDS = 500

/** Logs the people that a response shows, with the request's database handle, before the response is sent. */
export async function logPersonAccess(
  context: Pick<ProfileContext, 'db' | 'now' | 'caller' | 'requestId' | 'profile'>,
  route: string,
  customerIds: readonly string[],
): Promise<void> {
  const { profile, now } = context
  await queries.insertPersonAccess(context.db, {
    profile_id: profile.id,
    id: uuidv7(now),
    workspace_id: profile.workspaceId,
    ...actorOf(context.caller),
    route,
    customer_ids: customerIds.slice(0, MAX_LOGGED_IDS),
    row_count: customerIds.length,
    request_id: context.requestId,
    occurred_at: now,
  })
}

type Page<T> = { rows: T[]; pagination: Pagination }

export async function listChanges(
  context: WorkspaceContext,
  query: {
    cursor?: string | undefined
    limit: number
    profile_id?: string | undefined
    action?: string | undefined
  },
): Promise<Page<queries.ChangeRow>> {
  const rows = await queries.listChanges(context.db, {
    workspaceId: context.workspaceId,
    profileId: query.profile_id ?? null,
    action: query.action ?? null,
    before: readCursor(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.id])
}

export async function listPersonAccess(
  context: WorkspaceContext,
  query: { cursor?: string | undefined; limit: number; profile_id?: string | undefined },
): Promise<Page<queries.PersonAccessRow>> {
  const workspaceProfiles = await queries.listProfileIds(context.db, { workspaceId: context.workspaceId })
  const profileIds =
    query.profile_id === undefined
      ? workspaceProfiles
      : workspaceProfiles.filter((id) => id === query.profile_id)
  const rows = await queries.listPersonAccess(context.db, {
    profileIds,
    before: readCursor(query.cursor),
    limit: query.limit + 1,
  })
  return toPage(rows, query.limit, (row) => [row.id])
}

export const readCursor = (cursor: string | undefined) => accepted(readIdCursor(cursor))
