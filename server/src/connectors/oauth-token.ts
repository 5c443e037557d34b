/** The OAuth 2.0 token request (RFC 6749), for platforms with a standard response. */
import { z } from 'zod'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { type ProviderApp, ProviderError, type TokenSet } from './connector.ts'
import { callJson, type JsonCall } from './provider-http.ts'
import { text } from './reply-fields.ts'
import { toExpiry } from './window.ts'

export const Token = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().nullish(),
  refresh_token: text,
  scope: text,
})

export type TokenCall = {
  url: string
  form: Record<string, string>
  refusal?: NonNullable<JsonCall<unknown>['refusal']> | undefined
}

export async function requestToken(
  http: Outbound,
  app: ProviderApp,
  now: Date,
  { url, form, refusal }: TokenCall,
): Promise<TokenSet> {
  const token = await callJson(http, {
    url,
    form: { client_id: app.clientId, client_secret: app.clientSecret, ...form },
    schema: Token,
    ...(refusal === undefined ? {} : { refusal }),
  })
  return toTokenSet(token, now)
}

export const toTokenSet = (
  token: z.infer<typeof Token>,
  now: Date,
  extra: TokenSet['extra'] = {},
): TokenSet => ({
  accessToken: token.access_token,
  refreshToken: token.refresh_token,
  expiresAt: toExpiry(token.expires_in, now),
  scopes: token.scope?.split(' ') ?? [],
  extra,
})

export function refreshForm({ refreshToken }: TokenSet): Record<string, string> {
  if (refreshToken === null) throw new ProviderError('invalid_grant', 'There is no refresh token')
  return { grant_type: 'refresh_token', refresh_token: refreshToken }
}

export const permissionMissing = () =>
  new ProviderError('permission_missing', 'The person did not grant the permission', {
    providerCode: 'scope_missing',
  })
