/** A proxy that forwards one path prefix to the service; the rest of the host belongs to others. */
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Front = {
  origin: string
  /** Requested paths outside the prefix: links that lack it. */
  strays: string[]
  forwardTo(baseUrl: string): void
  close(): Promise<void>
}

export async function startReverseProxy(prefix: string, { removesPrefix = false } = {}): Promise<Front> {
  const strays: string[] = []
  let target = ''
  const server = createServer((request, response) => {
    const url = request.url ?? '/'
    const isBelow = url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)
    if (!isBelow && !url.startsWith('/.well-known/')) {
      strays.push(url)
      response.writeHead(404).end('another service')
      return
    }
    const path = isBelow && removesPrefix ? url.slice(prefix.length) || '/' : url
    const forwarded = send(
      `${target}${path}`,
      { method: request.method ?? 'GET', headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    strays,
    forwardTo(baseUrl) {
      target = baseUrl
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
