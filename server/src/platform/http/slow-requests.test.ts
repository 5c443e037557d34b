import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { clientKey } from './open-requests.ts'

let app: TestApp
const sockets: Socket[] = []
beforeAll(async () => {
  app = await startTestApp({ REQUEST_TIMEOUT_SECONDS: '1', OPEN_REQUESTS_PER_ADDRESS: '3' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => app.close())

async function send(to: TestApp, text: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(to.baseUrl).port), '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  const answer = once(socket, 'close').then(() => Buffer.concat(parts).toString())
  socket.write(text)
  return { socket, answer }
}

/** The framework handles the first; the second uses the fast path. */
const paths = ['/api/v1/auth/sign-in', '/api/tracking/collect'] as const

const head = (extra = '', path: string = paths[0]) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${extra}content-length: 40\r\n\r\n`

describe('a request that does not arrive in time gets a response and is closed', () => {
  it.each([
    ...paths.map((path) => [`a body that stops, ${path}`, `${head('', path)}{"email":`]),
    ['a header that stops', 'POST /api/v1/auth/sign-in HTTP/1.1\r\nhost: x\r\nx-slow:'],
  ])('%s', async (_, text) => {
    const { answer } = await send(app, text)
    const [status, ...rest] = (await answer).split('\r\n')
    expect(status).toBe('HTTP/1.1 408 Request Timeout')
    expect(JSON.parse(rest.at(-1)!)).toMatchObject({
      error: { code: 'invalid_request', status: 408, message: 'The request did not arrive in time.' },
    })
  })

  it.each(paths)('a body that drips, %s', async (path) => {
    const { socket, answer } = await send(app, head('', path))
    const drip = setInterval(() => socket.write(' '), 100)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(drip)
  })

  it('a connection that sends nothing', async () => {
    const { answer } = await send(app, '')
    expect(await answer).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })
})

it.each(paths)(
  'concurrent requests per address are limited, independent of other addresses: %s',
  async (slowPath) => {
    const patient = await app.startTwin({ env: { REQUEST_TIMEOUT_SECONDS: '60' } })
    try {
      const status = async (address: string, path = '/openapi.json') => {
        const reply = await fetch(`${patient.baseUrl}${path}`, { headers: { 'x-forwarded-for': address } })
        await reply.arrayBuffer()
        return reply.status
      }
      const slow = []
      for (let at = 0; at < 3; at++)
        slow.push(await send(patient, head(`x-forwarded-for: 2001:db8:1:2::${at + 1}\r\n`, slowPath)))
      await expect.poll(() => status('2001:db8:1:2::99'), { timeout: 20_000 }).toBe(429)
      expect(await status('2001:db8:1:3::1')).toBe(200)
      expect(await status('203.0.113.9')).toBe(200)
      expect(await status('2001:db8:1:2::99', '/healthz')).toBe(200)
      const refusal = await fetch(`${patient.baseUrl}/openapi.json`, {
        headers: { 'x-forwarded-for': '2001:db8:1:2::99' },
      })
      expect(refusal.headers.get('retry-after')).toBe('1')
      expect(await refusal.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
      const direct = await fetch(`${patient.baseUrl}${paths[1]}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '2001:db8:1:2::99' },
        body: '{}',
      })
      expect([direct.status, direct.headers.get('connection')]).toEqual([429, 'close'])
      slow[0]!.socket.destroy()
      await expect.poll(() => status('2001:db8:1:2::99'), { timeout: 20_000 }).toBe(200)
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy()
      await patient.close()
    }
  },
)

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s is the sender %s', (address, sender) => {
  expect(clientKey(address)).toBe(sender)
})
