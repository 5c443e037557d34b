/**
 * OAuth 2.0 of the Microsoft identity platform, shared by mail and calendars: authorization code flow with PKCE, read in
 * Microsoft's reference on 2026-11-17. Each renewal brings a new refresh token.
 */
import type { OAuth, ProviderApp } from './connector.ts'
import { readOauthCallback } from './oauth-callback.ts'
import { codeForm, permissionMissing, refreshForm, requestToken, type TokenCall } from './oauth-token.ts'

/** `common` takes work, school and personal accounts; a registration of one tenant names it. */
const urlOf = (app: ProviderApp, call: 'authorize' | 'token') =>
  `${app.authorizeBaseUrl}/${app.extra.tenant ?? 'common'}/oauth2/v2.0/${call}`

/** A connection needs `needed`, which comes back with or without the address of the API in front. */
export function microsoftOAuth(
  scopes: readonly string[],
  needed: string,
  refusal?: TokenCall['refusal'],
): Required<Omit<OAuth, 'readDeposit'>> {
  const scope = scopes.join(' ')
  const callOf = (app: ProviderApp, form: Record<string, string>): TokenCall => ({
    url: urlOf(app, 'token'),
    form: { scope, ...form },
    refusal,
  })
  const isNeeded = (granted: string) => granted.split('/').at(-1)!.toLowerCase() === needed.toLowerCase()
  return {
    authorizeUrl(app, request) {
      const query = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: request.redirectUri,
        response_type: 'code',
        response_mode: 'query',
        scope,
        state: request.state,
        prompt: 'select_account',
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
      })
      return `${urlOf(app, 'authorize')}?${query}`
    },
    readCallback: (_, query) => readOauthCallback(query),
    async exchange(http, app, args) {
      const token = await requestToken(http, app, callOf(app, codeForm(args)), null, args.now)
      if (!token.scopes.some(isNeeded)) throw permissionMissing()
      return token
    },
    refresh: async (http, app, token, now) =>
      requestToken(http, app, callOf(app, refreshForm(token)), token, now),
    /** The platform has no call that ends one app's grant: the tokens are deleted here and expire. */
    async revoke() {},
  }
}
