/** Clients on real sockets that do not read their responses, or hang up at any stage. */
import { once } from 'node:events'
import { createServer as createPlainServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { createLog } from '../log.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { createFileGate } from './file-gate.ts'
import { createMetrics } from './metrics.ts'
import { mountPages } from './pages.ts'
import { createProxyNotice } from './proxy-notice.ts'
import { respond } from './respond.ts'
import { createServer } from './server.ts'
import { createUnsentAnswers, unsentLimits } from './unsent-answers.ts'
import { createUsageCounter } from './usage.ts'

const ATTACKER = '198.51.100.7'
const OPEN_REQUESTS = 6
const PATIENCE = { timeout: 20_000, interval: 5 }
const MB = 1024 * 1024
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Without a data listener nothing is read, so responses fill the buffers at both ends. */
async function sendUnread(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

it('the connection of a client that does not read in time is closed', async () => {
  const unsent = createUnsentAnswers({ ...unsentLimits, patienceMs: 1 })
  const large = Buffer.alloc(64 * MB)
  const server: Server = createPlainServer((_request, response) => {
    unsent.add(ATTACKER, 16, response)
    response.end(large)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const accepted = once(server, 'connection')
    await sendUnread((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const [connection] = (await accepted) as [Socket]
    if (!connection.destroyed) await once(connection, 'close')
    expect(unsent.totalBytes()).toBe(0)
  } finally {
    server.close()
  }
})

it('a read of a client that hung up while it waited is not run', async () => {
  const entry = { method: 'GET', path: '/slow' } as Endpoint
  let runs = 0
  const handle = async () => ({ data: ++runs })
  const waited = { raw: { closed: true } } as Outgoing
  await respond({} as Service, { entry, handle }, {} as Incoming, waited, createFileGate(1))
  expect(runs).toBe(0)
})

describe('clients that do not wait', () => {
  let http: FastifyInstance
  let port: number
  const metrics = createMetrics()
  /** Responses whose handler waits to continue, and the function that lets it. */
  const waiting: { response: ServerResponse; proceed: () => void }[] = []
  const untilReleased = (response: ServerResponse) =>
    new Promise<void>((resolve) => waiting.push({ response, proceed: resolve }))
  const sources: PassThrough[] = []

  beforeAll(async () => {
    const config = readConfig({ OPEN_REQUESTS_PER_ADDRESS: String(OPEN_REQUESTS), LOG_LEVEL: 'silent' })
    const service = { config, log: createLog('silent') } as Service
    const proxyNotice = createProxyNotice(config, service.log)
    const text = 'x'.repeat(4 * MB)
    let served: ServerResponse | undefined
    http = createServer({
      service,
      routes: [],
      pages: [
        {
          method: 'POST',
          path: '/direct',
          isDirect: true,
          handle: async () => {
            await untilReleased(served!)
            return { status: 200, body: text }
          },
        },
      ],
      metrics,
      usage: createUsageCounter(service),
      proxyNotice,
      stage: () => 'open',
    })
    http.server.prependListener('request', (_request, response: ServerResponse) => {
      served = response
    })
    http.get('/framework', async (_request, reply) => {
      await untilReleased(reply.raw)
      return reply.send(text)
    })
    http.get('/stream', async (_request, reply) => {
      await untilReleased(reply.raw)
      const source = new PassThrough()
      source.write(Buffer.alloc(MB))
      sources.push(source)
      return reply.send(source)
    })
    mountPages(http, {
      service,
      metrics,
      proxyNotice,
      readiness: async () => ({}) as never,
      health: async () => 'ok',
    })
    await http.listen({ host: '127.0.0.1', port: 0 })
    port = (http.server.address() as AddressInfo).port
  })
  afterAll(() => http.close())

  const unsentBytes = async () =>
    Number(/^http_unsent_answer_bytes (\d+)$/m.exec(await metrics.render())?.[1])
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)

  const paths = {
    framework: 'GET /framework HTTP/1.1\r\nhost: x\r\n\r\n',
    stream: 'GET /stream HTTP/1.1\r\nhost: x\r\n\r\n',
    direct:
      'POST /direct HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  }
  const takeWaiting = async (count: number) => {
    await expect.poll(() => waiting.length, PATIENCE).toBe(count)
    return waiting.splice(0)
  }
  const whenGone = async (responses: { response: ServerResponse }[]) => {
    await expect.poll(() => responses.every(({ response }) => response.closed), PATIENCE).toBe(true)
  }
  /** Each hangs up; `text` is one request. */
  const stages: Record<string, (text: string) => Promise<void>> = {
    'before the headers': async (text) => {
      const socket = await sendUnread(port, text)
      const requests = await takeWaiting(1)
      socket.destroy()
      await whenGone(requests)
      for (const { proceed } of requests) proceed()
    },
    'in the middle': async (text) => {
      const socket = await sendUnread(port, text)
      const requests = await takeWaiting(1)
      for (const { proceed } of requests) proceed()
      await once(socket, 'readable')
      socket.destroy()
      await whenGone(requests)
    },
    'in the second request of a connection': async (text) => {
      const socket = await sendUnread(port, `GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
      await once(socket, 'readable')
      socket.write(text)
      const requests = await takeWaiting(1)
      socket.destroy()
      await whenGone(requests)
      for (const { proceed } of requests) proceed()
    },
    'with three requests at once, none answered': async (text) => {
      const socket = await sendUnread(port, text.repeat(3))
      const requests = await takeWaiting(3)
      socket.destroy()
      await whenGone(requests)
      for (const { proceed } of requests) proceed()
    },
    'with three requests at once, in the first answer': async (text) => {
      const socket = await sendUnread(port, text.repeat(3))
      const requests = await takeWaiting(3)
      for (const { proceed } of requests) proceed()
      await once(socket, 'readable')
      socket.destroy()
      await whenGone(requests)
    },
  }
  const cases = Object.entries(paths).flatMap(([path, text]) =>
    Object.entries(stages).map(([stage, hangUp]) => [stage, path, text, hangUp] as const),
  )

  it.each(cases)(
    'requests and unread bytes end at 0 after hanging up %s: %s',
    async (_stage, _path, text, hangUp) => {
      // Once more than one address may have open: a request that still counts would be refused at the end.
      for (let at = 0; at <= OPEN_REQUESTS; at++) await hangUp(text)
      await expect.poll(unsentBytes, PATIENCE).toBe(0)
      await expect.poll(() => sources.every(({ destroyed }) => destroyed), PATIENCE).toBe(true)
      expect((await get('/openapi.json')).status).toBe(200)
    },
  )

  it('a response that was read no longer counts', async () => {
    const reading = get('/framework')
    for (const { proceed } of await takeWaiting(1)) proceed()
    expect((await (await reading).text()).length).toBe(4 * MB)
    await expect.poll(unsentBytes, PATIENCE).toBe(0)
  })

  it('files that are the same for everyone take no memory per client, and health checks are answered', async () => {
    const plain = await (await get('/openapi.json')).arrayBuffer()
    const before = process.memoryUsage().arrayBuffers
    const rounds = 40
    // One connection per round with more requests than the sockets can buffer; the client reads none of them.
    for (let at = 0; at < rounds; at++)
      await sendUnread(port, 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(OPEN_REQUESTS))
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * plain.byteLength)
    expect(await unsentBytes()).toBe(0)
  })

  it('openapi.json is compressed and not sent again to a client that has it', async () => {
    const answer = await http.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
    })
    const { payload: plain } = await http.inject('/openapi.json')
    expect(gunzipSync(answer.rawPayload).toString() === plain).toBe(true)
    const etag = String(answer.headers.etag)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await http.inject({ url: '/openapi.json', headers: { 'if-none-match': known } })
      expect([again.statusCode, again.payload]).toEqual([304, ''])
    }
    for (const path of ['/docs', '/docs/errors', '/docs/search.json', '/docs/reference'])
      expect((await http.inject({ url: path, headers: { 'accept-encoding': 'br' } })).headers).toMatchObject({
        'content-encoding': 'br',
        etag: expect.stringMatching(/^W\//),
      })
  })
})
