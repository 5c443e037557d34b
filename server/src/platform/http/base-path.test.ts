import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { ConsentBrowser } from '../../../test/consent-browser.ts'
import { makeOwnProfile, makePerson, PASSWORD } from '../../../test/make.ts'
import { makeShop } from '../../../test/make-shop.ts'
import { startReverseProxy } from '../../../test/reverse-proxy.ts'
import { readConfig } from '../../config.ts'
import { getTrackingSnippet, issueTrackingKey } from '../../features/sources/tracking/contract.ts'
import { withoutBasePath } from './base-path.ts'

describe('a path', () => {
  it.each([
    ['/whence/api/v1/events?a=1', '/api/v1/events?a=1'],
    ['/whence', '/'],
    ['/whence/', '/'],
    ['/whence?next=1', '/?next=1'],
    ['/whencefoo', '/whencefoo'],
    ['/readyz', '/readyz'],
    ['/.well-known/oauth-authorization-server/whence', '/.well-known/oauth-authorization-server'],
    ['/whence/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource'],
    ['/.well-known/oauth-authorization-server/other', '/.well-known/oauth-authorization-server/other'],
  ])('%s is %s without the prefix', (url, path) => {
    expect(withoutBasePath({ BASE_PATH: '/whence' }, url)).toBe(path)
    expect(withoutBasePath({ BASE_PATH: '' }, url)).toBe(url)
  })
})

describe('the settings', () => {
  const addressOf = (env: Record<string, string>) => {
    const { BASE_URL, BASE_PATH } = readConfig(env)
    return [BASE_URL, BASE_PATH]
  }
  it('read the prefix from BASE_PATH or BASE_URL', () => {
    const expected = ['https://a.example/whence', '/whence']
    expect(addressOf({ BASE_URL: 'https://a.example/whence/' })).toEqual(expected)
    expect(addressOf({ BASE_URL: 'https://a.example', BASE_PATH: '/whence/' })).toEqual(expected)
    expect(addressOf({ BASE_URL: 'https://a.example/whence', BASE_PATH: '/whence' })).toEqual(expected)
    expect(addressOf({ BASE_URL: 'https://a.example', BASE_PATH: '/' })).toEqual(['https://a.example', ''])
    expect(addressOf({ PORT: '4401' })).toEqual(['http://localhost:4401', ''])
  })

  it.each([
    [{ BASE_PATH: 'whence' }, 'BASE_PATH must be a path such as /whence'],
    [{ BASE_PATH: '/a"b' }, 'BASE_PATH must be a path such as /whence'],
    [{ BASE_URL: 'https://a.example/a.b' }, 'BASE_URL must have no path, or one such as /whence'],
    [{ BASE_URL: 'https://a.example/one', BASE_PATH: '/two' }, 'BASE_URL has the path /one'],
  ])('%j is refused', (env, message) => {
    expect(() => readConfig(env as Record<string, string>)).toThrow(message)
  })
})

describe.each([
  ['keeps', false],
  ['removes', true],
])('behind a proxy that %s the prefix', (_, removesPrefix) => {
  let app: TestApp
  let front: Awaited<ReturnType<typeof startReverseProxy>>
  let base: string
  beforeAll(async () => {
    front = await startReverseProxy('/whence', { removesPrefix })
    base = `${front.origin}/whence`
    app = await startTestApp({ BASE_URL: base })
    front.forwardTo(app.baseUrl)
  })
  afterAll(async () => {
    await app?.close()
    await front?.close()
  })

  it('the session cookie has the prefix as its path and signs in', async () => {
    const person = await makePerson(app)
    const reply = await fetch(`${base}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-whence-console': '1', origin: front.origin },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    })
    const [cookie] = reply.headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Secure-whence_session=\w+; Path=\/whence; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/,
    )
    const me = await fetch(`${base}/api/v1/auth/me`, {
      headers: { cookie: cookie!.split(';')[0]!, 'sec-fetch-site': 'same-origin' },
    })
    expect(me.status).toBe(200)
  })

  it('the reference loads its files and links its pages below the prefix', async () => {
    const page = await (await fetch(`${base}/docs/reference/profiles/createProfile`)).text()
    const files = [...page.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, path]) => path!)
    const [icon, ...ownFiles] = new Set(files)
    expect(icon).toBe('data:,')
    expect(ownFiles.length).toBeGreaterThan(20)
    for (const file of ownFiles) expect(file).toMatch(/^\/whence\/(docs|openapi\.json)/)
    for (const file of ownFiles) expect((await fetch(new URL(file, base))).status).toBe(200)
    const description = (await (await fetch(`${base}/openapi.json`)).json()) as { servers: unknown }
    expect(description.servers).toEqual([{ url: '/whence' }])
    const refusal = (await (await fetch(`${base}/api/v1/nothing`)).json()) as { error: { docs_url: string } }
    expect((await fetch(refusal.error.docs_url)).status).toBe(200)
  })

  it('clients discover the OAuth endpoints from the issuer URL, and the consent form is below the prefix', async () => {
    const inserted = await fetch(`${front.origin}/.well-known/oauth-authorization-server/whence`)
    const metadata = (await inserted.json()) as {
      issuer: string
      registration_endpoint: string
      scopes_supported: string[]
    }
    expect(metadata.issuer).toBe(base)
    const registered = await fetch(metadata.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Tool', redirect_uris: ['http://127.0.0.1/cb'] }),
    })
    expect(registered.status).toBe(201)
    const { client_id } = (await registered.json()) as { client_id: string }
    const url = new URL(`${base}/oauth/authorize`)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: 'http://127.0.0.1/cb',
      scope: metadata.scopes_supported[0]!,
      state: 'abcdefgh12345678',
      resource: base,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString()
    await new ConsentBrowser(front.origin).signIn(url, await makePerson(app))
  })

  it('a hand-off uses links below the prefix to and from the provider', async () => {
    const shop = await makeShop(app)
    const handoff = await shop.mint()
    expect(handoff.url).toMatch(`${base}/connect/`)
    const begun = await fetch(handoff.start_url, { redirect: 'manual' })
    const cookies = begun.headers.getSetCookie()
    expect(cookies.every((cookie) => /^__Secure-whence_\w+.*; Path=\/whence;/.test(cookie))).toBe(true)
    const consent = await (await fetch(begun.headers.get('location')!)).text()
    const choice = /data-choice="approve-one" href="([^"]+)"/.exec(consent)![1]!.replaceAll('&amp;', '&')
    const returned = await fetch(choice, { redirect: 'manual' })
    const callback = returned.headers.get('location')!
    expect(callback).toMatch(`${base}/connect/callback/`)
    const cookie = cookies.map((header) => header.split(';')[0]).join('; ')
    const ended = await fetch(callback, { headers: { cookie }, redirect: 'manual' })
    expect(ended.headers.get('location')).toBe(handoff.url)
    expect((await shop.poll(handoff.id)).status).toBe('completed')
  })

  it('the snippet loads the script from below the prefix', async () => {
    const { call } = await makeOwnProfile(app, ['tracking:read', 'tracking:write'])
    await call(issueTrackingKey)
    const { data } = await call(getTrackingSnippet, { query: {} })
    expect(data.html).toContain(`data-origin="${base}"`)
    expect(data.src).toBe(`${base}/tracker.js`)
    expect((await fetch(data.src)).status).toBe(200)
  })

  it('nothing outside the prefix was requested', () => {
    expect(front.strays).toEqual([])
  })
})
