import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ConsentScreen, consentAnswer, consentChoices, consentPage } from './consent.ts'
import type { SandboxRequest } from './sandbox.ts'
import { type IssuedTokens, TokenServer } from './tokens.ts'

const baseUrl = 'http://localhost:1234/sandbox/any'
const redirectUri = 'http://localhost:1234/connect/callback/any'
const verifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(verifier).digest('base64url')

function setting(rotates = true) {
  const clock = { now: new Date('2026-03-01T10:00:00Z') }
  const tokens = new TokenServer({
    seed: 'seed',
    now: () => clock.now,
    clientId: 'client',
    clientSecret: 'secret',
    accessTtlSeconds: 3600,
    rotates,
  })
  const screen: ConsentScreen = {
    providerName: 'Any <provider>',
    accounts: [
      { id: 'a', name: 'Account A' },
      { id: 'b', name: 'Account "B"' },
    ],
    scopes: ['read'],
    refusal: {
      decline: { error: 'access_denied' },
      'deny-app': { error: 'unauthorized_client' },
      'provider-error': { error: 'server_error' },
    },
    issueCode: (request) => tokens.issueCode(request),
  }
  return { clock, tokens, screen }
}

const request = (query: Record<string, string> = {}): SandboxRequest => ({
  method: 'GET',
  path: '/authorize',
  query: new URLSearchParams({
    client_id: 'client',
    redirect_uri: redirectUri,
    state: 'st&te',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...query,
  }),
  rawQuery: '',
  headers: {},
  body: new Uint8Array(),
  baseUrl,
})

const follow = (screen: ConsentScreen, choice: string, query: Record<string, string> = {}) =>
  new URL(consentAnswer(screen, request(query), 'client', choice).headers!.location!).searchParams

function connect(choice = 'approve-one', args: { codeVerifier?: string; redirectUri?: string } = {}) {
  const { tokens, screen, clock } = setting()
  const code = follow(screen, choice).get('code')!
  const redeem = () => tokens.redeemCode({ code, redirectUri, codeVerifier: verifier, ...args })
  return { tokens, clock, redeem }
}

describe('the consent page', () => {
  test('has one plain link per outcome and loads nothing from elsewhere', () => {
    const { body, headers } = consentPage(setting().screen, request(), 'client')
    for (const choice of Object.keys(consentChoices)) expect(body).toContain(`data-choice="${choice}"`)
    expect(body).not.toMatch(/<script|src=|<form/)
    expect(body).toContain('Any &lt;provider&gt;')
    expect(headers!['content-security-policy']).toContain("default-src 'none'")
  })

  test('offers each account separately if a consent covers one account', () => {
    const { screen } = setting()
    const single = { ...screen, oneAccount: true as const }
    const links = String(consentPage(single, request(), 'client').body).matchAll(
      /data-choice="approve-account" href="([^"]+)"/g,
    )
    const hrefs = [...links].map(([, href]) => new URL(href!.replaceAll('&amp;', '&')))
    expect(hrefs.map((href) => href.searchParams.get('account'))).toEqual(['b'])
    const answer = consentAnswer(
      single,
      { ...request(), query: hrefs[0]!.searchParams },
      'client',
      'approve-one',
    )
    expect(new URL(answer.headers!.location!).searchParams.get('code')).toBeTruthy()
  })

  test.each([
    [{ redirect_uri: 'https://elsewhere.example/' }],
    [{ redirect_uri: 'javascript:alert(1)' }],
    [{ client_id: 'other' }],
    [{ code_challenge_method: 'plain' }],
  ])('refuses an invalid request: %o', (query) => {
    const { screen } = setting()
    expect(consentPage(screen, request(query), 'client').status).toBe(400)
    expect(consentAnswer(screen, request(query), 'client', 'approve-one').status).toBe(400)
  })

  test('every redirect back contains the state', () => {
    const { screen } = setting()
    for (const choice of Object.keys(consentChoices))
      expect(follow(screen, choice).get('state')).toBe('st&te')
  })

  test("refusals use the provider's error codes and contain no authorization code", () => {
    const { screen } = setting()
    expect(Object.fromEntries(follow(screen, 'decline'))).toEqual({ error: 'access_denied', state: 'st&te' })
    expect(Object.fromEntries(follow(screen, 'no-code'))).toEqual({ state: 'st&te' })
  })
})

