import { ProviderError, type TokenSet } from '../../connectors/connector.ts'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { databaseNow, inTransaction } from '../../db/database.ts'
import {
  appsOfCaller,
  type ConnectionView,
  getConnection,
  getProviderConnection,
  live,
} from '../connections/operations.ts'
import { listConnectionRows } from '../connections/queries.ts'
import { listStages } from '../connections/stages.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'
import { PAGE_PROVIDER } from '../connections/webhook-job.ts'
import { issueKey, originOf } from '../tracking/operations.ts'

export type Page = { id: string; name: string; category: string | null; tracked: boolean }

export async function activateWebPixel(context: ProfileContext) {
  const row = await getProviderConnection(context, 'storefront')
  const { key } = await issueKey(context)
  const { origin } = await originOf(context)
  const settings = { trackingKey: key.key, collectorUrl: `${origin}/api/tracking/collect` }
  const { status, webPixelId } = await live(context, row, (session, { connector }) =>
    connector.activateWebPixel!(session, settings),
  )
  return { status, web_pixel_id: webPixelId }
}

export async function listTrackedPages(context: ProfileContext): Promise<Page[]> {
  const rows = await context.db
    .selectFrom('connection_pages')
    .select(['page_id as id', 'name', 'category'])
    .where('profile_id', '=', context.profile.id)
    .orderBy('page_id')
    .execute()
  return rows.map((row) => ({ ...row, tracked: true }))
}

export async function listAvailablePages(context: ProfileContext): Promise<Page[]> {
  const row = await getProviderConnection(context, 'social_ads')
  const pages = await live(context, row, (session, { connector }) => connector.listPages!(session))
  const tracked = new Set((await listTrackedPages(context)).map(({ id }) => id))
  return pages.map((page) => ({ ...page, tracked: tracked.has(page.id) }))
}

/** The provider is asked to send each page's leads before we say that it is tracked. */
export async function trackPages(context: ProfileContext, pageIds: readonly string[]): Promise<Page[]> {
  const { profile } = context
  const row = await getProviderConnection(context, 'social_ads')
  const available = await listAvailablePages(context)
  const wanted = pageIds.map((id) => available.find((page) => page.id === id) ?? unknownPage(id))
  const dropped = (await listTrackedPages(context)).filter((page) => !pageIds.includes(page.id))
  await live(context, row, async (session, { connector }) => {
    for (const page of wanted) if (!page.tracked) await connector.subscribePage!(session, page.id, true)
    for (const page of dropped)
      await connector.subscribePage!(session, page.id, false).catch((error: unknown) => {
        if (!(error instanceof ProviderError) || error.reason !== 'not_found') throw error
      })
  })
  await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    await tx
      .deleteFrom('connection_accounts')
      .where('profile_id', '=', profile.id)
      .where('provider', '=', PAGE_PROVIDER)
      .execute()
    await tx.deleteFrom('connection_pages').where('profile_id', '=', profile.id).execute()
    for (const page of wanted) {
      await tx
        .insertInto('connection_accounts')
        .values({
          claim_key: [profile.workspaceId, PAGE_PROVIDER, page.id, profile.id].join('|'),
          workspace_id: profile.workspaceId,
          provider: PAGE_PROVIDER,
          external_id: page.id,
          profile_id: profile.id,
          connection_id: row.id,
          created_at: now,
        })
        .execute()
      await tx
        .insertInto('connection_pages')
        .values({
          profile_id: profile.id,
          connection_id: row.id,
          page_id: page.id,
          name: page.name,
          category: page.category,
          created_at: now,
        })
        .execute()
    }
  })
  return listTrackedPages(context)
}

function unknownPage(id: string): never {
  throw new ApiError('validation_error', `page_ids: the connected account does not manage the page ${id}.`)
}

const CHATBOT = 'chatbot'

export async function getChatbot(context: ProfileContext): Promise<ConnectionView> {
  const [row] = await listConnectionRows(context.db, {
    profileId: context.profile.id,
    appId: context.caller.kind === 'key' ? context.caller.appId : null,
    provider: CHATBOT,
  })
  if (row === undefined) throw new ApiError('not_found', 'No chatbot is connected to this profile.')
  return getConnection(context, row.id)
}

/** The tool is reached with a key that a person pastes; there is one per profile. */
export async function saveChatbot(
  context: ProfileContext,
  body: { api_key: string; display_name?: string | undefined },
): Promise<ConnectionView> {
  const { profile, service } = context
  const token: TokenSet = {
    accessToken: body.api_key,
    refreshToken: null,
    expiresAt: null,
    scopes: [],
    extra: {},
  }
  const id = await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const name = body.display_name ?? 'Chatbot'
    const connectionId = await connectAccount(tx, service, {
      profileId: profile.id,
      workspaceId: profile.workspaceId,
      connector: { provider: CHATBOT, exclusiveAccount: false },
      account: { id: CHATBOT, name, kind: 'account', currency: null, timezone: null },
      token,
      apps: appsOfCaller(context),
      now,
    })
    const event = { profileId: profile.id, connectionId: connectionId!, provider: CHATBOT }
    await announceConnection(tx, 'connection.connected', { ...event, status: 'connected', reason: null }, now)
    return connectionId!
  })
  return getConnection(context, id)
}

export async function prefillOutcomes(context: ProfileContext) {
  const pipelines = await listStages(context, 'crmsuite')
  return {
    mappings: pipelines.flatMap((pipeline) =>
      pipeline.stages.map((stage) => ({
        pipeline_id: pipeline.id,
        pipeline_name: pipeline.name,
        stage_id: stage.id,
        stage_name: stage.name,
        outcome_type: stage.suggested_outcome,
      })),
    ),
  }
}
