/** Connects an account to a profile, and disconnects it. */
import type { Account, TokenSet } from '../../../connectors/connector.ts'
import { MAILBOX } from '../../../connectors/mailbox.ts'
import type { makerOf, Service } from '../../../context.ts'
import { isSameApp, notCreatedByApp } from '../../../platform/access/created-by-apps.ts'
import { requireLiveAuthorization } from '../../../platform/access/live-maker.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { openText, seal } from '../../../platform/secrets/seal.ts'
import { forgetCalendars } from '../../facts/appointments/queries.ts'
import {
  type ConnectionEventType,
  channelHealthUpdated,
  connectionEvent,
} from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import { listChildren } from './child-queries.ts'
import { restoreChildren } from './children.ts'
import { refreshLease } from './refresh-queries.ts'
import { refreshAtOf } from './rules.ts'

export type ConnectRequest = {
  profileId: string
  workspaceId: string
  connector: { provider: string; exclusiveAccount: boolean }
  account: Account
  /** Null if the account was connected without OAuth. */
  token: TokenSet | null
  subtype?: string | undefined
  status?: 'connected' | 'needs_action'
  /** The apps that may see the connection from now on. */
  apps: readonly { appId: string; authorizationId: string | null }[]
  /** The app that connects it; null if a person or a direct key does, or a person confirmed it on a hand-off page. */
  connectingApp: ConnectingApp | null
  /** Who entered the secret, where no hand-off page was used. */
  maker?: ReturnType<typeof makerOf>
  now: Date
}

export type ConnectingApp = {
  authorizationId: string
  /** The app decides for the business, so it may replace what others connected. */
  mayReplace: boolean
}