describe('the token endpoint', () => {
  const accounts = (issued: ReturnType<ReturnType<typeof connect>['redeem']>) =>
    'grant' in issued ? issued.grant.accountIds : issued.error

  test.each([
    ['approve-one', ['a']],
    ['approve-several', ['a', 'b']],
    ['nothing', []],
    ['taken', ['a']],
    ['slow', ['a']],
    ['bad-code', 'invalid_grant'],
  ])('%s gives %o', (choice, expected) => {
    expect(accounts(connect(choice).redeem())).toEqual(expected)
  })

  test('a slow provider delays its response', () => {
    expect((connect('slow').redeem() as IssuedTokens).delayMs).toBeGreaterThan(0)
  })

  test('another verifier, none, or another redirect_uri is refused', () => {
    for (const args of [
      { codeVerifier: 'w'.repeat(43) },
      { codeVerifier: '' },
      { redirectUri: `${redirectUri}x` },
    ]) {
      expect(accounts(connect('approve-one', args).redeem())).toBe('invalid_grant')
    }
  })

  test('a code used twice revokes its tokens', () => {
    const { tokens, redeem } = connect()
    const first = redeem() as IssuedTokens
    expect(tokens.authenticate(first.accessToken)?.accountIds).toEqual(['a'])
    expect(accounts(redeem())).toBe('invalid_grant')
    expect(tokens.authenticate(first.accessToken)).toBeNull()
  })

  test('an access token expires and a refresh issues the next one', () => {
    const { tokens, clock, redeem } = connect()
    const first = redeem() as IssuedTokens
    clock.now = new Date(clock.now.getTime() + 3600_000)
    expect(tokens.authenticate(first.accessToken)).toBeNull()
    const second = tokens.refresh(first.refreshToken) as IssuedTokens
    expect(tokens.authenticate(second.accessToken)).not.toBeNull()
    expect(tokens.refresh(first.refreshToken)).toMatchObject({ error: 'invalid_grant' })
    expect(tokens.refresh(second.refreshToken)).toHaveProperty('accessToken')
  })

  test('without rotation the refresh token does not change', () => {
    const { tokens, screen } = setting(false)
    const code = follow(screen, 'approve-one').get('code')!
    const first = tokens.redeemCode({ code, redirectUri, codeVerifier: verifier }) as IssuedTokens
    expect(tokens.refresh(first.refreshToken)).toMatchObject({ refreshToken: first.refreshToken })
  })

  test('revoking a token revokes its grant; revoking all affects earlier grants only', () => {
    const { tokens, screen } = setting()
    const grant = () => {
      const code = follow(screen, 'approve-one').get('code')!
      return tokens.redeemCode({ code, redirectUri, codeVerifier: verifier }) as IssuedTokens
    }
    const [first, second] = [grant(), grant()]
    expect(tokens.revoke(first.refreshToken)).toBe(true)
    expect(tokens.authenticate(first.accessToken)).toBeNull()
    expect(tokens.authenticate(second.accessToken)).not.toBeNull()
    tokens.revokeAll()
    expect(tokens.authenticate(second.accessToken)).toBeNull()
    expect(tokens.authenticate(grant().accessToken)).not.toBeNull()
  })

  test('a tampered token is rejected', () => {
    const { tokens, redeem } = connect()
    const { accessToken } = redeem() as IssuedTokens
    const [payload, signature] = accessToken.split('.')
    const other = Buffer.from(payload!, 'base64url').toString().replace('"a"', '"z"')
    expect(tokens.authenticate(`${Buffer.from(other).toString('base64url')}.${signature}`)).toBeNull()
    expect(tokens.authenticate('')).toBeNull()
  })
})
