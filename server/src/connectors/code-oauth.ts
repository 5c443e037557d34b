/**
 * The facet `oauth` of platforms that follow RFC 6749. Addresses and forms are data; the platform maps the answer to a
 * token itself, because that is where platforms differ.
 */
import type { Outbound } from '../platform/outbound/outbound.ts'
import type { OAuth, ProviderApp, TokenSet } from './connector.ts'
import { readOauthCallback } from './oauth-callback.ts'
import { permissionMissing, refreshForm } from './oauth-token.ts'

type Form = Record<string, string>
type CodeArgs = Parameters<OAuth['exchange']>[2]

export function codeOAuth(platform: {
  /** Where a person consents. */
  authorizeUrl: (app: ProviderApp) => string
  /** Next to the client, the address to return to and the state. */
  query: Form
  hasPkce?: boolean
  requestToken: (http: Outbound, app: ProviderApp, now: Date, form: Form) => Promise<TokenSet>
  /** Next to the grant type and the code; the address to return to, and the verifier, unless given. */
  codeForm?: (args: CodeArgs) => Form
  /** Next to the grant type and the refresh token. */
  refreshForm?: (token: TokenSet) => Form
  /** Where the words of a refusal are the platform's own. */
  readCallback?: OAuth['readCallback']
  /** False where the person left out a permission that a connection needs. */
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
