/**
 * Consent and tokens. With a business login configuration the platform issues the token of a system user, which outlives
 * the person's login; without one a person's token, immediately exchanged for one that lives two months.
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
import { callJson } from '../provider-http.ts'
import { versionedBase } from '../versions.ts'
import { toExpiry } from '../window.ts'
import { callGraph, graphRefusal } from './calls.ts'

/** Reading a lead's answers with its ad requires the last five together. */
const scopes = [
  'ads_read',
  'ads_management',
  'business_management',
  'pages_show_list',
  'pages_manage_metadata',
  'pages_read_engagement',
  'pages_manage_ads',
  'leads_retrieval',
]
/** Requested only if the deployment has enabled messages: each needs a separate review. */
const messageScopes = [
  'pages_messaging',
  'instagram_basic',
  'instagram_manage_messages',
  'whatsapp_business_management',
  'whatsapp_business_messaging',
  // For the datasets of pages and chat accounts.
  'page_events',
  'whatsapp_business_manage_events',
]

export const messagesEnabled = (app: ProviderApp): boolean => app.extra.messages === 'on'

const Token = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().nullish() })
const Permissions = z.looseObject({
  data: z.array(z.looseObject({ permission: z.string(), status: z.string() })),
})
/** `expires_at` is 0 for a token that never expires. */
const TokenInfo = z.looseObject({
  data: z.looseObject({
    is_valid: z.boolean().nullish(),
    expires_at: z.number().nullish(),
    scopes: z.array(z.string()).nullish(),
  }),
})
const Success = z.looseObject({ success: z.boolean().nullish() })

const SYSTEM_USER = 'system_user'

export function authorizeUrl(app: ProviderApp, request: AuthorizeRequest): string {
  const url = new URL(`${versionedBase(app.authorizeBaseUrl, 'social_ads')}/dialog/oauth`)
  const { configId } = app.extra
  const permissionParams: Record<string, string> =
    configId === undefined
      ? {
          scope: [...scopes, ...(messagesEnabled(app) ? messageScopes : [])].join(','),
          // Otherwise the dialog does not show permissions again that the person declined once.
          auth_type: 'rerequest',
        }
      : // The configuration defines the permissions and the kind of token.
        { config_id: configId, override_default_response_type: 'true' }
  url.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    response_type: 'code',
    ...permissionParams,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
  }).toString()
  return url.toString()
}

export function readCallback(_: ProviderApp, query: CallbackQuery): CallbackResult {
  if (query.code) return { type: 'code', code: query.code }
  if (query.error_reason === 'user_denied') return { type: 'cancelled' }
  if (query.error === 'access_denied' || query.error === 'unauthorized_client') return { type: 'denied' }
  // The dialog reports a rejected app with `error_code` and no `error`; 1 and 2 are failures of the dialog itself.
  if (query.error_code && !['1', '2'].includes(query.error_code)) return { type: 'denied' }
  return { type: 'error' }
}

async function requestToken(http: Outbound, app: ProviderApp, form: Record<string, string>, now: Date) {
  const token = await callJson(http, {
    method: 'POST',
    url: `${versionedBase(app.apiBaseUrl, 'social_ads')}/oauth/access_token`,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema: Token,
    refusal: graphRefusal,
  })
  return {
    accessToken: token.access_token,
    expiresAt: toExpiry(token.expires_in, now),
  }
}

export async function exchange(
  http: Outbound,
  app: ProviderApp,
  args: Parameters<OAuth['exchange']>[2],
): Promise<TokenSet> {
  const shortLived = await requestToken(
    http,
    app,
    { code: args.code, redirect_uri: args.redirectUri, code_verifier: args.codeVerifier },
    args.now,
  )
  return app.extra.configId === undefined
    ? exchangeForLongLived(http, app, shortLived.accessToken, args.now)
    : inspect(http, app, shortLived.accessToken)
}

/** A person's token is valid for an hour; it is exchanged for one that is valid for two months. */
async function exchangeForLongLived(
  http: Outbound,
  app: ProviderApp,
  accessToken: string,
  now: Date,
): Promise<TokenSet> {
  const form = { grant_type: 'fb_exchange_token', fb_exchange_token: accessToken }
  const longLived = await requestToken(http, app, form, now)
  const permissions = await callGraph(http, app, longLived.accessToken, {
    path: '/me/permissions',
    schema: Permissions,
  })
  return {
    ...longLived,
    refreshToken: null,
    scopes: permissions.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission),
    extra: {},
  }
}

/** Reads scopes and expiry of a system user's token, which has no `/me/permissions`. */
async function inspect(http: Outbound, app: ProviderApp, accessToken: string): Promise<TokenSet> {
  const { data } = await callJson(http, {
    url: `${versionedBase(app.apiBaseUrl, 'social_ads')}/debug_token`,
    query: { input_token: accessToken },
    bearer: `${app.clientId}|${app.clientSecret}`,
    schema: TokenInfo,
    refusal: graphRefusal,
  })
  if (data.is_valid === false)
    throw new ProviderError('invalid_grant', 'The platform no longer accepts this connection')
  const end = data.expires_at ?? 0
  return {
    accessToken,
    expiresAt: end === 0 ? null : new Date(end * 1000).toISOString(),
    refreshToken: null,
    scopes: data.scopes ?? [],
    extra: { tokenKind: SYSTEM_USER },
  }
}

export async function refresh(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  now: Date,
): Promise<TokenSet> {
  if (token.extra.tokenKind !== SYSTEM_USER) return exchangeForLongLived(http, app, token.accessToken, now)
  // A system user's token without expiry cannot be renewed, only inspected.
  if (token.expiresAt === null) return inspect(http, app, token.accessToken)
  const renewed = await requestToken(
    http,
    app,
    {
      grant_type: 'fb_exchange_token',
      fb_exchange_token: token.accessToken,
      set_token_expires_in_60_days: 'true',
    },
    now,
  )
  return inspect(http, app, renewed.accessToken)
}

export async function revoke(http: Outbound, app: ProviderApp, token: TokenSet): Promise<void> {
  try {
    await callGraph(http, app, token.accessToken, {
      method: 'DELETE',
      path: '/me/permissions',
      schema: Success,
    })
  } catch (error) {
    // Revoking a grant that no longer exists is a success.
    if (!(error instanceof ProviderError && error.reason === 'invalid_grant')) throw error
  }
}
