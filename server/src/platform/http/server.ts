/**
 * The only place that knows the HTTP framework. Per request: route exists → credential valid →
 * body and parameters parse → scope or role → resource → state.
 */
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest, type onResponseHookHandler } from 'fastify'
import type { AnyContext, Caller, ProfileContext, Service } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { isRequestId, requestId } from '../contract/ids.ts'
import { redact } from '../redact.ts'
import { traced } from '../tracing.ts'
import { answer } from './answer.ts'
import { admit } from './authenticate-request.ts'
import { withoutBasePath } from './base-path.ts'
import { createFileGate, type FileGate } from './file-gate.ts'
import type { Meter, Metrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { readyPaths } from './readiness.ts'
import { answerBrokenRequest, recordRefusal, refuseUnread, sendError } from './refuse.ts'
import { toApiError } from './reply.ts'
import type { Route } from './route.ts'
import { createTurn } from './tick-batch.ts'
import { createUnsentAnswers, cutSlowReader } from './unsent-answers.ts'
import type { UsageCounter } from './usage.ts'

const BODY_LIMIT = 1024 * 1024
/** Headers are small: a slower sender is slow on purpose. */
const HEADERS_TIMEOUT_MS = 10_000
const CHECK_TIMEOUTS_MS = 1000
/** Nothing in or out for this long: longer than any answer takes to make. */
const SILENT_CONNECTION_MS = 150_000
const LARGE_ANSWER_BYTES = 16 * 1024
const DOWNLOADS_AT_ONCE = 32
/** With an Idempotency-Key, each keeps one of the 20 connections to the database. */
const UPLOADS_AT_ONCE = 8
const HSTS = 'max-age=31536000'
/** Asked by load balancers, whose one address may be everybody's. */
const ALWAYS_ANSWERED = new Set(['/healthz', ...readyPaths.keys()])

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is known to be good. */
    caller: Caller
  }
}

export type HttpParts = {
  service: Service
  routes: readonly Route[]
  metrics: Metrics
  usage: UsageCounter
  proxyNotice: ProxyNotice
  /** While draining, requests are answered and connections end; then requests are refused. */
  stage: () => Stage
}

export type Stage = 'open' | 'draining' | 'stopping'

export function createServer(parts: HttpParts): FastifyInstance {
  const { service } = parts
  const requestTimeoutMs = service.config.REQUEST_TIMEOUT_SECONDS * 1000
  const openRequests = createOpenRequests(service.config.OPEN_REQUESTS_PER_ADDRESS)
  const unsentAnswers = createUnsentAnswers()
  parts.metrics.gauge('http_unsent_answer_bytes', unsentAnswers.totalBytes)
  const isSecure = service.config.BASE_URL.startsWith('https:')
  const app = Fastify({
    logger: false,
    trustProxy: service.config.TRUST_PROXY.length === 0 ? false : service.config.TRUST_PROXY,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: SILENT_CONNECTION_MS,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && isRequestId(given) ? given : requestId()
    },
    rewriteUrl: ({ url }) => withoutBasePath(service.config, url ?? '/'),
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    // Its answer would not be the envelope; the hook below gives ours.
    return503OnClosing: false,
    // What the router refuses before any hook (a path that does not decode, an endless segment).
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendError(service, request, reply, toApiError(error))
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(service, error, socket),
  })
  app.removeAllContentTypeParsers()
  const together = createTurn()
  // The framework remembers which parser a type has, except for the last resort: that is for requests without a type.
  for (const type of [/^/, '*'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) =>
      together(() => done(null, body)),
    )
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    if (isSecure) reply.header('strict-transport-security', HSTS)
    parts.proxyNotice.see(request.headers)
    const stage = parts.stage()
    // A proxy would use the connection again, for a request that is refused.
    if (stage !== 'open') reply.header('connection', 'close')
    if (stage === 'stopping') {
      done(new ApiError('service_unavailable', 'The service is stopping; try again.', { retryAfter: 1 }))
    } else if (openRequests.open(request.ip)) {
      reply.raw.once('close', () => openRequests.close(request.ip))
      done()
    } else if (ALWAYS_ANSWERED.has(request.url)) {
      done()
    } else {
      reply.header('connection', 'close')
      const message = 'Too many requests of this address are open; wait for some of them and retry.'
      done(new ApiError('rate_limit_exceeded', message, { retryAfter: 1 }))
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    // Small ones are bounded by the number of open requests.
    if (bytes < LARGE_ANSWER_BYTES || unsentAnswers.add(request.ip, bytes, reply.raw)) {
      done(null, payload)
    } else {
      parts.metrics.count('http_unread_answers_refused_total', {})
      done(null, refuseUnread(service, request, reply))
    }
  })
  const observer = (route: string) => tellAnswers(parts, route)
  // Each route gets its own: what a request's route is called costs more to ask than to remember.
  app.addHook('onRoute', (route) => {
    const own = [route.onResponse ?? []].flat()
    route.onResponse = [observer(route.url), ...own]
  })
  const unmatched = observer('unmatched')
  app.addHook('onResponse', function (request, reply, done) {
    if (request.is404) unmatched.call(this, request, reply, done)
    else done()
  })
  app.setErrorHandler((error, request, reply) => {
    sendError(service, request, reply, toApiError(error))
  })
  app.setNotFoundHandler((request, reply) => {
    sendError(
      service,
      request,
      reply,
      new ApiError(
        'not_found',
        `There is no ${request.method} ${redact(request.url.split('?')[0]!).slice(0, 200)}.`,
      ),
    )
  })
  const downloads = createFileGate(DOWNLOADS_AT_ONCE)
  const uploads = createFileGate(UPLOADS_AT_ONCE)
  for (const route of parts.routes) if (route.entry.streamsBody !== true) mount(app, parts, route, downloads)
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', passBody)
    for (const route of parts.routes)
      if (route.entry.streamsBody === true) mount(scope, parts, route, uploads)
    done()
  })
  return app
}

