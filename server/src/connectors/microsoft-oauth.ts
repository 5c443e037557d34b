/**
 * OAuth 2.0 of the Microsoft identity platform, shared by mail and calendars: authorization code flow with PKCE, read in
 * Microsoft's reference on 2026-11-17. Each renewal brings a new refresh token.
 */
import { codeOAuth } from './code-oauth.ts'
import type { ProviderApp } from './connector.ts'
import { requestToken, type TokenCall } from './oauth-token.ts'

/** `common` accepts work, school and personal accounts; a single-tenant registration configures its tenant. */
const urlOf = (app: ProviderApp, call: 'authorize' | 'token') =>
  `${app.authorizeBaseUrl}/${app.extra.tenant ?? 'common'}/oauth2/v2.0/${call}`

/** A connection requires `requiredScope`. Microsoft returns granted scopes with or without the API's URL as prefix. */
export function microsoftOAuth(
  scopes: readonly string[],
  requiredScope: string,
  refusal?: TokenCall['refusal'],
) {
  const scope = scopes.join(' ')
  const isRequired = (granted: string) =>
    granted.split('/').at(-1)!.toLowerCase() === requiredScope.toLowerCase()
  return codeOAuth({
    authorizeUrl: (app) => urlOf(app, 'authorize'),
    query: { response_type: 'code', response_mode: 'query', scope, prompt: 'select_account' },
    hasPkce: true,
    requestToken: (http, app, now, form) =>
      requestToken(http, app, now, { url: urlOf(app, 'token'), form: { scope, ...form }, refusal }),
    isGranted: (granted) => granted.some(isRequired),
    /** The platform has no API to revoke one app's grant: tokens are deleted here and expire. */
    async revoke() {},
  })
}
