import type { Provider } from '../../../connectors/connector.ts'
import { connectorOf, storedProvider } from '../../../connectors/mailbox.ts'
import { hasFacet } from '../../../connectors/registry.ts'
import { authorizationOf, type ProfileContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { canDecide } from '../../../platform/access/decisions.ts'
import { recordInProfile } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { appsOf } from '../handoffs/rules.ts'
import { revokeAuthorizations } from './authorizations.ts'
import { discardToken } from './discard.ts'
import {
  type ConnectionRow,
  listConnectionRows,
  listSyncRows,
  revokeGrant,
  type SyncRow,
  type Viewer,
} from './queries.ts'
import { withReconnectUrl } from './reconnect.ts'
import { mostUsable } from './rules.ts'
import { toProviderApiError, withSession } from './session.ts'
import { countSetAside, type SetAsideCount } from './set-aside.ts'
import { type ConnectingApp, openToken, revokeConnection } from './store.ts'

/** Time limit for the whole of a route that queries the provider live. */
export const LIVE_BUDGET_MS = 10_000

export type ConnectionView = {
  row: ConnectionRow
  sync: SyncRow | undefined
  setAside: SetAsideCount | undefined
}

const viewerOf = (context: ProfileContext): Viewer => ({
  profileId: context.profile.id,
  appId: context.caller.kind === 'key' ? context.caller.appId : null,
})

/** Apps that see a connection created without a hand-off: the caller's app and the profile's governing app. */
export function appsOfCaller(context: ProfileContext) {
  const { caller, profile } = context
  const isKey = caller.kind === 'key'
  return appsOf({
    governing_app_id: profile.governingAppId,
    minted_app_id: isKey ? caller.appId : null,
    minted_authorization_id: isKey ? caller.authorizationId : null,
  })
}

/** The app that connects an account without a person's confirmation; null for people and direct keys. */
export async function connectingApp(context: ProfileContext): Promise<ConnectingApp | null> {
  const authorizationId = authorizationOf(context.caller)
  return authorizationId === null ? null : { authorizationId, mayReplace: await canDecide(context) }
}

export async function listConnections(
  context: ProfileContext,
  channel: string | undefined,
): Promise<ConnectionView[]> {
  const { provider, subtype } = channel === undefined ? { provider: undefined } : storedProvider(channel)
  const rows = await listConnectionRows(context.db, { ...viewerOf(context), provider })
  return withSyncs(
    context,
    rows.filter((row) => subtype === undefined || row.provider_subtype === subtype),
  )
}

async function withSyncs(context: ProfileContext, rows: ConnectionRow[]): Promise<ConnectionView[]> {
  const connectionIds = rows.map((row) => row.id)
  const syncs = await listSyncRows(context.db, { profileId: context.profile.id, connectionIds })
  const setAsideCounts = await countSetAside(context.db, { profileId: context.profile.id, connectionIds })
  return rows.map((row) => ({ row, sync: syncs.get(row.id), setAside: setAsideCounts.get(row.id) }))
}

export async function getConnectionRow(context: ProfileContext, id: string): Promise<ConnectionRow> {
  const [row] = await listConnectionRows(context.db, { ...viewerOf(context), id })
  if (row === undefined) throw new ApiError('not_found', 'No such connection.')
  return row
}

export async function getConnection(context: ProfileContext, id: string): Promise<ConnectionView> {
  const [view] = await withSyncs(context, [await getConnectionRow(context, id)])
  return view!
}

/** For routes that name only the provider: its most usable connection, the newest if several are equal. */
export async function getProviderConnection(
  context: ProfileContext,
  provider: Provider,
): Promise<ConnectionRow> {
  const row = mostUsable(await listConnectionRows(context.db, { ...viewerOf(context), provider }))
  if (row === undefined) throw new ApiError('not_found', `No ${provider} connection in this profile.`)
  return row
}

/** Revokes the authorization of the calling app and its keys. The connection remains. */
export async function deleteConnection(context: ProfileContext, id: string): Promise<void> {
  const { caller, profile, now } = context
  await getConnectionRow(context, id)
  const appId = caller.kind === 'key' ? caller.appId : null
  if (caller.kind !== 'key' || appId === null)
    throw new ApiError('invalid_request', 'Only a key of an app has an authorization that can be ended.', {
      reason: 'no_app_authorization',
    })
  await inTransaction(context.db, async (tx) => {
    await revokeAuthorizations(tx, {
      authorizationIds: caller.authorizationId === null ? [] : [caller.authorizationId],
      now: context.service.clock.machineNow(),
    })
    await revokeGrant(tx, { profileId: profile.id, connectionId: id, appId, now })
    const change = { action: 'connection.authorization_revoked', subject: id, detail: { app_id: appId } }
    await recordInProfile(tx, context, change)
  })
  forgetCredentials(context.service)
}

export async function disconnectConnection(context: ProfileContext, id: string): Promise<ConnectionView> {
  const { service, profile } = context
  const row = await getConnectionRow(context, id)
  const changed = await inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    const change = { action: 'connection.disconnected', subject: id, detail: { provider: row.provider } }
    await recordInProfile(tx, context, change)
    return revokeConnection(tx, { profileId: profile.id, connectionId: id, reason: 'disconnected', now })
  })
  const configured = service.providers.get(connectorOf(row))
  if (changed && row.token !== null && configured !== undefined) {
    const account = { id: row.external_id, name: '', kind: configured.connector.accountKind, currency: null }
    const token = openToken(service, profile.id, id, row.token)
    const owner = { workspace_id: profile.workspaceId }
    await discardToken(service, configured, owner, token, [{ ...account, timezone: null }])
  }
  if (changed && row.provider === 'chatapp' && row.parent_id !== null) await unsubscribeChat(context, row)
  return getConnection(context, id)
}

/** Ends the platform's webhooks for the account. A failure is only logged, because webhooks without a connection are dropped. */
async function unsubscribeChat({ service, profile }: ProfileContext, row: ConnectionRow): Promise<void> {
  try {
    await withSession(
      service,
      { profileId: profile.id, id: row.parent_id! },
      LIVE_BUDGET_MS,
      (session, { connector }) => connector.messaging!.unsubscribeChat(session, row.external_id),
    )
  } catch (error) {
    service.log.warn('chat account not unsubscribed', { connection_id: row.id, error })
  }
}

export async function listPixels(context: ProfileContext, id: string) {
  const row = await getConnectionRow(context, id)
  if (!hasFacet(row.provider, 'datasets'))
    throw new ApiError('invalid_state', 'Only a social_ads connection has pixels.', {
      reason: 'not_social_ads',
    })
  return live(context, row, (session, { connector }) => connector.datasets!.listPixels(session))
}

/** Calls the provider without a cache, within the route's time limit. */
export async function live<T>(
  context: ProfileContext,
  row: ConnectionRow,
  work: Parameters<typeof withSession<T>>[3],
): Promise<T> {
  try {
    const ref = { profileId: context.profile.id, id: row.id }
    return await withSession(context.service, ref, LIVE_BUDGET_MS, work)
  } catch (error) {
    throw await withReconnectUrl(context, row, toProviderApiError(error))
  }
}
