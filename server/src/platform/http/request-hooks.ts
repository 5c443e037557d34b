/** Applied to all requests: limits per address, common headers, metrics, logging. */
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { Meter, Metrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import { isShared } from './packed-file.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { readyPaths } from './readiness.ts'
import { refuseUnread } from './refuse.ts'
import { createUnsentAnswers, cutSlowReader, whenClosed } from './unsent-answers.ts'

const LARGE_ANSWER_BYTES = 16 * 1024
const HSTS = 'max-age=31536000'
/** Health checks of load balancers, which may share their address with all clients. */
const UNLIMITED_PATHS = new Set(['/healthz', ...readyPaths.keys()])

/** While draining, requests are handled and connections closed; after that, requests are refused. */
export type Stage = 'open' | 'draining' | 'stopping'

export type RequestHooks = {
  /** Called first for each request; returns the error if it is refused. */
  begin(request: Incoming, reply: Outgoing): ApiError | undefined
  /** Returns the payload, or an error body if too much is unread. */
  toSend(request: Incoming, reply: Outgoing, payload: unknown): unknown
  /** Creates the observer of one route, which counts and logs each request after its response is sent. */
  observer(route: string): Observer
}

export type Observer = (request: Incoming, status: number, elapsedMs: number) => void

export function createRequestHooks(parts: {
  service: Service
  metrics: Metrics
  proxyNotice: ProxyNotice
  stage: () => Stage
}): RequestHooks {
  const { service, metrics, proxyNotice } = parts
  const openRequests = createOpenRequests(service.config.OPEN_REQUESTS_PER_ADDRESS)
  const unsentAnswers = createUnsentAnswers()
  metrics.gauge('http_unsent_answer_bytes', unsentAnswers.totalBytes)
  const isSecure = service.config.BASE_URL.startsWith('https:')
  return {
    begin(request, reply) {
      reply.header('x-request-id', request.id)
      reply.header('x-content-type-options', 'nosniff')
      if (isSecure) reply.header('strict-transport-security', HSTS)
      proxyNotice.see(request.headers)
      const stage = parts.stage()
      // Otherwise a proxy would reuse the connection for a request that is then refused.
      if (stage !== 'open') reply.header('connection', 'close')
      if (stage === 'stopping')
        return new ApiError('service_unavailable', 'The service is stopping; retry.', { retryAfter: 1 })
      const close = openRequests.open(request.ip)
      if (close !== undefined) {
        whenClosed(reply.raw, close)
        return undefined
      }
      if (UNLIMITED_PATHS.has(request.url)) return undefined
      reply.header('connection', 'close')
      const message =
        'Too many concurrent requests from this address; wait for some of them to finish and retry.'
      return new ApiError('rate_limit_exceeded', message, { retryAfter: 1 })
    },
    toSend(request, reply, payload) {
      if (isShared(payload)) {
        cutSlowReader(reply.raw, (payload as Buffer).length)
        return payload
      }
      const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
      // Small responses are bounded by the number of open requests.
      if (bytes < LARGE_ANSWER_BYTES || unsentAnswers.add(request.ip, bytes, reply.raw)) return payload
      metrics.count('http_unread_answers_refused_total', {})
      return refuseUnread(service, request, reply)
    },
    observer(route) {
      const meters = new Map<string, Meter>()
      return (request, status, elapsedMs) => {
        const { id, method } = request
        let meter = meters.get(method)
        if (meter === undefined) {
          meter = metrics.meter(method, route)
          meters.set(method, meter)
        }
        meter(status, elapsedMs / 1000)
        if (request.fault !== undefined)
          metrics.count('http_faults_total', { method, route, code: request.fault })
        service.log.debug('request', {
          request_id: id,
          method,
          route,
          status,
          duration_ms: Math.round(elapsedMs),
        })
      }
    },
  }
}
