/**
 * The facet `oauth` of platforms that follow RFC 6749. Addresses and forms are data; the platform maps the answer to a
 * token itself, because that is where platforms differ.
 */
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { OAuth, ProviderApp, TokenSet } from './connector.ts'
import { readOauthCallback } from './oauth-callback.ts'
import { refreshForm } from './oauth-token.ts'

type Form = Record<string, string>

export function codeOAuth(platform: {
  /** Where a person consents. */
  authorizeUrl: (app: ProviderApp) => string
  /** Next to the client, the address to return to and the state. */
  query: Form
  hasPkce?: boolean
  requestToken: (http: Outbound, app: ProviderApp, now: Date, form: Form) => Promise<TokenSet>
  /** Next to the grant type and the code. */
  codeForm: (args: Parameters<OAuth['exchange']>[2]) => Form
  /** Next to the grant type and the refresh token. */
  refreshForm?: (token: TokenSet) => Form
  revoke: OAuth['revoke']
}): OAuth {
  const { requestToken, revoke } = platform
  return {
    authorizeUrl(app, { redirectUri, state, codeChallenge }) {
      const pkce: Form = platform.hasPkce
        ? { code_challenge: codeChallenge, code_challenge_method: 'S256' }
        : {}
      const query = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        state,
        ...platform.query,
        ...pkce,
      })
      return `${platform.authorizeUrl(app)}?${query}`
    },
    readCallback: (_app, query) => readOauthCallback(query),
    exchange: (http, app, args) =>
      requestToken(http, app, args.now, {
        grant_type: 'authorization_code',
        code: args.code,
        ...platform.codeForm(args),
      }),
    async refresh(http, app, token, now) {
      const fresh = await requestToken(http, app, now, {
        ...refreshForm(token),
        ...platform.refreshForm?.(token),
      })
      // What the answer leaves out stays as it was before.
      return {
        ...fresh,
        refreshToken: fresh.refreshToken ?? token.refreshToken,
        scopes: fresh.scopes.length === 0 ? token.scopes : fresh.scopes,
        extra: { ...token.extra, ...fresh.extra },
      }
    },
    revoke,
  }
}
