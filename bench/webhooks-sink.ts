/**
 * A receiver that uses almost no CPU, so that the sender is measured: it answers every request with 204 on a persistent
 * connection and records the time at which each event first arrived.
 */
import { createServer, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const RESPONSE = Buffer.from('HTTP/1.1 204 No Content\r\nkeep-alive: timeout=60\r\n\r\n')

export function createSink(arrivals: Map<string, number>) {
  let requests = 0
  const server = createServer((socket: Socket) => {
    let received: Buffer = Buffer.alloc(0)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      for (;;) {
        const end = received.indexOf(HEAD_END)
        if (end < 0) return
        const head = received.toString('latin1', 0, end).toLowerCase()
        const size = end + HEAD_END.length + Number(headerOf(head, 'content-length') ?? 0)
        if (received.length < size) return
        received = received.subarray(size)
        const id = headerOf(head, 'webhook-id')
        if (id !== undefined && !arrivals.has(id))
          arrivals.set(id, performance.timeOrigin + performance.now())
        requests++
        socket.write(RESPONSE)
      }
    })
  })
  return { server, requests: () => requests }
}

function headerOf(head: string, name: string): string | undefined {
  const at = head.indexOf(`\r\n${name}: `)
  if (at < 0) return undefined
  const start = at + name.length + 4
  const end = head.indexOf('\r\n', start)
  return head.slice(start, end < 0 ? undefined : end)
}
