/**
 * Access to /metrics: on a separate address (METRICS_ADDRESS), for callers with METRICS_SECRET, or, if neither is
 * set, on a loopback address. Metrics reveal load and usage of routes, so they are not public.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Config } from '../../config.ts'
import { isSameSecret } from '../secrets/tokens.ts'
import type { Metrics } from './metrics.ts'
import { type Health, healthAnswer, type Readiness, readyAnswer, readyPaths } from './readiness.ts'
import { isLocalHost } from './sandbox-guard.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Headers = IncomingMessage['headers']

/** Status of a request to /metrics on the service's main address. */
export function metricsStatus(config: Config, headers: Headers): 200 | 401 | 404 {
  if (config.METRICS_ADDRESS !== undefined) return 404
  if (config.METRICS_SECRET !== undefined) return hasSecret(config.METRICS_SECRET, headers) ? 200 : 401
  return config.isLocal && isLocalHost({ headers }) ? 200 : 404
}

function hasSecret(secret: string, headers: Headers): boolean {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  return bearer !== undefined && isSameSecret(bearer, secret)
}

/** Also used by processes without an API, whose readiness could not be checked otherwise. */
export async function listenForMetrics(parts: {
  address: { host: string; port: number }
  secret: string | undefined
  metrics: Metrics
  readiness: Readiness
  health: Health
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
      case '/healthz': {
        const { status, body } = await healthAnswer(parts.health)
        return sendJson(status, body)
      }
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
