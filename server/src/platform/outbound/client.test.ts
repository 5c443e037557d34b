import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { hostileUrls } from '../../../test/hostile-urls.ts'
import { createOutbound, type OutboundOptions, urlRefusal } from './client.ts'
import type { Outbound } from './outbound.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function outbound(options: OutboundOptions): Outbound {
  const client = createOutbound(options)
  closers.push(() => client.close())
  return client
}

/** Listens on all addresses, counts connections and never responds. */
async function listenAndCount() {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

async function serve(listener: RequestListener) {
  let connections = 0
  const server = createServer(listener).on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, connections: () => connections }
}

describe('an outbound with the public guard', () => {
  it.each(hostileUrls)('rejects %s without opening a connection', async (template) => {
    const target = await listenAndCount()
    const client = outbound({ guard: 'public', resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
    const url = template.replaceAll('PORT', String(target.port))
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'blocked' })
    expect(target.connections()).toBe(0)
  })

  it('without the guard the same listener is reached, so the count is meaningful', async () => {
    const target = await listenAndCount()
    const client = outbound({ guard: 'none' })
    const url = `https://127.0.0.1:${target.port}/`
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'unreachable' })
    expect(target.connections()).toBe(1)
  })

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a public address and a loopback one', ['93.184.216.34', '127.0.0.1']],
    ['a mapped loopback address', ['::ffff:127.0.0.1']],
    ['an address with a zone', ['2606:2800:220:1::1%lo']],
    ['no address at all', ['nonsense']],
  ])('refuses a name that resolves to %s', async (_, addresses) => {
    const target = await listenAndCount()
    const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const client = outbound({ guard: 'public', resolve: async () => answers })
    const url = `https://hooks.example.com:${target.port}/`
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'blocked' })
    expect(target.connections()).toBe(0)
  })

  it.each(['user@', 'user:secret@', ':secret@'])('rejects a URL with %s', async (who) => {
    const client = outbound({ guard: 'public', allowCidrs: ['127.0.0.1/32'] })
    const target = await serve((_, response) => void response.end('ok'))
    const url = `http://${who}127.0.0.1:${target.port}/`
    await expect(client.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'blocked' })
    expect(target.connections()).toBe(0)
  })

  it('checks the same address that it connects to, if the name changes its address (DNS rebinding)', async () => {
    const target = await serve((_, response) => void response.end('ok'))
    const answers = ['127.0.0.1', '127.0.0.2']
    let lookups = 0
    const resolve = async () => [{ address: answers[Math.min(lookups++, 1)]!, family: 4 }]
    const allowCidrs = ['127.0.0.1/32']
    const url = `http://rebind.example.com:${target.port}/`
    const first = outbound({ guard: 'public', allowCidrs, resolve })
    expect((await first.send({ method: 'GET', url })).status).toBe(200)
    expect(lookups).toBe(1)
    const second = outbound({ guard: 'public', allowCidrs, resolve })
    await expect(second.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'blocked' })
    expect(target.connections()).toBe(1)
  })

  it('connects to an allowed network, also over plain http, and to nothing outside it', async () => {
    const target = await serve((_, response) => void response.end('ok'))
    const client = outbound({ guard: 'public', allowCidrs: ['127.0.0.1/32', 'fd00::/8'] })
    expect((await client.send({ method: 'GET', url: target.url })).status).toBe(200)
    for (const host of ['127.0.0.2', 'localhost.', '8.8.8.8', '[::1]']) {
      const url = `http://${host}:${target.port}/`
      const resolve = async () => [{ address: '127.0.0.3', family: 4 }]
      const other = outbound({ guard: 'public', allowCidrs: ['127.0.0.1/32'], resolve })
      await expect(other.send({ method: 'GET', url })).rejects.toMatchObject({ kind: 'blocked' })
    }
    expect(target.connections()).toBe(1)
  })

  it('names below localhost are loopback addresses, before any lookup', () => {
    for (const url of ['https://localhost/', 'https://LOCALHOST./', 'https://api.localhost:8443/']) {
      expect(urlRefusal(url, [])).toBe('The address is not public')
      expect(urlRefusal(url, ['10.0.0.0/8'])).toBe('The address is not public')
      expect(urlRefusal(url, ['127.0.0.0/8'])).toBeUndefined()
    }
    expect(urlRefusal('https://localhost.example/', [])).toBeUndefined()
  })

  it('with httpsOnly rejects plain http even inside an allowed network', async () => {
    const target = await serve((_, response) => void response.end('ok'))
    const client = outbound({ guard: 'public', allowCidrs: ['127.0.0.1/32'], httpsOnly: true })
    await expect(client.send({ method: 'GET', url: target.url })).rejects.toMatchObject({ kind: 'blocked' })
    expect(target.connections()).toBe(0)
  })

  it.each(['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'localhost/8', '::/129', ''])(
    'rejects %j as an allowed network at creation',
    (cidr) => {
      expect(() => createOutbound({ guard: 'public', allowCidrs: [cidr] })).toThrow(/CIDR/)
    },
  )
})

