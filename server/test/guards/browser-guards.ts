/** Cookies, forms and links: attacks through a person's browser. */
import type { Guard } from './guard.ts'

const attacks = 'server/src/features/sources/connect/attacks.test.ts'
const oauth = 'server/src/features/account/oauth/oauth.test.ts'
const cookies = 'server/src/platform/http/session-cookie.test.ts'

export const browserGuards: readonly Guard[] = [
  {
    name: 'tracker: ids begin with their time only once every process supports such ids',
    file: 'server/src/platform/http/tracker-script.ts',
    snippet: 'return timedIds ? script : ',
    replacement: 'return timedIds || true ? script : ',
    test: {
      file: 'server/src/platform/http/tracker-script.test.ts',
      title: 'it generates random ids until every process supports ids that start with their time',
    },
  },
  {
    name: 'pages: a value is escaped',
    file: 'server/src/platform/http/html.ts',
    snippet: `replace(/[&<>"']/g, (character) => escapes[character]!)`,
    replacement: 'slice(0)',
    test: { file: 'server/test/served-pages.test.ts', title: '%s: hostile names are shown as text' },
  },
  {
    name: 'signatures: the token of a link has our signature',
    file: 'server/src/features/facts/link-tokens/rules.ts',
    snippet:
      'if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, profileId, secret))) return undefined',
    replacement: '',
    test: {
      file: 'server/src/features/facts/link-tokens/link-tokens.test.ts',
      title:
        'a forged or expired token, or one of another profile, links no customer; the visit still counts',
    },
  },
  {
    name: 'identity: a link token yields to identification in the browser',
    file: 'engine/src/identity.ts',
    snippet: 'if (link.byToken && !isByToken) continue',
    replacement: '',
    test: {
      file: 'server/src/features/facts/link-tokens/link-tokens.test.ts',
      title:
        'a visitor of a forwarded link who identifies as another person becomes that person, and both remain separate',
    },
  },
  {
    name: 'csrf: a write by cookie must come from the console',
    file: 'server/src/platform/http/credentials.ts',
    snippet: 'if (!isSameOrigin(request))',
    replacement: 'if (false)',
    test: { file: cookies, title: 'a write by cookie from %j answers %i' },
  },
  {
    name: 'cookies: the session is inaccessible to scripts and other sites',
    file: 'server/src/platform/http/base-path.ts',
    snippet: 'Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`',
    replacement: 'Max-Age=${seconds}`',
    test: {
      file: cookies,
      title: 'the cookie is host-bound, HttpOnly, Secure and SameSite',
    },
  },
  {
    name: 'cookies: the value of a hand-off’s cookie is checked',
    file: 'server/src/features/sources/handoffs/token.ts',
    snippet: 'return verifier !== undefined && isSameSecret(challengeOf(verifier), attempt.challenge)',
    replacement: 'return verifier !== undefined',
    test: {
      file: attacks,
      title: 'in a browser whose cookie has the right name and a value that is %s',
    },
  },
  {
    name: 'signatures: the state of a consent has our signature',
    file: 'server/src/features/sources/handoffs/token.ts',
    snippet: 'if (!isOurs) return undefined',
    replacement: '',
    test: { file: attacks, title: 'a state that does not hold touches no hand-off' },
  },
  {
    name: 'signatures: the link of a hand-off has our signature',
    file: 'server/src/features/sources/handoffs/token.ts',
    snippet:
      "if (!keyring.keys.some((key) => isSameSecret(macOf(key, 'handoff-link', id), mac))) return undefined",
    replacement: '',
    test: { file: attacks, title: 'a link with any character changed is not found' },
  },
  {
    name: 'auth: a state is valid for its own provider only',
    file: 'server/src/features/sources/connect/consent.ts',
    snippet: 'handoff === undefined || attempt.provider !== callback.provider || isOtherStore',
    replacement: 'handoff === undefined || isOtherStore',
    test: { file: attacks, title: 'a state that does not hold touches no hand-off' },
  },
  {
    name: 'auth: a state expires after fifteen minutes',
    file: 'server/src/features/sources/connect/consent.ts',
    snippet: 'if (now.getTime() - attempt.issuedAt.getTime() > STATE_LIFE_MS)\n',
    replacement: 'if (false)\n',
    test: {
      file: 'server/src/features/sources/connect/reasons.test.ts',
      title:
        'state_expired after 15 minutes at the provider, in the browser that started: the poll reports it',
    },
  },
  {
    name: 'idempotency: a consent can be used once',
    file: 'server/src/features/sources/handoffs/queries.ts',
    snippet: ' and not claim_attempts @> ${[params.attempt]}::text[]',
    replacement: '',
    test: {
      file: attacks,
      title: 'a crash between the exchange and the commit frees the link after 3 minutes, not before',
    },
  },
  {
    name: 'auth: a hand-off returns to registered origins only',
    file: 'server/src/features/sources/handoffs/rules.ts',
    snippet: 'return origins.includes(url.origin) ? url.href : undefined',
    replacement: 'return url.href',
    test: { file: attacks, title: 'hostile ones are refused with 400 and create nothing' },
  },
  {
    name: 'csrf: a consent form is sent from its own page',
    file: 'server/src/features/account/oauth/authorize.ts',
    snippet: "if (!isSameOrigin(page)) return show(403, refusalPage('The form was sent from another site.'))",
    replacement: '',
    test: {
      file: oauth,
      title: 'consent cannot be forged: another site, a wrong password and a forged form get nothing',
    },
  },
  {
    name: 'csrf: a decision is bound to the shown request',
    file: 'server/src/features/account/oauth/authorize.ts',
    snippet: "if (!keys.some((key) => isSameSecret(form.seal ?? '', consentSeal(key, person, request))))",
    replacement: 'if (false)',
    test: {
      file: oauth,
      title: 'consent cannot be forged: another site, a wrong password and a forged form get nothing',
    },
  },
  {
    name: 'auth: a redirect goes to a registered address',
    file: 'server/src/features/account/oauth/authorize.ts',
    snippet: 'if (!matchesRedirect(client.redirectUris, redirectUri))',
    replacement: 'if (false)',
    test: {
      file: oauth,
      title: 'with a wrong client or redirect URI (%j) shows an error page and does not redirect',
    },
  },
  {
    name: 'auth: a code is valid with its verifier only',
    file: 'server/src/features/account/oauth/codes.ts',
    snippet: 'if (!matchesChallenge(params.verifier, row.detail.code_challenge)) return undefined',
    replacement: '',
    test: { file: oauth, title: 'a code is refused' },
  },
  {
    name: 'auth: a code is valid for its own client only',
    file: 'server/src/features/account/oauth/codes.ts',
    snippet: 'if (row === undefined || row.detail.client_id !== params.clientId) return undefined',
    replacement: 'if (row === undefined) return undefined',
    test: { file: oauth, title: 'to another client, or without its secret' },
  },
  {
    name: 'auth: a repeated code revokes its tokens',
    file: 'server/src/features/account/oauth/codes.ts',
    snippet: '      await revokeIssued(service, tx, row, now)\n',
    replacement: '',
    test: { file: oauth, title: 'a code works once, and its replay revokes what was issued' },
  },
  {
    name: 'auth: a code expires after a minute',
    file: 'server/src/features/account/oauth/codes.ts',
    snippet: 'if (row.expires_at <= now || row.detail.redirect_uri !== params.redirectUri) return undefined',
    replacement: '',
    test: { file: oauth, title: 'a code is refused' },
  },
  {
    name: 'auth: a token can be revoked by its own client only',
    file: 'server/src/features/account/oauth/tokens.ts',
    snippet:
      'if (row === undefined || row.client_id !== params.clientId || row.authorization_id === null) return',
    replacement: 'if (row === undefined || row.authorization_id === null) return',
    test: { file: oauth, title: 'revoking a token ends its grant, and works only for its own client' },
  },
]
