/**
 * The only file that depends on the HTTP framework. Order of checks per request: route exists → credential valid →
 * body and parameters parse → scope or role → resource → state.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Caller, Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { ErrorCode } from '../contract/error-catalogue.ts'
import { ApiError } from '../contract/errors.ts'
import { isRequestId, requestId } from '../contract/ids.ts'
import { redact } from '../redact.ts'
import { admit } from './authenticate-request.ts'
import { withoutBasePath } from './base-path.ts'
import { type DirectRoute, mountFastPath } from './direct.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { createFileGate, type FileGate } from './file-gate.ts'
import type { Metrics } from './metrics.ts'
import { mountPageRoutes, type PageRoute, respondWithPage } from './page-route.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { recordRefusal, respondToInvalidHttp, sendError } from './refuse.ts'
import { toApiError } from './reply.ts'
import { createRequestHooks, type RequestHooks, type Stage } from './request-hooks.ts'
import { respond } from './respond.ts'
import type { Route } from './route.ts'
import { createTickBatcher } from './tick-batch.ts'
import type { UsageCounter } from './usage.ts'

export type { Stage } from './request-hooks.ts'

const BODY_LIMIT = 1024 * 1024
/** Headers are small: a slower client is slow on purpose. */
const HEADERS_TIMEOUT_MS = 10_000
const CHECK_TIMEOUTS_MS = 1000
/** Idle timeout; longer than any response takes to compute. */
const SILENT_CONNECTION_MS = 150_000
const MAX_CONCURRENT_DOWNLOADS = 32
/** With an Idempotency-Key, each occupies one of the 20 database connections. */
const MAX_CONCURRENT_UPLOADS = 8

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after authentication. */
    caller: Caller
    /** The error code of the response, if it is a fault of the service. */
    fault: ErrorCode | undefined
  }
}

export type HttpParts = {
  service: Service
  routes: readonly Route[]
  pages: readonly PageRoute[]
  metrics: Metrics
  usage: UsageCounter
  proxyNotice: ProxyNotice
  stage: () => Stage
}

/**
 * The contract validates requests and writes responses, so routes have no schema for the framework. Its default compilers
 * would load 107 modules and 3.5 MB for nothing.
 */
function refuseSchema(): never {
  throw new Error(
    'A route has a schema of the framework: requests and responses are described in its contract',
  )
}

export function createServer(parts: HttpParts): FastifyInstance {
  const { service } = parts
  const requestTimeoutMs = service.config.REQUEST_TIMEOUT_SECONDS * 1000
  const hooks = createRequestHooks(parts)
  const app = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    trustProxy: service.config.TRUST_PROXY.length === 0 ? false : service.config.TRUST_PROXY,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: SILENT_CONNECTION_MS,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    },
    genReqId: requestIdOf,
    rewriteUrl: ({ url }) => withoutBasePath(service.config, url ?? '/'),
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    // Fastify's response would not be the envelope; the hook below sends ours.
    return503OnClosing: false,
    // Errors of the router before any hook (a path that cannot be decoded, an overlong segment).
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendError(service, request, reply, toApiError(error))
    },
    clientErrorHandler: (error, socket) => respondToInvalidHttp(service, error, socket),
  })
  app.removeAllContentTypeParsers()
  const runInBatch = createTickBatcher()
  // The framework caches the parser per content type, except for '*', which handles requests without a type.
  for (const type of [/^/, '*'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) =>
      runInBatch(() => done(null, body)),
    )
  app.decorateRequest('caller')
  app.decorateRequest('fault', undefined)
  app.addHook('onRequest', (request, reply, done) => done(hooks.begin(request, reply)))
  app.addHook('onSend', (request, reply, payload, done) => done(null, hooks.toSend(request, reply, payload)))
  // One observer per route, because looking up a request's route name is slower than storing it.
  app.addHook('onRoute', (route) => {
    const answered = hooks.observer(route.url)
    const existing = [route.onResponse ?? []].flat()
    route.onResponse = [
      (request, reply, done) => {
        answered(request, reply.statusCode, reply.elapsedTime)
        done()
      },
      ...existing,
    ]
  })
  const unmatched = hooks.observer('unmatched')
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) unmatched(request, reply.statusCode, reply.elapsedTime)
    done()
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
  const downloads = createFileGate(MAX_CONCURRENT_DOWNLOADS)
  const uploads = createFileGate(MAX_CONCURRENT_UPLOADS)
  for (const route of parts.routes) if (route.entry.streamsBody !== true) mount(app, parts, route, downloads)
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', passBody)
    for (const route of parts.routes)
      if (route.entry.streamsBody === true) mount(scope, parts, route, uploads)
    done()
  })
  mountPageRoutes(app, service, parts.pages)
  const [framework] = app.server.listeners('request') as [RequestListener]
  app.server.removeListener('request', framework)
  app.server.on(
    'request',
    mountFastPath(
      { service, hooks, runInBatch, requestIdOf },
      directRoutes(parts, hooks, downloads),
      framework,
    ),
  )
  return app
}

