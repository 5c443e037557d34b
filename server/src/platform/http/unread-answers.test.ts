/** Clients on real sockets that send requests and never read. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createUnsentAnswers, unsentLimits } from './unsent-answers.ts'

const SOCKETS = 10
const REQUESTS = 200
const ATTACKER = '198.51.100.7'
/** For a busy machine; each wait ends with its condition. */
const PATIENCE = { timeout: 60_000 }

let app: TestApp
const sockets: Socket[] = []
beforeAll(async () => {
  // The limit of open requests would refuse first.
  app = await startTestApp({ OPEN_REQUESTS_PER_ADDRESS: '100000' })
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => app.close())

/** Without a listener for data nothing is read: the answers fill the buffers of both ends. */
async function sendUnread(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function metric(name: string): Promise<number> {
  const reply = await fetch(`${app.baseUrl}/metrics`)
  const line = (await reply.text()).split('\n').find((one) => one.startsWith(name))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const statusFor = async (address: string) => {
  const reply = await fetch(`${app.baseUrl}/openapi.json`, { headers: { 'x-forwarded-for': address } })
  await reply.arrayBuffer()
  return reply.status
}

it('an address that never reads has at most its budget in memory; others are answered, and it too once it is gone', async () => {
  const request = `GET /openapi.json HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${ATTACKER}\r\n\r\n`
  const { port } = new URL(app.baseUrl)
  const seen: number[] = []
  for (let n = 0; n < SOCKETS; n++) {
    await sendUnread(Number(port), request.repeat(REQUESTS))
    seen.push(await metric('http_unsent_answer_bytes'))
  }
  await expect.poll(() => metric('http_unread_answers_refused_total'), PATIENCE).toBeGreaterThan(0)
  seen.push(await metric('http_unsent_answer_bytes'))
  expect(Math.max(...seen)).toBeLessThanOrEqual(unsentLimits.perAddressBytes)
  expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200)
  expect(await statusFor('203.0.113.9')).toBe(200)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => metric('http_unsent_answer_bytes'), PATIENCE).toBe(0)
  expect(await statusFor(ATTACKER)).toBe(200)
}, 120_000)

it('the connection of a client that does not read in time is closed', async () => {
  const unsent = createUnsentAnswers({ ...unsentLimits, patienceMs: 1 })
  const large = Buffer.alloc(64 * 1024 * 1024)
  const server: Server = createServer((_request, response) => {
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
