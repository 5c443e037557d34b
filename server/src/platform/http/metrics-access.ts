/**
 * Where /metrics answers: on an address of its own (METRICS_ADDRESS), to callers with METRICS_SECRET, or, where
 * neither is set, on a loopback address. It shows how busy the service is and which routes are used, which concerns no one
 * else's business.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Config } from '../../config.ts'
import { isSameSecret } from '../secrets/tokens.ts'
import type { Metrics } from './metrics.ts'
import { type Readiness, readyAnswer, readyPaths } from './readiness.ts'
import { isLocalHost } from './sandbox-guard.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Headers = IncomingMessage['headers']

/** 200, 401 or 404 for a request to the service's own address. */
export function metricsStatus(config: Config, headers: Headers): 200 | 401 | 404 {
  if (config.METRICS_ADDRESS !== undefined) return 404
  if (config.METRICS_SECRET !== undefined) return hasSecret(config.METRICS_SECRET, headers) ? 200 : 401
  return config.isLocal && isLocalHost({ headers }) ? 200 : 404
}

function hasSecret(secret: string, headers: Headers): boolean {
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return given !== undefined && isSameSecret(given, secret)
}

/** Also for a process without an API, whose readiness could not be checked otherwise. */
export async function listenForMetrics(parts: {
  address: { host: string; port: number }
  secret: string | undefined
  metrics: Metrics
  readiness: Readiness
}): Promise<Server> {
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const send = (status: number, type: string, body: string) =>
      reply.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const sendJson = (status: number, body: unknown) =>
      send(status, 'application/json; charset=utf-8', JSON.stringify(body))
    if (request.method !== 'GET') return sendJson(405, { status: 'method_not_allowed' })
    const path = request.url?.split('?')[0] ?? ''
    const use = readyPaths.get(path)
    if (use !== undefined) {
      const { status, body } = readyAnswer(await parts.readiness(use))
      return sendJson(status, body)
    }
    switch (path) {
      case '/healthz':
        return sendJson(200, { status: 'ok' })
      case '/metrics':
        if (parts.secret !== undefined && !hasSecret(parts.secret, request.headers))
          return sendJson(401, { status: 'unauthorized' })
        return send(200, METRICS_TYPE, await parts.metrics.render())
      default:
        return sendJson(404, { status: 'not_found' })
    }
  }
  const server = createServer((request, reply) => {
    answer(request, reply).catch(() => reply.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(parts.address.port, parts.address.host, resolve)
  })
  return server
}
