import * as oauth from 'oauth4webapi'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { ConsentBrowser } from '../../../../test/consent-browser.ts'
import {
  isAccepted,
  later,
  makePerson,
  makeProfile,
  makeWorkspace,
  PASSWORD,
  type Person,
} from '../../../../test/make.ts'
import { authenticateBearer } from '../../../platform/access/authenticate.ts'
import { addFactor, confirmFactor } from '../../../platform/access/factors/contract.ts'
import { type Grant, grants } from '../../../platform/contract/access.ts'
import { createOAuthApp, listConnectedApps, revokeConnectedApp } from '../apps/contract.ts'
import { updateComplianceOverview } from '../workspaces/contract.ts'
import { scopeMeanings } from './scope-meanings.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let server: oauth.AuthorizationServer
const insecure = { [oauth.allowInsecureRequests]: true }
const REDIRECT = 'https://partner.example/callback?keep=1'

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
  const issuer = new URL(app.baseUrl)
  const reply = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  server = await oauth.processDiscoveryResponse(issuer, reply)
})
afterAll(() => app.close())

type Registered = { client: oauth.Client; auth: oauth.ClientAuth; id: string; secret: string }

async function register(
  allowed: Grant[] = ['attribution', 'analytics', 'analytics_pii', 'connections'],
): Promise<Registered> {
  const { data } = await owner.call(createOAuthApp, {
    params: { workspaceId },
    body: { name: 'Suite & <Co>', redirect_uris: [REDIRECT], allowed_scopes: allowed },
  })
  return {
    client: { client_id: data.client_id },
    auth: oauth.ClientSecretBasic(data.client_secret),
    id: data.id,
    secret: data.client_secret,
  }
}

type Request = { url: URL; verifier: string; state: string }

async function requestFor(
  clientId: string,
  scope: string,
  changes: Record<string, string | null> = {},
): Promise<Request> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint!)
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(params)) if (value !== null) url.searchParams.set(name, value)
  return { url, verifier, state }
}

async function exchange(registered: Registered, callbackUrl: URL, request: Request): Promise<Response> {
  const params = oauth.validateAuthResponse(server, registered.client, callbackUrl, request.state)
  return oauth.authorizationCodeGrantRequest(
    server,
    registered.client,
    registered.auth,
    params,
    REDIRECT,
    request.verifier,
    insecure,
  )
}

it('the sign-in on the page asks for the second factor', async () => {
  const partner = await register()
  const request = await requestFor(partner.client.client_id, 'attribution')
  const person = await makePerson(app)
  const { data } = await person.call(addFactor, { body: { kind: 'totp', name: 'Phone' } })
  const codeAt = (step: number) =>
    generateSync({
      secret: data.secret!,
      epoch: Math.floor(app.service.clock.machineNow().getTime() / 1000) + 30 * step,
    })
  await person.call(confirmFactor, { params: { factorId: data.id }, body: { code: codeAt(0) } })
  const browser = new ConsentBrowser(app.baseUrl)
  const first = await (await browser.get(request.url)).text()
  const asked = await browser.submit(first, { email: person.email, password: PASSWORD })
  expect(browser.cookie).not.toContain('whence_session')
  const page = await asked.text()
  const wrong = await browser.submit(page, { code: '000000' })
  expect(wrong.status).toBe(401)
  const done = await browser.submit(page, { code: codeAt(1) })
  expect(done.status).toBe(303)
  expect(browser.cookie).toContain('whence_session')
})

it('issues a partner app keys of the chosen profile, one per grant', async () => {
  const partner = await register()
  const request = await requestFor(partner.client.client_id, 'attribution connections')
  const browser = new ConsentBrowser(app.baseUrl)
  await browser.signIn(request.url, owner)
  const callbackUrl = await browser.agree(request.url, owner, { profile_id: profileId })
  expect(callbackUrl.searchParams.get('keep')).toBe('1')
  const reply = await exchange(partner, callbackUrl, request)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const tokens = await oauth.processAuthorizationCodeResponse(server, partner.client, reply)
  expect(tokens).toMatchObject({
    token_type: 'bearer',
    scope: 'attribution connections',
    profile_id: profileId,
  })
  expect(tokens.refresh_token).toBeUndefined()
  expect(tokens.expires_in).toBeUndefined()
  const caller = await authenticateBearer(app.service, tokens.access_token)
  expect(caller).toMatchObject({ kind: 'key', profileId, grant: 'attribution', appId: partner.id })
  expect(await authenticateBearer(app.service, tokens.connections_key as string)).toMatchObject({
    grant: 'connections',
  })
  const connected = await owner.call(listConnectedApps, { params: { workspaceId } })
  const connectedApp = connected.data.find((row) => row.app.id === partner.id && row.grant === 'attribution')
  expect(connectedApp).toMatchObject({ profile_id: profileId, authorized_by_user_id: owner.id })
  await owner.call(revokeConnectedApp, { params: { workspaceId, id: connectedApp!.id } })
  expect(await isAccepted(app, tokens.access_token)).toBe(false)
})

