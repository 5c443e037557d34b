/** A partner's webhook endpoint: records every request and responds as configured. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export type Receiver = {
  url: string
  requests: ReceivedRequest[]
  /** Maximum number of concurrent requests. */
  maxOpen(): number
  /** Resolves once the condition holds; it is checked after every request. */
  until(holds: (requests: readonly ReceivedRequest[]) => boolean): Promise<void>
  close(): Promise<void>
}

export type Respond = (request: ReceivedRequest, reply: ServerResponse) => void

export async function startReceiver(
  respond: Respond = (_request, reply) => void reply.writeHead(204).end(),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const waiting = new Set<() => void>()
  let open = 0
  let most = 0
  const server = createServer((incoming, reply) => {
    most = Math.max(most, ++open)
    reply.on('close', () => open--)
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const request = { path: incoming.url ?? '', headers: incoming.headers, body, at: Date.now() }
      requests.push(request)
      respond(request, reply)
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    maxOpen: () => most,
    until: (holds) =>
      new Promise((resolve) => {
        const check = () => {
          if (!holds(requests)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
