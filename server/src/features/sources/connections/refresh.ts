/**
 * Refreshes the token of a connection after a share of its lifetime, on use and on a schedule, and early
 * if the provider refuses it. Concurrent callers cause one refresh: within a process they share a promise
 * (single flight), between processes a lease on the row serializes them. No database connection is held
 * while the provider is called.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ProviderError, type TokenSet } from '../../../connectors/connector.ts'
import { connectorOf } from '../../../connectors/mailbox.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { requireReconnectOfChildren } from './children.ts'
import { type ConnectionRow, findConnection } from './queries.ts'
import {
  markReconnectRequired,
  releaseRefreshLease,
  saveFirstError,
  saveRefreshedToken,
  takeRefreshLease,
} from './refresh-queries.ts'
import { isRefreshDue, refreshAtOf, retryRefreshAt } from './rules.ts'
import { announceConnection, openToken, sealToken } from './store.ts'

const LEASE_MS = 30_000
const REFRESH_BUDGET_MS = 20_000
const POLL_MS = 50

export type Ref = { profileId: string; id: string }
export type Ready = { row: ConnectionRow; token: TokenSet }

/** The connection cannot be used until a person acts. */
export class ConnectionUnusable extends Error {
  readonly status: string
  constructor(status: string, options?: { cause?: unknown }) {
    super(`The connection is ${status}`, options)
    this.name = 'ConnectionUnusable'
    this.status = status
  }
}

export function configuredOf(service: Service, row: ConnectionRow): ConfiguredProvider {
  const configured = service.providers.get(connectorOf(row))
  if (configured === undefined)
    throw new ApiError('provider_not_configured', 'This provider is not configured on the service.')
  return configured
}

/** A valid token, refreshed first if it is due. */
export async function freshToken(service: Service, ref: Ref): Promise<Ready> {
  const ready = await readToken(service, ref)
  return (await isDue(service, ready, null)) ? shareFlight(service, ref, null) : ready
}

/** Replaces a token that the provider just refused. Another process may already have refreshed it. */
export async function replacedToken(service: Service, ref: Ref, refusedVersion: number): Promise<Ready> {
  const ready = await readToken(service, ref)
  return ready.row.token_version === refusedVersion ? shareFlight(service, ref, refusedVersion) : ready
}

const flights = new WeakMap<Service, Map<string, Promise<Ready>>>()

async function shareFlight(service: Service, ref: Ref, refusedVersion: number | null): Promise<Ready> {
  const pending = flights.get(service) ?? new Map<string, Promise<Ready>>()
  flights.set(service, pending)
  const key = `${ref.profileId} ${ref.id} ${refusedVersion ?? ''}`
  const flight =
    pending.get(key) ?? refreshUntilFresh(service, ref, refusedVersion).finally(() => pending.delete(key))
  pending.set(key, flight)
  return flight
}

async function readToken(service: Service, ref: Ref): Promise<Ready> {
  const row = await findConnection(service.db, ref)
  if (row === undefined) throw new ApiError('not_found', 'No such connection.')
  if (row.token === null || row.status === 'revoked' || row.status === 'reconnect_required')
    throw new ConnectionUnusable(row.status)
  return { row, token: openToken(service, ref.profileId, ref.id, row.token) }
}

async function isDue(service: Service, { row }: Ready, refusedVersion: number | null): Promise<boolean> {
  if (configuredOf(service, row).connector.oauth.refresh === undefined) return false
  if (refusedVersion !== null) return row.token_version === refusedVersion
  const token = { refreshAt: row.token_refresh_at, expiresAt: row.token_expires_at }
  return token.expiresAt !== null && isRefreshDue(token, await databaseNow(service.db))
}

async function refreshUntilFresh(service: Service, ref: Ref, refusedVersion: number | null): Promise<Ready> {
  const until = performance.now() + LEASE_MS + REFRESH_BUDGET_MS
  while (performance.now() < until) {
    const ready = await readToken(service, ref)
    if (!(await isDue(service, ready, refusedVersion))) return ready
    const now = await databaseNow(service.db)
    const leaseId = await takeRefreshLease(service.db, { row: ready.row, leaseMs: LEASE_MS, now })
    if (leaseId !== undefined) return refresh(service, ready, leaseId, refusedVersion !== null)
    await delay(POLL_MS)
  }
  throw new ProviderError('unavailable', 'The token could not be refreshed in time')
}

async function refresh(
  service: Service,
  { row, token }: Ready,
  leaseId: string,
  isRefused: boolean,
): Promise<Ready> {
  const { connector, app, http } = configuredOf(service, row)
  try {
    const fresh = await connector.oauth.refresh!(
      http.within(REFRESH_BUDGET_MS),
      app,
      token,
      service.clock.now(),
    )
    return await saveToken(service, row, leaseId, fresh)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant') {
      await requireReconnect(service, row, 'invalid_grant')
      throw new ConnectionUnusable('reconnect_required', { cause: error })
    }
    const now = await databaseNow(service.db)
    // The retry waits a share of the token's remaining lifetime.
    const retryAt = row.token_expires_at === null ? null : retryRefreshAt(now, row.token_expires_at)
    await releaseRefreshLease(service.db, { row, leaseId, retryAt })
    // Refreshes start ahead of expiry, so the current token is still valid.
    if (!isRefused && row.token_expires_at !== null && row.token_expires_at > now) return { row, token }
    throw error
  }
}

async function saveToken(
  service: Service,
  row: ConnectionRow,
  leaseId: string,
  fresh: TokenSet,
): Promise<Ready> {
  const { profile_id: profileId, id } = row
  const now = await databaseNow(service.db)
  const expiresAt = fresh.expiresAt === null ? null : new Date(fresh.expiresAt)
  const updated = await saveRefreshedToken(service.db, {
    row,
    leaseId,
    token: sealToken(service, profileId, id, fresh),
    expiresAt,
    refreshAt: refreshAtOf(now, expiresAt),
    now,
  })
  // Undefined after a new consent meanwhile: its token is used.
  return updated === undefined ? readToken(service, { profileId, id }) : { row: updated, token: fresh }
}

/** Marks the connection once per grant; one that was re-authorized meanwhile has another version and is unaffected. */
export async function requireReconnect(service: Service, row: ConnectionRow, reason: string): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    if (!(await markReconnectRequired(tx, { row, reason, now }))) return
    await saveFirstError(tx, { row, error: 'The provider no longer accepts this connection; reconnect it.' })
    await announceConnection(
      tx,
      'connection.reconnect_required',
      {
        profileId: row.profile_id,
        connectionId: row.id,
        provider: row.provider,
        status: 'reconnect_required',
        reason,
      },
      now,
    )
    await requireReconnectOfChildren(tx, { profileId: row.profile_id, connectionId: row.id }, reason, now)
  })
}
