/**
 * Streamed bodies: each side waits for the other's first bytes before sending more, so buffering would block the
 * test.
 */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createProviderHttp } from '../../connectors/provider-http.ts'
import { createOutbound } from './client.ts'
import { openReply } from './open-reply.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
function client() {
  const outbound = createOutbound({ guard: 'none' })
  closers.push(() => outbound.close())
  return outbound
}
async function readAll(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts).toString()
}

it('streams a request body with its length', async () => {
  const first = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<[IncomingMessage, string]>()
  const url = await serve((request, reply) => {
    request.once('readable', () => first.resolve())
    void readAll(request).then((body) => {
      seen.resolve([request, body])
      reply.end('ok')
    })
  })
  async function* chunks() {
    yield Buffer.from('one ')
    await first.promise
    yield Buffer.from('two')
  }
  const reply = await client().send({ method: 'POST', url, body: { size: 7, chunks: chunks() }, once: true })
  expect(Buffer.from(reply.bytes).toString()).toBe('ok')
  const [{ headers }, body] = await seen.promise
  expect([headers['content-length'], headers['transfer-encoding'], body]).toEqual(['7', undefined, 'one two'])
})

it('returns the head and the first bytes of a response before the last are sent', async () => {
  const read = Promise.withResolvers<void>()
  const url = await serve(async (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'image/png' }).write('one ')
    await read.promise
    reply.end('two')
  })
  const { status, headers, body } = await openReply(client(), { method: 'GET', url })
  expect([status, headers['content-type']]).toEqual([200, 'image/png'])
  const parts = body[Symbol.asyncIterator]()
  expect(String((await parts.next()).value)).toBe('one ')
  read.resolve()
  expect(String((await parts.next()).value)).toBe('two')
  expect((await parts.next()).done).toBe(true)
})

it('applies backpressure without losing data', async () => {
  const size = 8 * 1024 * 1024
  let sent = 0
  const url = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-length': size })
    const part = Buffer.alloc(64 * 1024, 1)
    const writeOn = () => {
      while (sent < size) {
        sent += part.length
        if (!reply.write(part)) return void reply.once('drain', writeOn)
      }
      reply.end()
    }
    writeOn()
  })
  const { body } = await openReply(client(), { method: 'GET', url })
  await new Promise<void>((resolve) => body.once('readable', () => resolve()))
  expect(body.readableLength).toBeLessThan(size / 8)
  let received = 0
  for await (const part of body) received += part.length
  expect(received).toBe(size)
})

it('an error response or a truncated response is an error for its reader', async () => {
  const url = await serve((_request, reply) => reply.writeHead(410).end('gone'))
  const { status, body } = await openReply(client(), { method: 'GET', url })
  expect([status, await readAll(body)]).toEqual([410, 'gone'])
  const broken = await serve((_request, reply) => {
    reply.writeHead(200, { 'content-length': 100 }).write('half')
    setImmediate(() => reply.destroy())
  })
  const half = await openReply(client(), { method: 'GET', url: broken })
  await expect(readAll(half.body)).rejects.toMatchObject({ kind: 'unreachable' })
})

it('a response with more bytes than allowed is aborted, with or without Content-Length', async () => {
  const long = 'x'.repeat(100)
  const url = await serve((request, reply) => {
    if (request.url !== '/announced') reply.write(long)
    reply.end(long)
  })
  const open = (path: string) => openReply(client(), { method: 'GET', url: url + path, maxBytes: 99 })
  await expect(open('/announced')).rejects.toMatchObject({ kind: 'too_large' })
  const { body } = await open('/')
  await expect(readAll(body)).rejects.toMatchObject({ kind: 'too_large' })
})

it('a body whose source fails is aborted, and does not trip the circuit breaker of the host', async () => {
  const ends: string[] = []
  const url = await serve((request, reply) => {
    request.on('error', () => ends.push('broken')).resume()
    request.on('end', () => {
      ends.push('whole')
      reply.end('{}')
    })
  })
  const http = createProviderHttp(client())
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new Error('the sender went away')
  }
  for (let time = 0; time < 6; time += 1) {
    const body = { size: 100, chunks: failing() }
    await expect(http.send({ method: 'POST', url, body, once: true })).rejects.toMatchObject({
      kind: 'blocked',
    })
  }
  expect((await http.send({ method: 'POST', url, body: '{}' })).status).toBe(200)
  expect(ends.filter((end) => end === 'whole')).toHaveLength(1)
})
