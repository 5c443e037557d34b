/** What every request passes besides its route: limits per address, headers of every answer, metrics, the log. */
import type { Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { Meter, Metrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { readyPaths } from './readiness.ts'
import { refuseUnread } from './refuse.ts'
import { createUnsentAnswers } from './unsent-answers.ts'

const LARGE_ANSWER_BYTES = 16 * 1024
const HSTS = 'max-age=31536000'
/** Asked by load balancers, whose one address may be everybody's. */
const ALWAYS_ANSWERED = new Set(['/healthz', ...readyPaths.keys()])

/** While draining, requests are answered and connections end; then requests are refused. */
export type Stage = 'open' | 'draining' | 'stopping'

export type Watch = {
  /** Before anything else is done with the request; returns why it is refused. */
  begin(request: Incoming, reply: Outgoing): ApiError | undefined
  /** What is sent: the answer, or a refusal where too much is unread. */
  toSend(request: Incoming, reply: Outgoing, payload: unknown): unknown
  /** Of one route: counts and logs each request once its answer is sent. */
  observer(route: string): Observer
}

export type Observer = (request: Incoming, status: number, elapsedMs: number) => void

export function createWatch(parts: {
  service: Service
  metrics: Metrics
  proxyNotice: ProxyNotice
  stage: () => Stage
}): Watch {
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
      // A proxy would use the connection again, for a request that is refused.
      if (stage !== 'open') reply.header('connection', 'close')
      if (stage === 'stopping')
        return new ApiError('service_unavailable', 'The service is stopping; try again.', { retryAfter: 1 })
      const close = openRequests.open(request.ip)
      if (close !== undefined) {
        reply.raw.once('close', close)
        return undefined
      }
      if (ALWAYS_ANSWERED.has(request.url)) return undefined
      reply.header('connection', 'close')
      const message = 'Too many requests of this address are open; wait for some of them and retry.'
      return new ApiError('rate_limit_exceeded', message, { retryAfter: 1 })
    },
    toSend(request, reply, payload) {
      const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
      // Small ones are bounded by the number of open requests.
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
