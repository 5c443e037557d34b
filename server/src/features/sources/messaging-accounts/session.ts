/** Platform calls for a messaging account, with its own token or that of its social account. */
import { ProviderError, type Session } from '../../../connectors/connector.ts'
import { type MessagingChannel, PHOTO_LOGIN } from '../../../connectors/messaging.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { type ConnectionRow, findConnection, listConnectionRows } from '../connections/queries.ts'
import { withReconnectUrl } from '../connections/reconnect.ts'
import { ConnectionUnusable, requireReconnect } from '../connections/refresh.ts'
import { withSession } from '../connections/session.ts'
import { openToken } from '../connections/store.ts'

const isEnded = ({ status }: ConnectionRow) => status === 'revoked' || status === 'reconnect_required'

/** A usable connection of the channel: the given account, else the newest. */
export async function getAccount(
  context: ProfileContext,
  channel: MessagingChannel,
  accountId?: string,
): Promise<ConnectionRow> {
  const appId = context.caller.kind === 'key' ? context.caller.appId : null
  const rows = (
    await listConnectionRows(context.db, { profileId: context.profile.id, appId, provider: channel })
  ).filter(({ external_id }) => accountId === undefined || external_id === accountId)
  const row = rows.findLast((candidate) => !isEnded(candidate)) ?? rows.at(-1)
  if (row === undefined)
    throw new ApiError('connection_not_ready', 'The account is not connected for messages.', {
      hint: 'POST /messaging/accounts connects it.',
    })
  if (isEnded(row)) throw await revokedError(context, row, undefined)
  return row
}

export async function revokedError(
  context: ProfileContext,
  row: ConnectionRow,
  cause: unknown,
): Promise<unknown> {
  const error = new ApiError(
    'connection_revoked',
    'The account’s authorization ended; connect it again. Its conversations are kept.',
    { cause, reconnect_required: true },
  )
  const parent =
    row.parent_id === null
      ? undefined
      : await findConnection(context.service.db, { profileId: context.profile.id, id: row.parent_id })
  return withReconnectUrl(context, parent ?? row, error)
}

export async function withAccount<T>(
  context: ProfileContext,
  row: ConnectionRow,
  budgetMs: number,
  work: (session: Session, configured: ConfiguredProvider) => Promise<T>,
): Promise<T> {
  const { service, profile } = context
  if (row.parent_id === null) return withOwnToken(context, row, budgetMs, work)
  try {
    return await withSession(service, { profileId: profile.id, id: row.parent_id }, budgetMs, work)
  } catch (error) {
    throw error instanceof ConnectionUnusable ? await revokedError(context, row, error) : error
  }
}

async function withOwnToken<T>(
  { service, profile }: ProfileContext,
  row: ConnectionRow,
  budgetMs: number,
  work: (session: Session, configured: ConfiguredProvider) => Promise<T>,
): Promise<T> {
  const configured = service.providers.get('social_ads')
  if (configured === undefined || row.token === null)
    throw new ApiError('provider_not_configured', 'This provider is not configured on the service.')
  const token = openToken(service, profile.id, row.id, row.token)
  const session: Session = {
    http: configured.http.within(budgetMs),
    app: configured.app,
    token: { ...token, extra: { ...token.extra, login: PHOTO_LOGIN } },
    accountId: row.external_id,
  }
  try {
    return await work(session, configured)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant')
      await requireReconnect(service, row, 'invalid_grant')
    throw error
  }
}