/** Of bodies that are streamed, only the announced length is checked here. */
function passBody(
  request: FastifyRequest,
  body: IncomingMessage,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const isTooLarge = Number(request.headers['content-length']) > request.routeOptions.bodyLimit
  if (isTooLarge) {
    body.resume()
    done(new ApiError('payload_too_large', 'The body is larger than this route accepts.'))
  } else done(null, body)
}

function tellAnswers({ metrics, service }: HttpParts, route: string): onResponseHookHandler {
  const meters = new Map<string, Meter>()
  return (request, reply, done) => {
    const { method } = request
    let meter = meters.get(method)
    if (meter === undefined) {
      meter = metrics.meter(method, route)
      meters.set(method, meter)
    }
    const { elapsedTime, statusCode } = reply
    meter(statusCode, elapsedTime / 1000)
    service.log.debug('request', {
      request_id: request.id,
      method,
      route,
      status: statusCode,
      duration_ms: Math.round(elapsedTime),
    })
    done()
  }
}

export function fastifyPath(path: string): string {
  return `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`
}

function mount(app: FastifyInstance, parts: HttpParts, route: Route, files: FileGate): void {
  const { entry } = route
  app.route({
    method: entry.method,
    url: fastifyPath(entry.path),
    bodyLimit: entry.bodyLimit ?? BODY_LIMIT,
    onRequest: (request, reply, done) => {
      const refused = (error: unknown) => {
        recordRefusal(parts.service, entry, request, error)
        done(error as Error)
      }
      try {
        const asking = admit(parts.service, entry, request, reply)
        if (asking === undefined) done()
        else asking.then(() => done(), refused)
      } catch (error) {
        refused(error)
      }
    },
    onResponse: (request, reply, done) => {
      if (request.caller !== undefined && request.caller.kind !== 'anonymous')
        parts.usage.count(request.caller.credentialId, entry.name, reply.statusCode < 400)
      done()
    },
    handler: async (request, reply) => {
      const holdFile = (context: AnyContext) => {
        if (entry.holdsFile !== true || !('profile' in context)) return
        const leave = files.enter((context as ProfileContext).profile.workspaceId)
        if (reply.raw.closed) leave()
        else reply.raw.once('close', leave)
      }
      const stored = await traced(
        {
          name: `${entry.method} ${entry.path}`,
          kind: 'server',
          headers: request.headers,
          attributes: () => ({
            'http.request.method': entry.method,
            'http.route': entry.path,
            'whence.request.id': request.id,
          }),
        },
        () => answer(parts.service, route, request, reply, holdFile),
      ).catch((error: unknown) => {
        recordRefusal(parts.service, entry, request, error)
        throw error
      })
      if (stored.etag === undefined) reply.header('cache-control', 'no-store')
      else reply.headers({ etag: stored.etag, 'cache-control': 'private, no-cache' })
      reply.code(stored.status)
      const { file } = stored
      if (file !== undefined && 'size' in file) cutSlowReader(reply.raw, file.size)
      if (file !== undefined) return reply.type(file.contentType).send(file.bytes)
      if (stored.body === null) return reply.send()
      return reply.type('application/json; charset=utf-8').send(stored.body)
    },
  })
}