/** The connection's id; undefined if the account is connected to another profile of the workspace. */
export async function connectAccount(
  tx: Tx,
  service: Service,
  request: ConnectRequest,
): Promise<string | undefined> {
  const { profileId, account, now } = request
  if (request.connectingApp !== null)
    await requireLiveAuthorization(tx, request.connectingApp.authorizationId)
  const { provider } = request.connector
  const previous = await rowsWhere(tx, 'connections', {
    profile_id: profileId,
    provider,
    external_id: account.id,
  }).find(['id', 'status', 'status_reason', 'authorization_id'])
  if (previous !== undefined && previous.status !== 'revoked')
    await requireReplaceable(tx, previous, request.connectingApp)
  const connectionId = await claimAccount(tx, request, previous?.id ?? uuidv7())
  if (connectionId === undefined) return undefined
  const expiresAt = request.token?.expiresAt == null ? null : new Date(request.token.expiresAt)
  // For a mailbox, a new consent is not enough: only an accepted mail proves that it works again.
  const keepsStatus = provider === MAILBOX && previous?.status === 'needs_action'
  const fields = {
    display_name: account.name,
    currency: account.currency,
    timezone: account.timezone,
    provider_subtype: request.subtype ?? null,
    status: keepsStatus ? previous.status : (request.status ?? 'connected'),
    status_reason: keepsStatus ? previous.status_reason : null,
    token: request.token && sealToken(service, profileId, connectionId, withExtra(request.token, account)),
    token_expires_at: expiresAt,
    token_issued_at: request.token === null ? null : now,
    token_refresh_at: refreshAtOf(now, expiresAt),
    ...refreshLease.none,
    scopes: request.token?.scopes ?? [],
    authorization_id: request.connectingApp?.authorizationId ?? null,
    ...(request.maker ?? { made_by_user_id: null, made_by_credential_id: null }),
    consent_ends_at: request.token?.extra.consentEndsAt ?? null,
    authorized_at: now,
    updated_at: now,
  }
  await tx
    .insertInto('connections')
    .values({
      ...fields,
      profile_id: profileId,
      id: connectionId,
      provider,
      external_id: account.id,
      token_version: 1,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', 'id'])
        .doUpdateSet({ ...fields, token_version: (eb) => eb('connections.token_version', '+', 1) }),
    )
    .execute()
  for (const app of request.apps) await grantConnection(tx, { profileId, connectionId, ...app, now })
  if (previous?.status === 'reconnect_required') {
    const data = { provider, connection_id: connectionId, status: fields.status, reason: null }
    await recordEvents(tx, [channelHealthUpdated(profileId, data, now)], now)
    await restoreChildren(tx, { profileId, connectionId }, now)
  }
  return connectionId
}

/** Otherwise an app's secret would stay in the owner's connection after the app is withdrawn. */
async function requireReplaceable(
  tx: Tx,
  previous: { authorization_id: string | null },
  app: ConnectingApp | null,
): Promise<void> {
  if (app === null || app.mayReplace) return
  if (!(await isSameApp(tx, previous.authorization_id, app.authorizationId))) throw notCreatedByApp()
}

const withExtra = (token: TokenSet, { tokenExtra }: Account): TokenSet => ({
  ...token,
  extra: { ...token.extra, ...tokenExtra },
})

/** The primary key serializes two profiles that connect one account concurrently: the second insert waits for the first. */
async function claimAccount(
  tx: Tx,
  request: ConnectRequest,
  connectionId: string,
): Promise<string | undefined> {
  const { profileId, workspaceId, account, now } = request
  const { provider, exclusiveAccount } = request.connector
  const key = [workspaceId, provider, account.id, ...(exclusiveAccount ? [] : [profileId])].join('|')
  const row = {
    claim_key: key,
    workspace_id: workspaceId,
    provider,
    external_id: account.id,
    profile_id: profileId,
    connection_id: connectionId,
    created_at: now,
  }
  // If the holder releases the account between the insert and the select, no row is found: retry.
  for (let attempt = 0; attempt < 3; attempt++) {
    const inserted = await tx
      .insertInto('connection_accounts')
      .values(row)
      .onConflict((conflict) => conflict.column('claim_key').doNothing())
      .returning('connection_id')
      .executeTakeFirst()
    if (inserted !== undefined) return connectionId
    const holder = await tx
      .selectFrom('connection_accounts as a')
      .innerJoin('profiles as p', 'p.id', 'a.profile_id')
      .select(['a.profile_id', 'a.connection_id', 'p.archived_at'])
      .where('a.claim_key', '=', key)
      .executeTakeFirst()
    if (holder?.profile_id === profileId) return holder.connection_id
    if (holder?.archived_at === null) return undefined
    // An archived profile releases its accounts; the first to change the row gets it.
    const updated =
      holder &&
      (await tx
        .updateTable('connection_accounts')
        .set(row)
        .where('claim_key', '=', key)
        .where('profile_id', '=', holder.profile_id)
        .returning('connection_id')
        .executeTakeFirst())
    if (updated !== undefined) return connectionId
  }
  return undefined
}

export async function grantConnection(
  tx: Tx,
  grant: {
    profileId: string
    connectionId: string
    appId: string
    authorizationId: string | null
    now: Date
  },
): Promise<void> {
  const fields = { authorization_id: grant.authorizationId, granted_at: grant.now, revoked_at: null }
  await tx
    .insertInto('connection_grants')
    .values({
      ...fields,
      profile_id: grant.profileId,
      connection_id: grant.connectionId,
      app_id: grant.appId,
    })
    .onConflict((conflict) => conflict.columns(['profile_id', 'connection_id', 'app_id']).doUpdateSet(fields))
    .execute()
}

/** When a person authorizes an app on a profile, the app sees the profile's current connections. */
export async function grantAllConnections(
  tx: Tx,
  grant: { profileId: string; appId: string; authorizationId: string; now: Date },
): Promise<void> {
  const rows = await tx
    .selectFrom('connections')
    .select('id')
    .where('profile_id', '=', grant.profileId)
    .where('status', '<>', 'revoked')
    .execute()
  for (const { id } of rows) await grantConnection(tx, { ...grant, connectionId: id })
}

/** A required reconnect is also sent as `channel.health.updated`, for subscribers to that event only. */
export function announceConnection(
  tx: Tx,
  type: ConnectionEventType,
  connection: {
    profileId: string
    connectionId: string
    provider: string
    status: string
    reason: string | null
  },
  now: Date,
): Promise<void> {
  const { profileId, connectionId, provider, status, reason } = connection
  const data = { provider, connection_id: connectionId, status, reason }
  const health = type === 'connection.reconnect_required' ? [channelHealthUpdated(profileId, data, now)] : []
  return recordEvents(tx, [connectionEvent(type, profileId, data, now), ...health], now)
}

/**
 * Deletes the token and frees the account for another profile. Synced data remains, except calendar guests who were
 * never counted. Messaging accounts that use this authorization are revoked too.
 */
export async function revokeConnection(
  tx: Tx,
  params: { profileId: string; connectionId: string; reason: string; now: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('connections')
    .set({
      status: 'revoked',
      status_reason: params.reason,
      token: null,
      token_expires_at: null,
      token_issued_at: null,
      token_refresh_at: null,
      consent_ends_at: null,
      ...refreshLease.none,
      updated_at: params.now,
    })
    .where('profile_id', '=', params.profileId)
    .where('id', '=', params.connectionId)
    .where('status', '<>', 'revoked')
    .returning('provider')
    .executeTakeFirst()
  if (row === undefined) return false
  await rowsWhere(tx, 'connection_accounts', {
    profile_id: params.profileId,
    connection_id: params.connectionId,
  }).delete()
  await rowsWhere(tx, 'connection_syncs', {
    profile_id: params.profileId,
    connection_id: params.connectionId,
  }).update({ state: 'idle', cursor: null, next_run_at: null, updated_at: params.now })
  const { profileId, connectionId, reason } = params
  // With its signing id, which would otherwise still authenticate the store's webhooks.
  await rowsWhere(tx, 'manual_stores', { profile_id: profileId, id: connectionId }).delete()
  await forgetCalendars(tx, { profileId, connectionId })
  const connection = { profileId, connectionId, provider: row.provider, status: 'revoked', reason }
  await announceConnection(tx, 'connection.revoked', connection, params.now)
  for (const child of await listChildren(tx, { profileId, connectionId }))
    await revokeConnection(tx, { ...params, connectionId: child.id })
  return true
}

const tokenCell = (table: string, profileId: string, row: string) => ({
  table,
  row,
  column: 'token',
  profileId,
})

export function sealToken(
  service: Service,
  profileId: string,
  connectionId: string,
  token: TokenSet,
  table = 'connections',
): Buffer {
  return seal(service.keyring, tokenCell(table, profileId, connectionId), JSON.stringify(token))
}

export function openToken(
  service: Service,
  profileId: string,
  connectionId: string,
  sealed: Buffer,
  table = 'connections',
): TokenSet {
  return JSON.parse(openText(service.keyring, tokenCell(table, profileId, connectionId), sealed)) as TokenSet
}

/** Token and account of a connection, for code that acts on its behalf at the provider. */
export async function findConnectionToken(
  service: Service,
  connectionId: string,
): Promise<{ token: string; accountId: string } | undefined> {
  const row = await service.db
    .selectFrom('connections')
    .select(['profile_id', 'external_id', 'token'])
    .where('id', '=', connectionId)
    .executeTakeFirst()
  if (row?.token == null) return undefined
  const { refreshToken, accessToken } = openToken(service, row.profile_id, connectionId, row.token)
  return { token: refreshToken ?? accessToken, accountId: row.external_id }
}
