import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { PAGE_PROVIDER } from '../connections/webhook-job.ts'

type PageRow = { id: string; name: string; category: string | null }

export async function listTrackedPages(db: Db | Tx, params: { profileId: string }): Promise<PageRow[]> {
  return db
    .selectFrom('connection_pages')
    .select(['page_id as id', 'name', 'category'])
    .where('profile_id', '=', params.profileId)
    .orderBy('page_id')
    .execute()
}

/** Optimistic lock: false if another request changed the pages since they were read. */
export async function incrementPagesVersion(
  tx: Tx,
  params: { profileId: string; connectionId: string; version: number },
): Promise<boolean> {
  const updated = await rowsWhere(tx, 'connections', {
    profile_id: params.profileId,
    id: params.connectionId,
    pages_version: params.version,
  }).update({ pages_version: params.version + 1 })
  return updated > 0
}

/** Returns the ids of the pages that were tracked before. */
export async function replaceTrackedPages(
  tx: Tx,
  params: {
    profileId: string
    workspaceId: string
    connectionId: string
    pages: readonly PageRow[]
    now: Date
  },
): Promise<string[]> {
  const { profileId, workspaceId, pages } = params
  await rowsWhere(tx, 'connection_accounts', { profile_id: profileId, provider: PAGE_PROVIDER }).delete()
  const before = await tx
    .deleteFrom('connection_pages')
    .where('profile_id', '=', profileId)
    .returning('page_id')
    .execute()
  const shared = { profile_id: profileId, connection_id: params.connectionId, created_at: params.now }
  const accounts = pages.map((page) => ({
    ...shared,
    claim_key: [workspaceId, PAGE_PROVIDER, page.id, profileId].join('|'),
    workspace_id: workspaceId,
    provider: PAGE_PROVIDER,
    external_id: page.id,
  }))
  const tracked = pages.map(({ id, name, category }) => ({ ...shared, page_id: id, name, category }))
  if (accounts.length > 0) await tx.insertInto('connection_accounts').values(accounts).execute()
  if (tracked.length > 0) await tx.insertInto('connection_pages').values(tracked).execute()
  return before.map((row) => row.page_id)
}
