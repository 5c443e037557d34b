/**
 * A connection's way to its provider. The token is refreshed before it runs out, once, however many
 * callers need it: callers of one process share a flight, processes take a lease on the row. Nobody
 * holds a database connection while the provider is asked.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Provider, ProviderError, type Session, type TokenSet } from '../../connectors/connector.ts'
import type { ConfiguredProvider } from '../../connectors/registry.ts'
import type { Service } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { uuidv7 } from '../../contract/ids.ts'
import { databaseNow } from '../../db/database.ts'
import { type ConnectionRow, findConnection } from './queries.ts'
import { announceConnection, openToken, sealToken } from './store.ts'

const REFRESH_BEFORE_MS = 120_000
const LEASE_MS = 30_000
const REFRESH_BUDGET_MS = 20_000
const LOOK_AGAIN_MS = 50

type Ref = { profileId: string; id: string }
type Ready = { row: ConnectionRow; token: TokenSet }

/** The connection cannot be used until a person acts. */
export class ConnectionUnusable extends Error {
  readonly status: string
  constructor(status: string) {
    super(`The connection is ${status}`)
    this.name = 'ConnectionUnusable'
    this.status = status
  }
}

/** Runs the work with a token that holds; a grant that the provider took back marks the connection. */
export async function withSession<T>(
  service: Service,
  ref: Ref,
  budgetMs: number | null,
  work: (session: Session, configured: ConfiguredProvider, row: ConnectionRow) => Promise<T>,
): Promise<T> {
  const { row, token } = await freshToken(service, ref)
  const configured = configuredOf(service, row)
  const http = budgetMs === null ? configured.http : configured.http.within(budgetMs)
  const { app } = configured
  const session: Session = { http, app, token, accountId: row.external_id, currency: row.currency }
  try {
    return await work(session, configured, row)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant')
      await requireReconnect(service, row, 'invalid_grant')
    throw error
  }
}

function configuredOf(service: Service, row: ConnectionRow): ConfiguredProvider {
  const configured = service.providers.get(row.provider as Provider)
  if (configured === undefined)
    throw new ApiError('service_unavailable', 'This provider is not configured on the service.')
  return configured
}

const flights = new WeakMap<Service, Map<string, Promise<Ready>>>()

export async function freshToken(service: Service, ref: Ref): Promise<Ready> {
  const ready = await readToken(service, ref)
  if (!(await isDue(service, ready))) return ready
  const flying = flights.get(service) ?? new Map<string, Promise<Ready>>()
  flights.set(service, flying)
  const key = `${ref.profileId} ${ref.id}`
  const flight = flying.get(key) ?? refreshUntilFresh(service, ref).finally(() => flying.delete(key))
  flying.set(key, flight)
  return flight
}

async function readToken(service: Service, ref: Ref): Promise<Ready> {
  const row = await findConnection(service.db, ref)
  if (row === undefined) throw new ApiError('not_found', 'No such connection.')
  if (row.token === null || row.status === 'revoked' || row.status === 'reconnect_required')
    throw new ConnectionUnusable(row.status)
  return { row, token: openToken(service, ref.profileId, ref.id, row.token) }
}

async function isDue(service: Service, { row }: Ready): Promise<boolean> {
  if (row.token_expires_at === null || configuredOf(service, row).connector.refresh === null) return false
  const now = await databaseNow(service.db)
  return row.token_expires_at.getTime() - now.getTime() <= REFRESH_BEFORE_MS
}

async function refreshUntilFresh(service: Service, ref: Ref): Promise<Ready> {
  const until = performance.now() + LEASE_MS + REFRESH_BUDGET_MS
  while (performance.now() < until) {
    const ready = await readToken(service, ref)
    if (!(await isDue(service, ready))) return ready
    const leaseId = await takeLease(service, ready.row)
    if (leaseId !== undefined) return refresh(service, ready, leaseId)
    await delay(LOOK_AGAIN_MS)
  }
  throw new ProviderError('unavailable', 'The token could not be refreshed in time')
}

/** Undefined while another process is at it, or once it was faster. */
async function takeLease(service: Service, row: ConnectionRow): Promise<string | undefined> {
  const now = await databaseNow(service.db)
  const leaseId = uuidv7()
  const taken = await service.db
    .updateTable('connections')
    .set({ refresh_lease_id: leaseId, refresh_lease_until: new Date(now.getTime() + LEASE_MS) })
    .where('profile_id', '=', row.profile_id)
    .where('id', '=', row.id)
    .where('token_version', '=', row.token_version)
    .where((eb) => eb.or([eb('refresh_lease_until', 'is', null), eb('refresh_lease_until', '<=', now)]))
    .returning('id')
    .executeTakeFirst()
  return taken === undefined ? undefined : leaseId
}

