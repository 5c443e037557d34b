/** Accounts that receive messages, each connected separately. */
import type { z } from 'zod'
import { ProviderError, type Session } from '../../../connectors/connector.ts'
import {
  type MessagingAccount,
  messagingChannels,
  PAGE_LOGIN,
  PHOTO_LOGIN,
} from '../../../connectors/messaging.ts'
import { makerOf, type ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { saveAccountLink } from '../connections/child-queries.ts'
import {
  appsOfCaller,
  type ConnectionView,
  connectingApp,
  getConnection,
  getProviderConnection,
  LIVE_BUDGET_MS,
  live,
} from '../connections/operations.ts'
import { listConnectionRows } from '../connections/queries.ts'
import { toProviderApiError } from '../connections/session.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'
import type { connectMessagingAccount as connectEntry, MessagingAccount as Shown } from './contract.ts'

export async function listMessagingAccounts(context: ProfileContext): Promise<z.input<typeof Shown>[]> {
  const social = await getProviderConnection(context, 'social_ads')
  const accounts = await live(context, social, (session, { connector }) =>
    connector.messaging!.listAccounts(session),
  )
  const appId = context.caller.kind === 'key' ? context.caller.appId : null
  const connected = (await listConnectionRows(context.db, { profileId: context.profile.id, appId })).filter(
    ({ provider }) => (messagingChannels as readonly string[]).includes(provider),
  )
  return accounts.map(({ channel, id, name }) => {
    const row = connected.find(({ provider, external_id }) => provider === channel && external_id === id)
    return { channel, account_id: id, name, connection_id: row?.id ?? null, status: row?.status ?? null }
  })
}

type Body = z.output<(typeof connectEntry)['body'] & object>

export async function connectMessagingAccount(context: ProfileContext, body: Body): Promise<ConnectionView> {
  if ('access_token' in body) return connectByOwnLogin(context, body.access_token)
  const social = await getProviderConnection(context, 'social_ads')
  const { account, datasetId } = await live(context, social, async (session, { connector }) => {
    const listed = (await connector.messaging!.listAccounts(session)).find(
      ({ channel, id }) => channel === body.channel && id === body.account_id,
    )
    if (listed === undefined)
      throw new ApiError('validation_error', 'the connected social account has no such account.', {
        field: 'account_id',
      })
    await connector.messaging!.subscribe(session, listed)
    const dataset = await connector.messaging!.createDataset(session, listed).catch(nullIfRefused)
    return { account: listed, datasetId: dataset }
  })
  return store(context, { account, token: null, subtype: PAGE_LOGIN, parentId: social.id, datasetId })
}

/** Messages work without a dataset. A reconnect tries to create it again. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ProviderError && ['permission_missing', 'rejected'].includes(error.reason)) return null
  throw error
}

async function connectByOwnLogin(context: ProfileContext, accessToken: string): Promise<ConnectionView> {
  const configured = context.service.providers.get('social_ads')
  if (configured === undefined)
    throw new ApiError('provider_not_configured', 'This provider is not configured on the service.')
  const token = { accessToken, refreshToken: null, expiresAt: null, scopes: [], extra: {} }
  const http = configured.http.within(LIVE_BUDGET_MS)
  const session: Session = { http, app: configured.app, token, accountId: '' }
  let account: MessagingAccount
  try {
    account = await configured.connector.messaging!.readPhotoAccount(session)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant')
      throw new ApiError('validation_error', 'the platform does not accept this token.', {
        field: 'access_token',
        cause: error,
      })
    throw toProviderApiError(error)
  }
  return store(context, { account, token, subtype: PHOTO_LOGIN, parentId: null, datasetId: null })
}

async function store(
  context: ProfileContext,
  connection: {
    account: MessagingAccount
    token: Session['token'] | null
    subtype: string
    parentId: string | null
    datasetId: string | null
  },
): Promise<ConnectionView> {
  const { profile, service } = context
  const { channel, id: externalId, name } = connection.account
  const id = await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const connectionId = await connectAccount(tx, service, {
      profileId: profile.id,
      workspaceId: profile.workspaceId,
      connector: { provider: channel, exclusiveAccount: true },
      account: { id: externalId, name, kind: 'account', currency: null, timezone: null },
      token: connection.token,
      subtype: connection.subtype,
      apps: appsOfCaller(context),
      connectingApp: await connectingApp(context),
      maker: makerOf(context.caller),
      now,
    })
    if (connectionId === undefined)
      throw new ApiError(
        'account_connected_elsewhere',
        'The account is connected to another profile of the workspace.',
      )
    const { parentId, datasetId } = connection
    await saveAccountLink(tx, { profileId: profile.id, connectionId, parentId, datasetId })
    const event = {
      profileId: profile.id,
      connectionId,
      provider: channel,
      status: 'connected',
      reason: null,
    }
    await announceConnection(tx, 'connection.connected', event, now)
    return connectionId
  })
  return getConnection(context, id)
}
