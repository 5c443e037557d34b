/** A client on a real socket that sends a request and never reads. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createUnsentAnswers, unsentLimits } from './unsent-answers.ts'

const ATTACKER = '198.51.100.7'
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
