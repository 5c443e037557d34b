/**
 * OAuth 2.0 of the Microsoft identity platform, shared by mail and calendars: authorization code flow with PKCE, read in
 * Microsoft's reference on 2026-11-17. Each renewal brings a new refresh token.
 */
import { codeOAuth } from './code-oauth.ts'
import type { ProviderApp } from './connector.ts'
import { requestToken, type TokenCall } from './oauth-token.ts'

/** `common` takes work, school and personal accounts; a registration of one tenant names it. */
const urlOf = (app: ProviderApp, call: 'authorize' | 'token') =>
  `${app.authorizeBaseUrl}/${app.extra.tenant ?? 'common'}/oauth2/v2.0/${call}`

/** A connection needs `needed`, which comes back with or without the address of the API in front. */
export function microsoftOAuth(scopes: readonly string[], needed: string, refusal?: TokenCall['refusal']) {
  const scope = scopes.join(' ')
  const isNeeded = (granted: string) => granted.split('/').at(-1)!.toLowerCase() === needed.toLowerCase()
  return codeOAuth({
    authorizeUrl: (app) => urlOf(app, 'authorize'),
    query: { response_type: 'code', response_mode: 'query', scope, prompt: 'select_account' },
    hasPkce: true,
    requestToken: (http, app, now, form) =>
      requestToken(http, app, now, { url: urlOf(app, 'token'), form: { scope, ...form }, refusal }),
    isGranted: (granted) => granted.some(isNeeded),
    /** The platform has no call that ends one app's grant: the tokens are deleted here and expire. */
    async revoke() {},
  })
}