it.each([
  ['attribution', ['exports:write', 'tracking:write', 'webhooks:write']],
  ['analytics_pii', ['customers:read', 'visitors:read']],
  ['connections', ['connections:write']],
] as const)(
  'the consent page for %s has a sentence for every scope that it gives',
  async (grant, expectedScopes) => {
    const partner = await register()
    const request = await requestFor(partner.client.client_id, grant)
    const browser = new ConsentBrowser(app.baseUrl)
    await browser.signIn(request.url, owner)
    const page = await (await browser.get(request.url)).text()
    const scopes = grants[grant]
    expect(scopes).toEqual(expect.arrayContaining([...expectedScopes]))
    for (const effect of ['read', 'change', 'send'] as const)
      for (const sentence of scopeMeanings(scopes, effect)) expect(page).toContain(`<li>${sentence}</li>`)
    expect(page.match(/<li>/g)).toHaveLength(scopes.length)
    expect(page).toContain('partner.example')
    expect(page.includes('to pixels and ad accounts that the app chooses')).toBe(
      (scopes as readonly string[]).includes('exports:write'),
    )
  },
)

it('scope descriptions name mailboxes and calendars if the scope covers them', () => {
  expect(scopeMeanings(['messages:write'], 'change')[0]).toMatch(/send mail from .* mailbox to customers/)
  expect(scopeMeanings(['connections:write'], 'change')[0]).toMatch(
    /mailboxes and calendars; create calendars/,
  )
  expect(scopeMeanings(['connections:read'], 'read')[0]).toMatch(/mail and calendar accounts/)
  expect(scopeMeanings(['customers:read'], 'read')[0]).toMatch(
    /calendars, with the customers among the guests/,
  )
})

it('a code works once, and its replay revokes what was issued', async () => {
  const partner = await register()
  const request = await requestFor(partner.client.client_id, 'analytics')
  const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(request.url, owner, {
    profile_id: profileId,
  })
  const first = await oauth.processAuthorizationCodeResponse(
    server,
    partner.client,
    await exchange(partner, callbackUrl, request),
  )
  expect(await isAccepted(app, first.access_token)).toBe(true)
  const replay = await exchange(partner, callbackUrl, request)
  expect([replay.status, ((await replay.json()) as { error: string }).error]).toEqual([400, 'invalid_grant'])
  expect(await isAccepted(app, first.access_token)).toBe(false)
})

it('two concurrent exchanges issue at most one key', async () => {
  const partner = await register()
  const request = await requestFor(partner.client.client_id, 'analytics')
  const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(request.url, owner, {
    profile_id: profileId,
  })
  const replies = await Promise.all([1, 2, 3].map(() => exchange(partner, callbackUrl, request)))
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
})

describe('a code is refused', () => {
  it.each([
    ['with another verifier', { verifier: oauth.generateRandomCodeVerifier(), lateMs: 0 }],
    ['after a minute', { verifier: null, lateMs: 61_000 }],
  ])('%s', async (_, change) => {
    const partner = await register()
    const original = await requestFor(partner.client.client_id, 'analytics')
    const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(original.url, owner, {
      profile_id: profileId,
    })
    const request = { ...original, verifier: change.verifier ?? original.verifier }
    const reply = await later(app, change.lateMs, () => exchange(partner, callbackUrl, request))
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([400, 'invalid_grant'])
  })

  it('to another client, or without its secret', async () => {
    const [partner, thief] = [await register(), await register()]
    const request = await requestFor(partner.client.client_id, 'analytics')
    const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(request.url, owner, {
      profile_id: profileId,
    })
    const body = (auth: Record<string, string>) =>
      fetch(server.token_endpoint!, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: callbackUrl.searchParams.get('code')!,
          redirect_uri: REDIRECT,
          code_verifier: request.verifier,
          ...auth,
        }),
      })
    const stolen = await body({ client_id: thief.client.client_id, client_secret: thief.secret })
    expect([stolen.status, ((await stolen.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ])
    const withoutSecret = await body({ client_id: partner.client.client_id })
    expect([withoutSecret.status, ((await withoutSecret.json()) as { error: string }).error]).toEqual([
      401,
      'invalid_client',
    ])
    const right = await body({ client_id: partner.client.client_id, client_secret: partner.secret })
    expect(right.status).toBe(200)
  })
})

