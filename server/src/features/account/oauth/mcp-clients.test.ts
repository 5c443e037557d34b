import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { ConsentBrowser } from '../../../../test/consent-browser.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { isAccepted, later, makeOwnProfile, makePerson, type Person } from '../../../../test/make.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { getMe } from '../../../platform/access/contract.ts'
import { accessJobs } from '../../../platform/access/jobs.ts'
import { createWebhookSubscription, listWebhookSubscriptions } from '../../outgoing/webhooks/contract.ts'
import { listUserTokens, revokeUserToken } from '../api-keys/contract.ts'

let app: TestApp
let owner: Person
let server: oauth.AuthorizationServer
const insecure = { [oauth.allowInsecureRequests]: true }

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  const issuer = new URL(app.baseUrl)
  const reply = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  server = await oauth.processDiscoveryResponse(issuer, reply)
})
afterAll(() => app.close())

describe('an MCP client', () => {
  const loopback = 'http://127.0.0.1:8765/callback'

  async function connect(person = owner) {
    const config = await openid.dynamicClientRegistration(
      new URL(app.baseUrl),
      { redirect_uris: [loopback], client_name: 'Assistant', token_endpoint_auth_method: 'none' },
      openid.None(),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    )
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:9999/callback',
      scope: 'mcp:read mcp:write',
      state,
      resource: `${app.baseUrl}/api/v1`,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const callbackUrl = await new ConsentBrowser(app.baseUrl).agree(url, person, {})
    const tokens = await openid.authorizationCodeGrant(config, callbackUrl, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    const exchangeAgain = () =>
      openid.authorizationCodeGrant(config, callbackUrl, { pkceCodeVerifier: verifier, expectedState: state })
    return { config, tokens, exchangeAgain }
  }

  it('registers itself and gets an access token for an hour and a rotating refresh token', async () => {
    const { config, tokens } = await connect()
    expect(tokens.expires_in).toBe(3600)
    expect((await app.as(tokens.access_token)(getMe)).data.id).toBe(owner.id)
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect(await isAccepted(app, next.access_token)).toBe(true)
    expect(await later(app, 3_601_000, () => isAccepted(app, next.access_token))).toBe(false)
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toThrow()
    // A replayed refresh token has leaked: the whole family is revoked.
    expect(await isAccepted(app, next.access_token)).toBe(false)
    await expect(openid.refreshTokenGrant(config, next.refresh_token!)).rejects.toThrow()
  })

  it('is listed for its person, who can revoke it immediately', async () => {
    const { config, tokens } = await connect()
    const listed = await owner.call(listUserTokens)
    const assistantTokens = listed.data.filter((row) => row.name === 'Assistant')
    expect(assistantTokens.at(-1)).toMatchObject({ scopes: ['mcp:read', 'mcp:write'] })
    await owner.call(revokeUserToken, { params: { id: assistantTokens.at(-1)!.id } })
    expect(await isAccepted(app, tokens.access_token)).toBe(false)
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toThrow()
  })

  it.each<[string, (connected: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
    ['revokes its own token', ({ config, tokens }) => openid.tokenRevocation(config, tokens.access_token)],
    [
      'uses a refresh token twice',
      async ({ config, tokens }) => {
        await openid.refreshTokenGrant(config, tokens.refresh_token!)
        await openid.refreshTokenGrant(config, tokens.refresh_token!).catch(() => {})
      },
    ],
    ['exchanges its code twice', ({ exchangeAgain }) => exchangeAgain().catch(() => {})],
  ])('what it created ends when it %s, and the owners get one mail', async (_, end) => {
    const profile = await makeOwnProfile(app)
    const query = { profile_id: profile.profileId }
    const connected = await connect(profile.owner)
    const body = {
      url: 'https://assistant.example/hook',
      events: ['connection.connected'],
      providers: ['cardpay'],
    } as const
    const { data: webhook } = await app.as(connected.tokens.access_token)(createWebhookSubscription, {
      query,
      body,
    })
    const status = async () =>
      (await profile.owner.call(listWebhookSubscriptions, { query })).data.find(({ id }) => id === webhook.id)
        ?.status
    expect(await status()).toBe('active')
    await end(connected)
    expect(await status()).toBe('paused')
    await end(connected).catch(() => {})
    await drainJobs(app.service, accessJobs)
    const mails = await mailsTo(app, profile.owner.email)
    expect(mails.filter((mail) => mail.subject.includes('What the key Assistant created'))).toHaveLength(1)
  })

  it('can request only MCP scopes, and register no dangerous address', async () => {
    const { config } = await connect()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: loopback,
      scope: 'workspaces:write',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const reply = await new ConsentBrowser(app.baseUrl).get(url)
    expect(new URL(reply.headers.get('location')!).searchParams.get('error')).toBe('invalid_scope')
    for (const uri of [
      'javascript:alert(1)',
      'http://evil.example/cb',
      'https://x.example/#f',
      'not a url',
    ]) {
      const response = await fetch(server.registration_endpoint!, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [uri] }),
      })
      expect([uri, response.status]).toEqual([uri, 400])
    }
  })

  it('discovers the endpoints from the protected resource', async () => {
    const resource = new URL(app.baseUrl)
    const reply = await oauth.resourceDiscoveryRequest(resource, insecure)
    const metadata = await oauth.processResourceDiscoveryResponse(resource, reply)
    expect(metadata.authorization_servers).toEqual([app.baseUrl])
    expect(server.code_challenge_methods_supported).toEqual(['S256'])
  })

  it('is given no endpoint that does not exist', async () => {
    const texts = await Promise.all(
      ['oauth-authorization-server', 'oauth-protected-resource'].map(async (name) =>
        JSON.stringify(await (await fetch(`${app.baseUrl}/.well-known/${name}`)).json()),
      ),
    )
    const urls = texts.flatMap((text) => text.match(/http:[^"]+/g) ?? [])
    expect(urls.length).toBeGreaterThan(5)
    // The issuer is an identifier and not an endpoint.
    for (const url of new Set(urls.filter((candidate) => candidate !== app.baseUrl))) {
      const statuses = await Promise.all(
        ['GET', 'POST'].map(async (method) => (await fetch(url, { method })).status),
      )
      expect([url, statuses]).not.toEqual([url, [404, 404]])
    }
  })

  it('discovers the endpoints from a refused call of /mcp', async () => {
    const refusal = await fetch(`${app.baseUrl}/mcp`, { method: 'POST' })
    expect(refusal.status).toBe(401)
    const [, url] = /resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate')!)!
    const metadata = (await (await fetch(url!)).json()) as {
      resource: string
      authorization_servers: string[]
    }
    expect(metadata.resource).toBe(`${app.baseUrl}/mcp`)
    expect(metadata.authorization_servers).toEqual([app.baseUrl])
  })
})
