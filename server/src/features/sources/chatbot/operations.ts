import type { TokenSet } from '../../../connectors/connector.ts'
import { makerOf, type ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { appsOfCaller, type ConnectionView, connectingApp, getConnection } from '../connections/operations.ts'
import { listConnectionRows } from '../connections/queries.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'

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

/** Ignores the caller's app, so that an existing name is kept even if the app cannot see the connection. */
const findChatbot = async (tx: Tx, profileId: string) =>
  (await listConnectionRows(tx, { profileId, appId: null, provider: CHATBOT }))[0]

/** One connection per profile, with an API key that a person pastes. */
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
    const name = body.display_name ?? (await findChatbot(tx, profile.id))?.display_name ?? 'Chatbot'
    const connectionId = await connectAccount(tx, service, {
      profileId: profile.id,
      workspaceId: profile.workspaceId,
      connector: { provider: CHATBOT, exclusiveAccount: false },
      account: { id: CHATBOT, name, kind: 'account', currency: null, timezone: null },
      token,
      apps: appsOfCaller(context),
      connectingApp: await connectingApp(context),
      maker: makerOf(context.caller),
      now,
    })
    const event = { profileId: profile.id, connectionId: connectionId!, provider: CHATBOT }
    await announceConnection(tx, 'connection.connected', { ...event, status: 'connected', reason: null }, now)
    return connectionId!
  })
  return getConnection(context, id)
}