describe('an outbound', () => {
  it('sends method, headers and bytes and returns status, lower-case headers and bytes', async () => {
    const target = await serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      response.writeHead(201, {
        'X-Seen': `${request.method} ${request.url}`,
        'X-Key': request.headers['x-key'],
      })
      response.end(Buffer.concat([body, Buffer.from([0, 255])]))
    })
    const client = outbound({ guard: 'none' })
    const url = `${target.url}/a%20b?c=d`
    const reply = await client.send({
      method: 'PUT',
      url,
      headers: { 'X-Key': 'k' },
      body: new Uint8Array([1, 2]),
    })
    expect(reply.status).toBe(201)
    expect(reply.headers).toMatchObject({ 'x-seen': 'PUT /a%20b?c=d', 'x-key': 'k' })
    expect([...reply.bytes]).toEqual([1, 2, 0, 255])
  })

  it.each([301, 302, 303, 307, 308])('returns a %i instead of following it', async (status) => {
    const inner = await listenAndCount()
    const target = await serve((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${inner.port}/` }).end()
    })
    const client = outbound({ guard: 'none' })
    expect((await client.send({ method: 'GET', url: target.url })).status).toBe(status)
    expect(inner.connections()).toBe(0)
  })

  it('reuses connections for successive requests', async () => {
    const target = await serve((_, response) => void response.end('ok'))
    const client = outbound({ guard: 'none' })
    for (let i = 0; i < 20; i++) await client.send({ method: 'POST', url: target.url, body: 'x' })
    expect(target.connections()).toBeLessThanOrEqual(2)
  })

  it('limits the connections per origin', async () => {
    const target = await serve((_, response) => void setImmediate(() => response.end('ok')))
    const client = outbound({ guard: 'none', maxConnectionsPerOrigin: 3 })
    const sends = Array.from({ length: 30 }, () => client.send({ method: 'GET', url: target.url }))
    expect((await Promise.all(sends)).every((reply) => reply.status === 200)).toBe(true)
    expect(target.connections()).toBeLessThanOrEqual(3)
  })

  it('reports a missing response as a timeout', async () => {
    const target = await serve(() => {})
    const client = outbound({ guard: 'none' })
    const sent = client.send({ method: 'GET', url: target.url, timeoutMs: 50 })
    await expect(sent).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('reports a slowly dripping response as a total timeout', async () => {
    const target = await serve((_, response) => {
      const drip = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(drip))
    })
    const client = outbound({ guard: 'none', totalTimeoutMs: 60 })
    await expect(client.send({ method: 'GET', url: target.url })).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('reports a slow connect, including name lookup, as a timeout', async () => {
    const client = outbound({ guard: 'none', connectTimeoutMs: 30, resolve: () => new Promise(() => {}) })
    const sent = client.send({ method: 'GET', url: 'http://slow.example.com/' })
    await expect(sent).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('connection'),
    })
  })

  it('ends immediately when its caller aborts, before or during the request', async () => {
    const target = await serve(() => {})
    const client = outbound({ guard: 'none' })
    const before = client.send({ method: 'GET', url: target.url, signal: AbortSignal.abort() })
    await expect(before).rejects.toMatchObject({ kind: 'timeout' })
    const controller = new AbortController()
    const during = client.send({ method: 'GET', url: target.url, signal: controller.signal })
    setImmediate(() => controller.abort())
    await expect(during).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('rejects a response that is too large, announced or not', async () => {
    const target = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 2000)
      response.write(Buffer.alloc(1000))
      response.end(Buffer.alloc(1000))
    })
    const client = outbound({ guard: 'none', maxBytes: 1999 })
    for (const path of ['/announced', '/chunked']) {
      const sent = client.send({ method: 'GET', url: target.url + path })
      await expect(sent).rejects.toMatchObject({ kind: 'too_large' })
    }
    const exact = outbound({ guard: 'none', maxBytes: 2000 })
    expect((await exact.send({ method: 'GET', url: target.url })).bytes.length).toBe(2000)
  })

  it('truncates a response that is too large if configured', async () => {
    const target = await serve((_, response) => void response.end(Buffer.alloc(300_000, 7)))
    const client = outbound({ guard: 'none', maxBytes: 1000, oversize: 'truncate' })
    const reply = await client.send({ method: 'GET', url: target.url })
    expect(reply.status).toBe(200)
    expect(Buffer.from(reply.bytes).equals(Buffer.alloc(1000, 7))).toBe(true)
  })

  it('reports a reset, a refused connection, a truncated response and garbage as unreachable', async () => {
    const reset = await serve((request) => void request.socket.resetAndDestroy())
    const cut = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('x', () => response.destroy())
    })
    const garbage = createTcpServer(
      (socket) =>
        void socket
          .resume()
          .on('error', () => {})
          .end('SSH-2.0-hello\r\n'),
    )
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => garbage.close(() => resolve())))
    const garbageUrl = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}`
    const client = outbound({ guard: 'none' })
    for (const url of [reset.url, cut.url, garbageUrl, 'http://127.0.0.1:1/']) {
      const sent = client.send({ method: 'GET', url })
      await expect(sent).rejects.toMatchObject({ kind: 'unreachable' })
    }
  })

  it('never includes the query or a header in an error', async () => {
    const client = outbound({ guard: 'none' })
    const url = 'http://127.0.0.1:1/path?token=sekret1'
    const error = await client
      .send({ method: 'GET', url, headers: { authorization: 'Bearer sekret2' } })
      .catch((caught) => caught)
    const invalid = await client
      .send({ method: 'GET', url, headers: { authorization: 'sekret3\r\nx: y' } })
      .catch((caught) => caught)
    for (const caught of [error, invalid]) {
      const text = `${caught} ${caught.stack} ${JSON.stringify(caught)} ${caught.cause}`
      expect(text).not.toMatch(/sekret/)
    }
  })
})
