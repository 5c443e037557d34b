/** Calls a provider for a connection with a valid token; if the provider refuses the token early, refreshes it and retries once. */
import { ProviderError, type Session } from '../../../connectors/connector.ts'
import type { ConfiguredProvider } from '../../../connectors/registry.ts'
import type { Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { ConnectionRow } from './queries.ts'
import {
  ConnectionUnusable,
  configuredOf,
  freshToken,
  type Ready,
  type Ref,
  replacedToken,
  requireReconnect,
} from './refresh.ts'

type Work<T> = (session: Session, configured: ConfiguredProvider, row: ConnectionRow) => Promise<T>

/** Runs the work with a valid token. A reconnect is required only after a refused refresh or a refused fresh token. */
export async function withSession<T>(
  service: Service,
  ref: Ref,
  budgetMs: number | null,
  work: Work<T>,
): Promise<T> {
  const ready = await freshToken(service, ref)
  try {
    return await attempt(service, ready, budgetMs, work)
  } catch (error) {
    if (!isGrantRefused(error)) throw error
    const { connector } = configuredOf(service, ready.row)
    const replaced = connector.oauth.refresh && (await replacedToken(service, ref, ready.row.token_version))
    if (!replaced || replaced.token.accessToken === ready.token.accessToken)
      return refuse(service, ready.row, error)
    try {
      return await attempt(service, replaced, budgetMs, work)
    } catch (retryError) {
      if (isGrantRefused(retryError)) return refuse(service, replaced.row, retryError)
      throw retryError
    }
  }
}

const isGrantRefused = (error: unknown) => error instanceof ProviderError && error.reason === 'invalid_grant'

async function refuse(service: Service, row: ConnectionRow, error: unknown): Promise<never> {
  await requireReconnect(service, row, 'invalid_grant')
  throw error
}

async function attempt<T>(
  service: Service,
  { row, token }: Ready,
  budgetMs: number | null,
  work: Work<T>,
): Promise<T> {
  const configured = configuredOf(service, row)
  const http = budgetMs === null ? configured.http : configured.http.within(budgetMs)
  // Needed only if the provider reports no currency for the account.
  const profile =
    row.currency === null ? await findProfileRef(service.db, { profileId: row.profile_id }) : undefined
  const session: Session = {
    http,
    app: configured.app,
    token,
    accountId: row.external_id,
    currency: row.currency,
    profileCurrency: profile?.currency ?? null,
  }
  return work(session, configured, row)
}

/** Maps a failed provider call to the error that a live route returns. */
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
    ...(error.providerMessage === null ? {} : { provider_message: error.providerMessage }),
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
      return new ApiError('provider_error', 'The provider is rate-limiting requests; try again later.', {
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
        : new ApiError(
            'provider_error',
            'The provider returned no usable response; try again later.',
            details,
          )
    default:
      return new ApiError(
        'provider_error',
        'The provider refused the request or returned an unusable response.',
        details,
      )
  }
}
