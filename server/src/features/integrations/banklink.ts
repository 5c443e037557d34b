/** A bank account beside the connections of consent: linked on the provider's own page, finished with the link's token. */
import { startLink as askForLink, finishLink, readLinkedToken } from '../../connectors/banklink/client.ts'
import { ProviderError } from '../../connectors/connector.ts'
import type { Banklink } from '../../connectors/registry.ts'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { databaseNow, inTransaction } from '../../db/database.ts'
import {
  appsOfCaller,
  type ConnectionView,
  getConnection,
  LIVE_BUDGET_MS,
} from '../connections/operations.ts'
import { toProviderApiError } from '../connections/session.ts'
import { announceConnection, connectAccount } from '../connections/store.ts'

const PROVIDER = 'banklink'

function banklinkOf(context: ProfileContext): Banklink {
  const { banklink } = context.service
  if (banklink === undefined)
    throw new ApiError('not_implemented', 'Bank links are not set up on this deployment.')
  return banklink
}

export async function startBankLink(context: ProfileContext) {
  const { app, http } = banklinkOf(context)
  const countryCodes = (app.extra.countryCodes ?? 'US').split(',')
  const person = { clientName: context.profile.name, userId: context.profile.id, countryCodes }
  try {
    const link = await askForLink(http.within(LIVE_BUDGET_MS), app, person)
    return { link_token: link.linkToken, url: link.url, expires_at: link.expiresAt }
  } catch (error) {
    throw toProviderApiError(error)
  }
}

type Finished = { link_token?: string | undefined; public_token?: string | undefined }

export async function connectBankLink(context: ProfileContext, finished: Finished): Promise<ConnectionView> {
  const { profile, service } = context
  const { token, account } = await exchange(context, finished)
  const id = await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const connectionId = await connectAccount(tx, service, {
      profileId: profile.id,
      workspaceId: profile.workspaceId,
      connector: { provider: PROVIDER, exclusiveAccount: true },
      account,
      token,
      apps: appsOfCaller(context),
      now,
    })
    if (connectionId === undefined)
      throw new ApiError(
        'account_connected_elsewhere',
        'This bank is linked to another profile of the workspace.',
      )
    const event = { profileId: profile.id, connectionId, provider: PROVIDER, status: 'connected' }
    await announceConnection(tx, 'connection.connected', { ...event, reason: null }, now)
    return connectionId
  })
  return getConnection(context, id)
}

async function exchange(context: ProfileContext, finished: Finished) {
  const { app, http } = banklinkOf(context)
  const within = http.within(LIVE_BUDGET_MS)
  const named = finished.link_token === undefined ? 'public_token' : 'link_token'
  try {
    const publicToken = finished.public_token ?? (await readLinkedToken(within, app, finished.link_token!))
    if (publicToken === null)
      throw new ApiError('invalid_parameter', 'link_token: the person has not finished this link yet.')
    return await finishLink(within, app, publicToken)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant')
      throw new ApiError('invalid_parameter', `${named}: the bank-link provider does not accept it.`, {
        cause: error,
      })
    throw toProviderApiError(error)
  }
}
