/** Tracked pages of a social account. The stored set must match the subscriptions at the provider. */
import { type Connector, ProviderError, type Session } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { replaceAccounts } from '../connections/account-queries.ts'
import { listPageMessagingAccounts } from '../connections/child-queries.ts'
import { backfillLeads } from '../connections/leads-job.ts'
import { getProviderConnection, live } from '../connections/operations.ts'
import type { ConnectionRow } from '../connections/queries.ts'
import { PHOTO_PROVIDER } from '../connections/webhook-job.ts'
import { incrementPagesVersion, listTrackedPages, replaceTrackedPages } from './queries.ts'

export type Page = { id: string; name: string; category: string | null; tracked: boolean }

/** If two requests change the set concurrently, the later one retries on top of the earlier one's result. */
const MAX_ATTEMPTS = 5

export async function listPages(context: ProfileContext): Promise<Page[]> {
  const rows = await listTrackedPages(context.db, { profileId: context.profile.id })
  return rows.map((row) => ({ ...row, tracked: true }))
}

export async function listAvailablePages(context: ProfileContext): Promise<Page[]> {
  return readAvailablePages(context, await getProviderConnection(context, 'social_ads'))
}

async function readAvailablePages(context: ProfileContext, row: ConnectionRow): Promise<Page[]> {
  const pages = await live(context, row, (session, { connector }) => connector.pages!.list(session))
  const tracked = new Set((await listPages(context)).map(({ id }) => id))
  return pages.map((page) => ({ ...page, tracked: tracked.has(page.id) }))
}

export async function trackPages(
  context: ProfileContext,
  { page_ids: pageIds }: { page_ids: readonly string[] },
): Promise<Page[]> {
  const wantedIds = [...new Set(pageIds)]
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    if (await tryChange(context, wantedIds, attempt > 0)) return listPages(context)
  throw new ApiError('service_unavailable', 'Another request is changing the pages; try again.', {
    retryAfter: 2,
  })
}

/** False if another request changed the set meanwhile; the subscriptions at the provider may then be a mixture of both. */
async function tryChange(
  context: ProfileContext,
  wantedIds: readonly string[],
  isRetry: boolean,
): Promise<boolean> {
  const row = await getProviderConnection(context, 'social_ads')
  const available = await readAvailablePages(context, row)
  const photoAccounts = await live(
    context,
    row,
    async (session, { connector }) => (await connector.pages?.listPhotoAccounts(session)) ?? [],
  )
  const wantedPages = wantedIds.map((id) => available.find((page) => page.id === id) ?? unknownPage(id))
  const before = await listPages(context)
  const possiblySubscribed = isRetry ? available : before
  const dropped = possiblySubscribed.filter((page) => !wantedIds.includes(page.id))
  const messagingPages = await listMessagingPages(context, photoAccounts)
  const tracked = new Map(before.map((page) => [page.id, page]))
  try {
    await live(context, row, async (session, { connector }) => {
      for (const page of wantedPages) {
        if (isRetry || !page.tracked) await subscribePage(session, connector, page.id, true)
        tracked.set(page.id, page)
      }
      for (const page of dropped) {
        if (!messagingPages.has(page.id))
          await subscribePage(session, connector, page.id, false).catch(ignoreNotFound)
        tracked.delete(page.id)
      }
    })
  } catch (error) {
    // Changes before the failure are already in effect at the provider.
    await store(context, row, [...tracked.values()], photoAccounts)
    throw error
  }
  return store(context, row, [...tracked.values()], photoAccounts)
}

/** Pages that receive messages, also through their photo account. They remain subscribed when their leads are no longer tracked. */
async function listMessagingPages(
  context: ProfileContext,
  photoAccounts: readonly { pageId: string; id: string }[],
): Promise<Set<string>> {
  const accounts = await listPageMessagingAccounts(context.db, { profileId: context.profile.id })
  return new Set(
    accounts.flatMap(({ channel, id }) =>
      channel === 'pagechat' ? id : (photoAccounts.find((photo) => photo.id === id)?.pageId ?? []),
    ),
  )
}

/** If the response was lost, the change may have succeeded at the provider, so it is reverted there (best effort). */
async function subscribePage(session: Session, connector: Connector, pageId: string, subscribed: boolean) {
  try {
    await connector.pages!.subscribe(session, pageId, subscribed)
  } catch (error) {
    const isUnknown = error instanceof ProviderError && ['unavailable', 'malformed'].includes(error.reason)
    if (isUnknown) await connector.pages!.subscribe(session, pageId, !subscribed).catch(() => {})
    throw error
  }
}

/** A page that the person no longer manages sends nothing anyway. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ProviderError) || error.reason !== 'not_found') throw error
}

async function store(
  context: ProfileContext,
  row: ConnectionRow,
  pages: readonly Page[],
  photoAccounts: readonly { pageId: string; id: string }[],
): Promise<boolean> {
  const { profile } = context
  // Outside the request's transaction, whose rollback would not undo the changes at the provider.
  return inTransaction(context.service.db, async (tx) => {
    const now = await databaseNow(tx)
    const { id: profileId, workspaceId } = profile
    const { id: connectionId, pages_version: version } = row
    if (!(await incrementPagesVersion(tx, { profileId, connectionId, version }))) return false
    const shared = { profileId, workspaceId, connectionId, now }
    const before = await replaceTrackedPages(tx, { ...shared, pages })
    const tracked = new Set(pages.map((page) => page.id))
    const externalIds = photoAccounts.flatMap(({ pageId, id }) => (tracked.has(pageId) ? id : []))
    await replaceAccounts(tx, { ...shared, provider: PHOTO_PROVIDER, externalIds })
    const added = pages.flatMap((page) => (before.includes(page.id) ? [] : page.id))
    if (added.length > 0)
      await enqueue(
        tx,
        backfillLeads,
        { profile_id: profileId, connection_id: connectionId, page_ids: added },
        { profileId, priority: 'bulk' },
      )
    await recordSetting(tx, context, {
      action: 'tracked_pages.changed',
      subject: row.id,
      before: { page_ids: before.sort() },
      after: { page_ids: pages.map(({ id }) => id).sort() },
    })
    return true
  })
}

function unknownPage(id: string): never {
  throw new ApiError('validation_error', `the connected account does not manage the page ${id}.`, {
    field: 'page_ids',
  })
}
