import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { readConfig } from '../../config.ts'
import { createMetrics } from './metrics.ts'
import { listenForMetrics } from './metrics-access.ts'

const secret = 'what-the-scraper-knows'
const bearer = { authorization: `Bearer ${secret}` }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function statusOf(env: Record<string, string>, headers: Record<string, string> = {}): Promise<number> {
  const twin = await app.startTwin({ env })
  try {
    const reply = await app.service.providerHttp.send({
      method: 'GET',
      url: `${twin.baseUrl}/metrics`,
      headers,
    })
    return reply.status
  } finally {
    await twin.close()
  }
}

const outside = { BASE_URL: 'https://whence.example', SANDBOX: 'off' }

it.each<[string, Record<string, string>, Record<string, string>, number]>([
  ['on a loopback address', {}, {}, 200],
  ['under a foreign name that means this machine', {}, { host: 'evil.example' }, 404],
  ['where others reach the service', outside, {}, 404],
  ['with a secret, without it', { ...outside, METRICS_SECRET: secret }, {}, 401],
  ['with a secret, with another', { METRICS_SECRET: secret }, { authorization: `Bearer ${secret}x` }, 401],
  ['with a secret, with it', { ...outside, METRICS_SECRET: secret }, bearer, 200],
  ['with an address of its own', { METRICS_ADDRESS: '127.0.0.1:0' }, {}, 404],
])('/metrics %s', async (_, env, headers, status) => {
  expect(await statusOf(env, headers)).toBe(status)
})

it('the separate address serves metrics, health and readiness only', async () => {
  const metrics = createMetrics()
  metrics.count('jobs_total', { job: 'test' })
  let reason: 'stopping' | null = null
  let health: 'ok' | 'embedded_database_down' = 'ok'
  const parts = {
    metrics,
    readiness: async () => ({ reason, takes: [] }),
    health: async () => health,
    address: { host: '127.0.0.1', port: 0 },
  }
  const servers = [
    await listenForMetrics({ ...parts, secret: undefined }),
    await listenForMetrics({ ...parts, secret }),
  ]
  const [open, closed] = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  try {
    const reply = await fetch(`${open}/metrics`)
    expect([reply.status, await reply.text()]).toEqual([
      200,
      expect.stringContaining('jobs_total{job="test"} 1'),
    ])
    expect((await fetch(`${closed}/metrics`)).status).toBe(401)
    expect((await fetch(`${closed}/metrics`, { headers: bearer })).status).toBe(200)
    expect((await fetch(`${closed}/healthz`)).status).toBe(200)
    health = 'embedded_database_down'
    expect((await fetch(`${closed}/healthz`)).status).toBe(503)
    expect((await fetch(`${open}/readyz`)).status).toBe(200)
    reason = 'stopping'
    expect((await fetch(`${open}/readyz`)).status).toBe(503)
    expect((await fetch(`${open}/api/v1/auth/me`)).status).toBe(404)
    expect((await fetch(`${open}/metrics`, { method: 'POST' })).status).toBe(405)
  } finally {
    for (const server of servers) server.close()
  }
})

it('the address is parsed with its port, also for IPv6', () => {
  expect(readConfig({ METRICS_ADDRESS: '[::1]:9400' }).METRICS_ADDRESS).toEqual({ host: '::1', port: 9400 })
  expect(readConfig({ METRICS_ADDRESS: '10.0.0.5:9400' }).METRICS_ADDRESS).toEqual({
    host: '10.0.0.5',
    port: 9400,
  })
  expect(() => readConfig({ METRICS_ADDRESS: '9400' })).toThrow('METRICS_ADDRESS must be host:port')
})

it('HSTS is sent only if BASE_URL is https', async () => {
  const twin = await app.startTwin({ env: outside })
  try {
    for (const path of ['/healthz', '/api/v1/auth/me', '/nothing.txt', '/docs']) {
      const [secure, plain] = await Promise.all([twin, app].map(({ baseUrl }) => fetch(`${baseUrl}${path}`)))
      expect(secure!.headers.get('strict-transport-security')).toBe('max-age=31536000')
      expect(plain!.headers.get('strict-transport-security')).toBeNull()
    }
  } finally {
    await twin.close()
  }
})