function requestIdOf({ headers }: IncomingMessage): string {
  const requestedId = headers['x-request-id']
  return typeof requestedId === 'string' && isRequestId(requestedId) ? requestedId : requestId()
}

/** Event ingestion routes, for the fast path. */
function directRoutes(parts: HttpParts, hooks: RequestHooks, files: FileGate): DirectRoute[] {
  const { service, routes, pages } = parts
  const entryRoutes = routes
    .filter(({ entry }) => entry.limit === 'ingest' && entry.method === 'POST' && !entry.path.includes('{'))
    .map((route): DirectRoute => {
      const { entry } = route
      const path = fastifyPath(entry.path)
      const observe = hooks.observer(path)
      const countUse = usageOf(parts, entry)
      return {
        path,
        bodyLimit: entry.bodyLimit ?? BODY_LIMIT,
        admit: (request, reply) => admitRecorded(service, entry, request, reply),
        respond: (request, reply) => respond(service, route, request, reply, files),
        answered: (request, status, elapsedMs) => {
          observe(request, status, elapsedMs)
          countUse(request, status)
        },
      }
    })
  const pageRoutes = pages
    .filter((page) => page.isDirect === true)
    .map(
      (page): DirectRoute => ({
        path: page.path,
        bodyLimit: page.bodyLimit ?? BODY_LIMIT,
        admit: () => undefined,
        respond: (request, reply) => respondWithPage(service, page, request, reply),
        answered: hooks.observer(page.path),
      }),
    )
  return [...entryRoutes, ...pageRoutes]
}

/** Passes a streamed body through; only its Content-Length is checked here. */
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

export function fastifyPath(path: string): string {
  return `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`
}

function mount(app: FastifyInstance, parts: HttpParts, route: Route, files: FileGate): void {
  const { entry } = route
  const countUse = usageOf(parts, entry)
  app.route({
    method: entry.method,
    url: fastifyPath(entry.path),
    bodyLimit: entry.bodyLimit ?? BODY_LIMIT,
    onRequest: (request, reply, done) => {
      try {
        const admission = admitRecorded(parts.service, entry, request, reply)
        if (admission === undefined) done()
        else admission.then(() => done(), done)
      } catch (error) {
        done(error as Error)
      }
    },
    onResponse: (request, reply, done) => {
      countUse(request, reply.statusCode)
      done()
    },
    handler: async (request, reply) => {
      await respond(parts.service, route, request, reply, files)
      return reply
    },
  })
}

function admitRecorded(
  service: Service,
  entry: Endpoint,
  request: Incoming,
  reply: Outgoing,
): Promise<void> | undefined {
  const recordAndThrow = (error: unknown): never => {
    recordRefusal(service, entry, request, error)
    throw error
  }
  try {
    return admit(service, entry, request, reply)?.catch(recordAndThrow)
  } catch (error) {
    return recordAndThrow(error)
  }
}

function usageOf({ usage }: HttpParts, { name }: Endpoint) {
  return ({ caller }: Incoming, status: number) => {
    if (caller !== undefined && caller.kind !== 'anonymous')
      usage.count(caller.credentialId, name, status < 400)
  }
}
