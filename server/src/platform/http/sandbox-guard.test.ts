import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { readConfig } from '../../config.ts'

const provider = JSON.stringify({
  client_id: 'id',
  client_secret: 'secret',
  authorize_base_url: 'https://provider.example',
  api_base_url: 'https://provider.example',
})
const server = {
  DATABASE_URL: 'postgres://localhost/whence',
  MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
}
const secret = 'a secret of the sandbox'.replaceAll(' ', '-')

describe('the sandbox is', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['on for a first try on this machine', {}, true],
    ['on where the address is loopback in IPv6', { HOST: '::1', BASE_URL: 'http://[::1]:4400' }, true],
    ['off on a database server', server, false],
    ['off where others reach the service', { HOST: '0.0.0.0' }, false],
    ['off behind a proxy on the same machine', { BASE_URL: 'https://whence.example' }, false],
    ['off for a name that only begins like loopback', { HOST: '127.0.0.1.example.com' }, false],
    ['off as soon as a provider is configured', { PROVIDER_CARDPAY: provider }, false],
    ['off when asked', { SANDBOX: 'off' }, false],
    ['on when asked', { ...server, SANDBOX: 'on' }, true],
    ['on elsewhere when asked with a secret', { HOST: '::', SANDBOX: 'on', SANDBOX_SECRET: secret }, true],
  ])('%s', (_, env, expected) => {
    expect(readConfig(env).SANDBOX).toBe(expected)
  })

  it('refused if the service is reachable by others and no secret is set', () => {
    for (const env of [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://whence.example' }])
      expect(() => readConfig({ ...env, SANDBOX: 'on' })).toThrow(/^SANDBOX_SECRET must be set/)
    expect(() => readConfig({ SANDBOX: 'on', SANDBOX_SECRET: 'short' })).toThrow(/^SANDBOX_SECRET must have/)
  })
})

type Call = ['GET' | 'POST', string, Record<string, unknown> | null]
const controls: Call[] = [
  ['POST', '/sandbox/clock', { advance_seconds: 0 }],
  ['GET', '/sandbox/clock', null],
  ['GET', '/sandbox/exports', null],
  ['GET', '/sandbox/writes', null],
  ['POST', '/sandbox/cardpay/fault', { kind: 'reset', match: '/nothing-here' }],
  ['POST', '/sandbox/cardpay/act', { action: 'nothing' }],
]

async function statusAndCode(baseUrl: string, [method, path, body]: Call, headers: Record<string, string>) {
  const reply = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body: body === null ? null : JSON.stringify(body),
  })
  const { error } = (await reply.json()) as { error?: { code: string } }
  return [reply.status, error?.code]
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('on a loopback address', () => {
  it.each(controls)('%s %s accepts programs and its own pages, but no cross-site page', async (...call) => {
    const request = (headers: Record<string, string>) => statusAndCode(app.baseUrl, call, headers)
    const allowed = call[1].endsWith('/act') ? [422, 'validation_error'] : [200, undefined]
    const refusal = [403, 'forbidden']
    const { host, port } = new URL(app.baseUrl)
    expect(await request({})).toEqual(allowed)
    expect(await request({ 'sec-fetch-site': 'none' })).toEqual(allowed)
    expect(await request({ 'sec-fetch-site': 'same-origin', origin: `http://${host}` })).toEqual(allowed)
    expect(await request({ origin: `http://${host}` })).toEqual(allowed)
    expect(await request({ 'sec-fetch-site': 'cross-site' })).toEqual(refusal)
    expect(await request({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' })).toEqual(refusal)
    expect(await request({ origin: 'https://evil.example' })).toEqual(refusal)
    expect(await request({ origin: 'null' })).toEqual(refusal)
    // DNS rebinding: the attacker's name resolves to this machine, so the browser treats it as same-origin.
    const rebound = await app.service.providerHttp.send({
      method: call[0],
      url: `${app.baseUrl}${call[1]}`,
      headers: { host: `evil.example:${port}`, 'content-type': 'application/json' },
      body: call[2] === null ? undefined : JSON.stringify(call[2]),
    })
    expect(rebound.status).toBe(403)
  })

  it('consent pages accept navigation from any site, but no other cross-site request reaches a simulated provider', async () => {
    const path = '/sandbox/social_ads/v23.0/dialog/oauth'
    const status = async (method: 'GET' | 'POST', headers: Record<string, string>) =>
      (await app.service.providerHttp.send({ method, url: `${app.baseUrl}${path}`, headers })).status
    const plain = await status('GET', {})
    expect(plain).not.toBe(403)
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect(await status('GET', visit)).toBe(plain)
    expect(await status('POST', visit)).toBe(403)
    expect(await status('GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
    expect(await status('POST', { origin: 'https://evil.example' })).toBe(403)
  })
})

it.each(controls)('on other addresses %s %s requires the secret', async (...call) => {
  const twin = await app.startTwin({
    env: { BASE_URL: 'https://whence.example', SANDBOX: 'on', SANDBOX_SECRET: secret },
  })
  try {
    const request = (headers: Record<string, string>) => statusAndCode(twin.baseUrl, call, headers)
    const refusal = [401, 'unauthorized']
    expect(await request({})).toEqual(refusal)
    expect(await request({ authorization: 'Bearer ' })).toEqual(refusal)
    expect(await request({ authorization: `Bearer ${secret.slice(1)}` })).toEqual(refusal)
    expect(await request({ authorization: `Basic ${secret}` })).toEqual(refusal)
    const allowed = call[1].endsWith('/act') ? [422, 'validation_error'] : [200, undefined]
    expect(await request({ authorization: `Bearer ${secret}` })).toEqual(allowed)
  } finally {
    await twin.close()
  }
})

it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
  'a request that came through a proxy (%s) is not local, whatever its Host header',
  async (header) => {
    const local = await startTestApp({ SANDBOX: 'on' })
    try {
      for (const call of controls)
        expect(await statusAndCode(local.baseUrl, call, { [header]: '192.0.2.1' })).toEqual([
          403,
          'forbidden',
        ])
      const metrics = await fetch(`${local.baseUrl}/metrics`, { headers: { [header]: '192.0.2.1' } })
      expect(metrics.status).toBe(404)
      expect((await fetch(`${local.baseUrl}/metrics`)).status).toBe(200)
    } finally {
      await local.close()
    }
  },
)

it.each(['0001-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '2100-06-01T00:00:00Z'])(
  'the clock cannot be set to %s',
  async (now) => {
    const call: Call = ['POST', '/sandbox/clock', { now }]
    expect(await statusAndCode(app.baseUrl, call, {})).toEqual([422, 'validation_error'])
  },
)

it('a local sandbox allows webhooks to loopback addresses; a reachable one does not', () => {
  const cidrs = (env: Record<string, string>) => readConfig(env).WEBHOOK_ALLOW_CIDRS
  expect(cidrs({ SANDBOX: 'on' })).toEqual(['127.0.0.0/8', '::1/128'])
  expect(cidrs({ SANDBOX: 'off' })).toEqual([])
  expect(cidrs({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' })).toEqual(['10.0.0.0/8'])
  const open = { HOST: '0.0.0.0', SANDBOX_SECRET: 'a-long-enough-secret-for-tests-0123456789' }
  expect(cidrs({ SANDBOX: 'on', ...open })).toEqual([])
})