describe('an invalid request', () => {
  it.each([
    [{ client_id: 'app_unknown' }],
    [{ redirect_uri: 'https://evil.example/' }],
    [{ redirect_uri: 'https://partner.example/callback' }],
    [{ client_id: 'a\u0000b' }],
  ])(
    'with a wrong client or redirect URI (%j) shows an error page and does not redirect',
    async (changes) => {
      const partner = await register()
      const { url } = await requestFor(partner.client.client_id, 'analytics', changes)
      const reply = await new ConsentBrowser(app.baseUrl).get(url)
      expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
    },
  )

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge: null }, 'invalid_request'],
    [{ scope: 'attribution' }, 'invalid_scope'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
  ])('with wrong parameters (%j) redirects back with the error %s', async (changes, error) => {
    const partner = await register(['analytics'])
    const { url, state } = await requestFor(partner.client.client_id, 'analytics', changes)
    const reply = await new ConsentBrowser(app.baseUrl).get(url)
    const callbackUrl = new URL(reply.headers.get('location')!)
    expect([
      reply.status,
      callbackUrl.searchParams.get('error'),
      callbackUrl.searchParams.get('state'),
    ]).toEqual([303, error, state])
    expect(callbackUrl.searchParams.get('iss')).toBe(app.baseUrl)
  })
})

it('the page runs no scripts, escapes names, and its forms submit only here and to the client', async () => {
  const partner = await register()
  const { url } = await requestFor(partner.client.client_id, 'analytics')
  const reply = await new ConsentBrowser(app.baseUrl).get(url)
  const policy = reply.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' https://partner.example")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const page = await reply.text()
  expect(page).toContain('Suite &amp; &lt;Co&gt;')
  expect(page).not.toContain('<script')
})

it('consent cannot be forged: another site, a wrong password and a forged form get nothing', async () => {
  const partner = await register()
  const { url } = await requestFor(partner.client.client_id, 'analytics')
  const browser = new ConsentBrowser(app.baseUrl)
  const form = await (await browser.get(url)).text()
  const cross = await browser.submit(
    form,
    { email: owner.email, password: PASSWORD },
    { origin: 'https://evil.example' },
  )
  expect([cross.status, browser.cookie]).toEqual([403, ''])
  const wrong = await browser.submit(form, { email: owner.email, password: 'wrong' })
  expect([wrong.status, browser.cookie]).toEqual([401, ''])
  expect(await wrong.text()).toContain('role="alert"')
  await browser.submit(form, { email: owner.email, password: PASSWORD })
  const consent = await (await browser.get(url)).text()
  const forged = await browser.submit(consent.replace(/name="seal" value="[^"]*"/, 'name="seal" value="x"'), {
    decision: 'approve',
    profile_id: profileId,
  })
  expect(forged.status).toBe(400)
  const stranger = await makePerson(app, 'Stranger')
  const otherProfileId = await makeProfile(stranger, await makeWorkspace(stranger))
  const other = await browser.submit(consent, { decision: 'approve', profile_id: otherProfileId })
  expect(other.status).toBe(400)
  const denied = await browser.submit(consent, { decision: 'deny' })
  expect(new URL(denied.headers.get('location')!).searchParams.get('error')).toBe('access_denied')
})

it('a healthcare profile never gets person-level grants', async () => {
  const clinicWorkspace = await makeWorkspace(owner)
  const clinic = await makeProfile(owner, clinicWorkspace)
  const partner = await register()
  await owner.call(updateComplianceOverview, {
    params: { workspaceId: clinicWorkspace },
    body: { healthcare: true },
  })
  const request = await requestFor(partner.client.client_id, 'analytics_pii')
  const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(request.url, owner, { profile_id: clinic })
  expect([callbackUrl.searchParams.get('error'), callbackUrl.searchParams.get('error_description')]).toEqual([
    'access_denied',
    'healthcare_scope_forbidden',
  ])
  const plain = await requestFor(partner.client.client_id, 'analytics')
  const allowed = await new ConsentBrowser(app.baseUrl).agree(plain.url, owner, { profile_id: clinic })
  expect(allowed.searchParams.get('code')).not.toBeNull()
})

it('revoking a token ends its grant, and works only for its own client', async () => {
  const [partner, other] = [await register(), await register()]
  const request = await requestFor(partner.client.client_id, 'analytics')
  const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(request.url, owner, {
    profile_id: profileId,
  })
  const { access_token } = await oauth.processAuthorizationCodeResponse(
    server,
    partner.client,
    await exchange(partner, callbackUrl, request),
  )
  const revoke = async (registered: Registered) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(server, registered.client, registered.auth, access_token, insecure),
    )
  await revoke(other)
  expect(await isAccepted(app, access_token)).toBe(true)
  await revoke(partner)
  expect(await isAccepted(app, access_token)).toBe(false)
})