async function refresh(service: Service, { row, token }: Ready, leaseId: string): Promise<Ready> {
  const { connector, app, http } = configuredOf(service, row)
  try {
    const fresh = await connector.refresh!(http.within(REFRESH_BUDGET_MS), app, token, service.clock.now())
    return await keep(service, row, leaseId, fresh)
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant') {
      await requireReconnect(service, row, 'invalid_grant')
      throw new ConnectionUnusable('reconnect_required')
    }
    await releaseLease(service, row, leaseId)
    // It was refreshed ahead of time: what is there still holds for a moment.
    if (row.token_expires_at !== null && row.token_expires_at > (await databaseNow(service.db)))
      return { row, token }
    throw error
  }
}

async function keep(service: Service, row: ConnectionRow, leaseId: string, fresh: TokenSet): Promise<Ready> {
  const { profile_id: profileId, id } = row
  const kept = await service.db
    .updateTable('connections')
    .set({
      token: sealToken(service, profileId, id, fresh),
      token_expires_at: fresh.expiresAt,
      token_version: row.token_version + 1,
      refresh_lease_id: null,
      refresh_lease_until: null,
      updated_at: await databaseNow(service.db),
    })
    .where('profile_id', '=', profileId)
    .where('id', '=', id)
    .where('refresh_lease_id', '=', leaseId)
    .where('token_version', '=', row.token_version)
    .returningAll()
    .executeTakeFirst()
  // A new consent came in between: its token counts.
  return kept === undefined ? readToken(service, { profileId, id }) : { row: kept, token: fresh }
}

async function releaseLease(service: Service, row: ConnectionRow, leaseId: string): Promise<void> {
  await service.db
    .updateTable('connections')
    .set({ refresh_lease_id: null, refresh_lease_until: null })
    .where('profile_id', '=', row.profile_id)
    .where('id', '=', row.id)
    .where('refresh_lease_id', '=', leaseId)
    .execute()
}

/** Once per grant: a connection that was re-authorized meanwhile has another version and stays. */
export async function requireReconnect(service: Service, row: ConnectionRow, reason: string): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const changed = await tx
      .updateTable('connections')
      .set({
        status: 'reconnect_required',
        status_reason: reason,
        refresh_lease_id: null,
        refresh_lease_until: null,
        updated_at: now,
      })
      .where('profile_id', '=', row.profile_id)
      .where('id', '=', row.id)
      .where('token_version', '=', row.token_version)
      .where('status', 'not in', ['reconnect_required', 'revoked'])
      .returning('provider')
      .executeTakeFirst()
    if (changed === undefined) return
    await announceConnection(
      tx,
      'connection.reconnect_required',
      {
        profileId: row.profile_id,
        connectionId: row.id,
        provider: changed.provider,
        status: 'reconnect_required',
        reason,
      },
      now,
    )
  })
}

/** What a caller of a live route is told when the provider did not do it. */
export function toProviderApiError(error: unknown): unknown {
  if (error instanceof ConnectionUnusable)
    return error.status === 'revoked'
      ? new ApiError('connection_revoked', 'The connection was disconnected; connect it again.', {
          reconnect_required: true,
        })
      : new ApiError(
          'connection_not_ready',
          'The provider no longer accepts this connection; reconnect it.',
          {
            reconnect_required: true,
          },
        )
  if (!(error instanceof ProviderError)) return error
  const details = {
    cause: error,
    ...(error.providerCode === null ? {} : { provider_code: error.providerCode }),
    provider_message: error.message,
  }
  switch (error.reason) {
    case 'invalid_grant':
      return new ApiError(
        'connection_not_ready',
        'The provider no longer accepts this connection; reconnect it.',
        {
          ...details,
          reconnect_required: true,
        },
      )
    case 'permission_missing':
      return new ApiError('forbidden', 'The provider refused this: the consent does not cover it.', {
        ...details,
        reason: 'social_permission_denied',
      })
    case 'rate_limited':
      return new ApiError('provider_error', 'The provider asks for patience; try again later.', {
        ...details,
        reason: 'rate_limited',
        retryAfter: error.retryAfterSeconds ?? 30,
      })
    case 'unavailable':
      return error.providerCode === 'breaker_open'
        ? new ApiError('service_unavailable', 'The provider keeps failing; try again later.', {
            ...details,
            retryAfter: 30,
          })
        : new ApiError('provider_error', 'The provider gave no usable answer; try again later.', details)
    default:
      return new ApiError('provider_error', 'The provider refused or answered something unusable.', details)
  }
}
