/**
 * The facet `oauth` of platforms that follow RFC 6749. URLs and forms are data; each platform maps the token response
 * itself, because that is where platforms differ.
 */
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { OAuth, ProviderApp, TokenSet } from './connector.ts'
import { readOauthCallback } from './oauth-callback.ts'
import { permissionMissing, refreshForm } from './oauth-token.ts'

type Form = Record<string, string>
type CodeArgs = Parameters<OAuth['exchange']>[2]

export function codeOAuth(platform: {
  /** URL of the consent page. */
  authorizeUrl: (app: ProviderApp) => string
  /** Parameters in addition to client id, redirect URI and state. */
  query: Form
  hasPkce?: boolean
  requestToken: (http: Outbound, app: ProviderApp, now: Date, form: Form) => Promise<TokenSet>
  /** Fields in addition to grant type and code. Default: redirect URI and PKCE verifier. */
  codeForm?: (args: CodeArgs) => Form
  /** Fields in addition to grant type and refresh token. */
  refreshForm?: (token: TokenSet) => Form
  /** Only if the platform's error values differ from OAuth 2.0. */
  readCallback?: OAuth['readCallback']
  /** False if the person did not grant a permission that a connection requires. */
  isGranted?: (scopes: readonly string[]) => boolean
  revoke: OAuth['revoke']
}): Required<Omit<OAuth, 'readDeposit'>> {
  const { requestToken, revoke } = platform
  const codeForm =
    platform.codeForm ??
    ((args: CodeArgs): Form => {
      const verifier: Form = platform.hasPkce ? { code_verifier: args.codeVerifier } : {}
      return { redirect_uri: args.redirectUri, ...verifier }
    })
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
    readCallback: platform.readCallback ?? ((_app, query) => readOauthCallback(query)),
    async exchange(http, app, args) {
      const token = await requestToken(http, app, args.now, {
        grant_type: 'authorization_code',
        code: args.code,
        ...codeForm(args),
      })
      if (platform.isGranted?.(token.scopes) === false) throw permissionMissing()
      return token
    },
    async refresh(http, app, token, now) {
      const fresh = await requestToken(http, app, now, {
        ...refreshForm(token),
        ...platform.refreshForm?.(token),
      })
      // Fields that the response omits keep their previous values.
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
