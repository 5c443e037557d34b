/** The pages of a social account whose leads are sent to us: what is subscribed at the provider is what is stored. */
import { type Connector, ProviderError, type Session } from '../../../connectors/connector.ts'
import type { ProfileContext } from '../../../context.ts'
import { recordSetting } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { replaceAccounts } from '../connections/account-queries.ts'
import { listPageSpeakers } from '../connections/child-queries.ts'
import { backfillLeads } from '../connections/leads-job.ts'
import { getProviderConnection, live } from '../connections/operations.ts'
import type { ConnectionRow } from '../connections/queries.ts'
import { PHOTO_PROVIDER } from '../connections/webhook-job.ts'
import { listTrackedPages, replaceTrackedPages, takePagesVersion } from './queries.ts'

export type Page = { id: string; name: string; category: string | null; tracked: boolean }

/** Two that change the set at once: the later one begins again from what the earlier one left. */
const MAX_ROUNDS = 5

export async function listPages(context: ProfileContext): Promise<Page[]> {
  const rows = await listTrackedPages(context.db, { profileId: context.profile.id })
  return rows.map((row) => ({ ...row, tracked: true }))
}

export async function listAvailablePages(context: ProfileContext): Promise<Page[]> {
  return availableOf(context, await getProviderConnection(context, 'social_ads'))
}

async function availableOf(context: ProfileContext, row: ConnectionRow): Promise<Page[]> {
  const pages = await live(context, row, (session, { connector }) => connector.pages!.list(session))
  const tracked = new Set((await listPages(context)).map(({ id }) => id))
  return pages.map((page) => ({ ...page, tracked: tracked.has(page.id) }))
}

export async function trackPages(
  context: ProfileContext,
  { page_ids: pageIds }: { page_ids: readonly string[] },
): Promise<Page[]> {
  const wantedIds = [...new Set(pageIds)]
  for (let round = 0; round < MAX_ROUNDS; round++)
    if (await changeOnce(context, wantedIds, round > 0)) return listPages(context)
  throw new ApiError('service_unavailable', 'The pages are being changed by somebody else; try again.', {
    retryAfter: 2,
  })
}

/** False if another request changed the set meanwhile: the provider may then hold a mixture. */
async function changeOnce(
  context: ProfileContext,
  wantedIds: readonly string[],
  isAgain: boolean,
): Promise<boolean> {
  const row = await getProviderConnection(context, 'social_ads')
  const available = await availableOf(context, row)
  const photoAccounts = await live(
    context,
    row,
    async (session, { connector }) => (await connector.pages?.listPhotoAccounts(session)) ?? [],
  )
  const wanted = wantedIds.map((id) => available.find((page) => page.id === id) ?? unknownPage(id))
  const before = await listPages(context)
  const left = isAgain ? available : before
  const dropped = left.filter((page) => !wantedIds.includes(page.id))
  const talking = await talkingPages(context, photoAccounts)
  const held = new Map(before.map((page) => [page.id, page]))
  try {
    await live(context, row, async (session, { connector }) => {
      for (const page of wanted) {
        if (isAgain || !page.tracked) await setPage(session, connector, page.id, true)
        held.set(page.id, page)
      }
      for (const page of dropped) {
        if (!talking.has(page.id)) await setPage(session, connector, page.id, false).catch(unlessGone)
        held.delete(page.id)
      }
    })
  } catch (error) {
    // What was done before it failed is done at the provider too.
    await store(context, row, [...held.values()], photoAccounts)
    throw error
  }
  return store(context, row, [...held.values()], photoAccounts)
}

/** Pages that people write to, or to whose photo account: they stay subscribed when their leads no longer count. */
async function talkingPages(
  context: ProfileContext,
  photoAccounts: readonly { pageId: string; id: string }[],
): Promise<Set<string>> {
  const speakers = await listPageSpeakers(context.db, { profileId: context.profile.id })
  return new Set(
    speakers.flatMap(({ channel, id }) =>
      channel === 'pagechat' ? id : (photoAccounts.find((photo) => photo.id === id)?.pageId ?? []),
    ),
  )
}

/** An answer that was lost may have been a yes: what we then call undone is undone there too, as far as it can be. */
async function setPage(session: Session, connector: Connector, pageId: string, subscribed: boolean) {
  try {
    await connector.pages!.subscribe(session, pageId, subscribed)
  } catch (error) {
    const isUnknown = error instanceof ProviderError && ['unavailable', 'malformed'].includes(error.reason)
    if (isUnknown) await connector.pages!.subscribe(session, pageId, !subscribed).catch(() => {})
    throw error
  }
}

/** A page that the person no longer manages sends us nothing any more. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ProviderError) || error.reason !== 'not_found') throw error
}

async function store(
  context: ProfileContext,
  row: ConnectionRow,
  pages: readonly Page[],
  photoAccounts: readonly { pageId: string; id: string }[],
): Promise<boolean> {
  const { profile } = context
  // Outside the request's transaction: an error that undoes the request does not undo the provider.
  return inTransaction(context.service.db, async (tx) => {
    const now = await databaseNow(tx)
    const { id: profileId, workspaceId } = profile
    const { id: connectionId, pages_version: version } = row
    if (!(await takePagesVersion(tx, { profileId, connectionId, version }))) return false
    const own = { profileId, workspaceId, connectionId, now }
    const before = await replaceTrackedPages(tx, { ...own, pages })
    const tracked = new Set(pages.map((page) => page.id))
    const externalIds = photoAccounts.flatMap(({ pageId, id }) => (tracked.has(pageId) ? id : []))
    await replaceAccounts(tx, { ...own, provider: PHOTO_PROVIDER, externalIds })
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
