/**
 * Consent and tokens. An access token lives 60 days. Approved partners also get a refresh token, which expires 365
 * days after the consent even if it is used; then, or without one when the access token expires, a person must consent
 * again (learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens, read 2026-11-17).
 */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import {
  type AuthorizeRequest,
  type CallbackQuery,
  type CallbackResult,
  type OAuth,
  type ProviderApp,
  ProviderError,
  type TokenSet,
} from '../connector.ts'
import { callJson, type JsonCall } from '../provider-http.ts'
import { text } from '../reply-fields.ts'
import { toExpiry } from '../window.ts'
import { scopesOf } from './products.ts'

export function authorizeUrl(app: ProviderApp, request: AuthorizeRequest): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    scope: scopesOf(app).join(' '),
  })
  return `${app.authorizeBaseUrl}/oauth/v2/authorization?${query}`
}

const cancellations = new Set(['user_cancelled_login', 'user_cancelled_authorize', 'access_denied'])
const failures = new Set(['server_error', 'temporarily_unavailable'])

export function readCallback(_: ProviderApp, query: CallbackQuery): CallbackResult {
  if (query.code) return { type: 'code', code: query.code }
  if (query.error === undefined || failures.has(query.error)) return { type: 'error' }
  return { type: cancellations.has(query.error) ? 'cancelled' : 'denied' }
}

const Token = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().nullish(),
  refresh_token: text,
  refresh_token_expires_in: z.number().nullish(),
  scope: text,
})

type Refusal = NonNullable<JsonCall<unknown>['refusal']>

const requestToken = (http: Outbound, app: ProviderApp, form: Record<string, string>, refusal?: Refusal) =>
  callJson(http, {
    url: `${app.authorizeBaseUrl}/oauth/v2/accessToken`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema: Token,
    ...(refusal === undefined ? {} : { refusal }),
  })

const OauthError = z.looseObject({ error: z.string() })

/** LinkedIn reports an expired or revoked refresh token as an invalid request. */
const refusedRefresh: Refusal = ({ status, body }) =>
  status === 400 && OauthError.safeParse(body).data?.error === 'invalid_request' ? consentEnded() : null

const earlierTime = (first: string | null, second: string | null | undefined): string | null =>
  first === null || second == null ? (first ?? second ?? null) : first < second ? first : second

export async function exchange(
  http: Outbound,
  app: ProviderApp,
  args: Parameters<OAuth['exchange']>[2],
): Promise<TokenSet> {
  const token = await requestToken(http, app, {
    grant_type: 'authorization_code',
    code: args.code,
    redirect_uri: args.redirectUri,
  })
  const expiresAt = toExpiry(token.expires_in, args.now)
  const consentEndsAt =
    token.refresh_token === null ? expiresAt : toExpiry(token.refresh_token_expires_in, args.now)
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token,
    expiresAt,
    // Requests separate scopes by spaces, responses by commas.
    scopes: token.scope?.split(/[ ,]+/).filter(Boolean) ?? [],
    extra: consentEndsAt === null ? {} : { consentEndsAt },
  }
}

const consentEnded = () =>
  new ProviderError('invalid_grant', 'The consent has expired; a person has to connect the account again')

/** A token without a refresh token is used until it expires. */
export async function refresh(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  now: Date,
): Promise<TokenSet> {
  const { consentEndsAt } = token.extra
  if (consentEndsAt !== undefined && Date.parse(consentEndsAt) <= now.getTime()) throw consentEnded()
  if (token.refreshToken === null) {
    if (token.expiresAt !== null && Date.parse(token.expiresAt) <= now.getTime()) throw consentEnded()
    return token
  }
  const form = { grant_type: 'refresh_token', refresh_token: token.refreshToken }
  const fresh = await requestToken(http, app, form, refusedRefresh)
  return {
    ...token,
    accessToken: fresh.access_token,
    refreshToken: fresh.refresh_token ?? token.refreshToken,
    expiresAt: earlierTime(toExpiry(fresh.expires_in, now), consentEndsAt),
    scopes: fresh.scope?.split(/[ ,]+/).filter(Boolean) ?? token.scopes,
  }
}
