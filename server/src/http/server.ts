/**
 * The only place that knows the HTTP framework. Per request: route exists → credential valid →
 * body and parameters parse → scope or role → resource → state.
 */
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onResponseHookHandler,
} from 'fastify'
import type { AnyContext, Caller, ProfileContext, Service } from '../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { isRequestId, requestId } from '../contract/ids.ts'
import { isOutOfRoom } from '../db/database.ts'
import { logPersonAccess } from '../features/audit/operations.ts'
import { redact } from '../redact.ts'
import { answeredSoon, databaseAnswers } from './answered-soon.ts'
import { acceptsKind, authorize, checkProfileParameter, unauthorized } from './authorize.ts'
import { readCaller } from './credentials.ts'
import { checkKey, fingerprintOf, type Stored, withIdempotency } from './idempotency.ts'
import { parseInput } from './input.ts'
import type { Meter, Metrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import type { ProxyNotice } from './proxy-notice.ts'
import { rateHeaders, spendUnits } from './rate-limit.ts'
import { toApiError, toErrorBody } from './reply.ts'
import { type Answer, JsonText, type Route } from './route.ts'
import { createTurn } from './turn.ts'
import type { UsageCounter } from './usage.ts'

const BODY_LIMIT = 1024 * 1024
const PERSON_LEVEL_COST = 3
/** Headers are small: whoever takes longer sends them slowly on purpose. */
const HEADERS_TIMEOUT_MS = 10_000
const CHECK_TIMEOUTS_MS = 1000
/** Nothing in or out for this long: longer than any answer takes to make. */
const SILENT_CONNECTION_MS = 150_000
const HSTS = 'max-age=31536000'
/** Asked by load balancers, whose one address may be everybody's. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz'])

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
  /** What comes over a connection that is still open is refused from then on. */
  isStopping: () => boolean
}

export function createServer(parts: HttpParts): FastifyInstance {
  const { service } = parts
  const requestTimeoutMs = service.config.REQUEST_TIMEOUT_SECONDS * 1000
  const openRequests = createOpenRequests(service.config.OPEN_REQUESTS_PER_ADDRESS)
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
    if (parts.isStopping()) {
      reply.header('connection', 'close')
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
  const told = (route: string) => tellAnswers(parts, route)
  // Each route gets its own: what a request's route is called costs more to ask than to remember.
  app.addHook('onRoute', (route) => {
    const own = [route.onResponse ?? []].flat()
    route.onResponse = [told(route.url), ...own]
  })
  const unmatched = told('unmatched')
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
  for (const route of parts.routes) mount(app, parts, route)
  return app
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

function sendError(service: Service, request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  if (error.status >= 500 && (error.code !== 'database_unavailable' || isWorthTelling(error.cause)))
    service.log.error('request failed', {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      code: error.code,
      error: error.cause ?? error,
    })
  if (error.retryAfter !== null) reply.header('retry-after', String(error.retryAfter))
  if (error.code === 'unauthorized') reply.header('www-authenticate', 'Bearer realm="whence"')
  reply.header('cache-control', 'no-store')
  reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL)))
}

const TELL_NO_ROOM_MS = 30_000
let toldNoRoomAt = Number.NEGATIVE_INFINITY

/** A full disk is the operator's to know, but a line for every request would fill it further. */
function isWorthTelling(cause: unknown): boolean {
  if (!isOutOfRoom(cause) || performance.now() - toldNoRoomAt < TELL_NO_ROOM_MS) return false
  toldNoRoomAt = performance.now()
  return true
}

/** Bytes that are no HTTP request still get the envelope, where the socket can take it. */
function answerBrokenRequest(service: Service, cause: Error, socket: Socket): void {
  if (socket.writable) {
    const isLate = 'code' in cause && cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const message = isLate ? 'The request did not arrive in time.' : 'The request is not valid HTTP.'
    const error = new ApiError('invalid_request', message, { cause })
    const id = requestId()
    const { error: told } = toErrorBody(error, id, service.config.BASE_URL)
    const body = JSON.stringify({ error: { ...told, status: isLate ? 408 : told.status } })
    const head = [
      isLate ? 'HTTP/1.1 408 Request Timeout' : 'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${id}`,
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

export function fastifyPath(path: string): string {
  return `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`
}

function mount(app: FastifyInstance, parts: HttpParts, route: Route): void {
  const { entry } = route
  app.route({
    method: entry.method,
    url: fastifyPath(entry.path),
    bodyLimit: entry.bodyLimit ?? BODY_LIMIT,
    onRequest: (request, reply, done) => {
      const asking = admit(parts, entry, request, reply)
      if (asking === undefined) done()
      else asking.then(() => done(), done)
    },
    onResponse: (request, reply, done) => {
      if (request.caller !== undefined && request.caller.kind !== 'anonymous')
        parts.usage.count(request.caller.credentialId, entry.name, reply.statusCode < 400)
      done()
    },
    handler: async (request, reply) => {
      const stored = await answer(parts, route, request, reply)
      reply.header('cache-control', 'no-store')
      reply.code(stored.status)
      if (stored.file !== undefined) return reply.type(stored.file.contentType).send(stored.file.bytes)
      if (stored.body === null) return reply.send()
      return reply.type('application/json; charset=utf-8').send(stored.body)
    },
  })
}

/** Credential and rate limit, before a byte of the body is read. Nothing to wait for where the credential is remembered and the limit is the ingest's. */
function admit(
  parts: HttpParts,
  entry: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const { service } = parts
  if (entry.retired !== undefined) {
    reply.headers(retirementHeaders(entry.retired, service.config.BASE_URL))
    throw new ApiError(
      'feature_retired',
      `This endpoint is retired and goes on ${entry.retired.sunset}; use ${entry.retired.replacement} instead.`,
    )
  }
  if (entry.access.kind === 'public') {
    request.caller = { kind: 'anonymous' }
    return databaseAnswers(service.db)
  }
  const found = readCaller(service, request)
  return found instanceof Promise
    ? answeredSoon(found).then((caller) => admitCaller(parts, entry, caller, request, reply))
    : admitCaller(parts, entry, found, request, reply)
}

/** RFC 9745 and RFC 8594, with the page that tells what to use instead. */
function retirementHeaders({ since, sunset }: NonNullable<Endpoint['retired']>, baseUrl: string) {
  return {
    deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
    link: `<${baseUrl}/docs/errors#feature_retired>; rel="deprecation"; type="text/html"`,
  }
}

function admitCaller(
  { service }: HttpParts,
  entry: Endpoint,
  caller: Caller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  if (caller === undefined || !acceptsKind(entry, caller)) throw unauthorized()
  request.caller = caller
  if (caller.kind === 'anonymous' || entry.limit === 'ingest') return undefined
  return spend(service, entry, caller.credentialId, reply)
}

async function spend(
  service: Service,
  entry: Endpoint,
  credentialId: string,
  reply: FastifyReply,
): Promise<void> {
  const limit = { perMinute: service.config.RATE_LIMIT_PER_MINUTE, burst: service.config.RATE_LIMIT_BURST }
  const cost = entry.personLevel !== undefined ? PERSON_LEVEL_COST : 1
  const nowMs = service.clock.machineNow().getTime()
  const verdict = await answeredSoon(
    spendUnits(service.db, `credential:${credentialId}`, limit, cost, nowMs).catch((error: unknown) => {
      // Counting is a write: on a full disk it must not keep anybody from reading.
      if (entry.method === 'GET' && isOutOfRoom(error)) return undefined
      throw error
    }),
  )
  if (verdict === undefined) return
  reply.headers(rateHeaders(limit, verdict))
  if (!verdict.allowed)
    throw new ApiError('rate_limit_exceeded', 'Too many requests with this credential; wait and retry.', {
      retryAfter: verdict.retryAfterSeconds,
    })
}

type Ready = Stored & { file?: Answer<unknown>['file'] }

async function answer(
  parts: HttpParts,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Ready> {
  const { service } = parts
  const { entry } = route
  const raw = {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
  }
  const input = parseInput(entry, request, raw)
  checkProfileParameter(entry, request.caller, raw)
  const db = entry.slow === true ? service.patientDb : service.db
  const base: AnyContext = {
    service,
    db,
    caller: request.caller,
    now: service.clock.now(),
    log: service.log,
    requestId: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    wantsCookie: request.headers['x-whence-console'] === '1',
  }
  const context = await authorizeJudged(base, route, input, raw)
  const key = request.headers['idempotency-key']
  if (
    typeof key !== 'string' ||
    entry.method === 'GET' ||
    entry.idempotent === false ||
    request.caller.kind === 'anonymous'
  ) {
    const result = await route.handle(context as never, input)
    await logShown(context, entry)
    reply.headers(result.headers ?? {})
    return result.file === undefined
      ? render(entry, context, result)
      : { status: result.status ?? 200, body: null, file: result.file }
  }
  checkKey(key)
  const path = request.url.split('?')[0]!
  const stored = await withIdempotency(
    { service, db },
    {
      scope: holderOf(context),
      method: entry.method,
      path,
      key,
      fingerprint: fingerprintOf({
        method: entry.method,
        path,
        query: raw.query,
        body: input.raw?.bytes.toString('base64') ?? input.body,
        profileId: request.caller.kind === 'key' ? request.caller.profileId : null,
      }),
      sealed: entry.secretReply === true,
    },
    async (tx) => {
      const inside = { ...context, db: tx }
      const result = await route.handle(inside as never, input)
      await logShown(inside, entry)
      return render(entry, context, result)
    },
    (error) => ({
      status: error.status,
      body: JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL)),
    }),
  )
  if (stored.replayed) reply.header('idempotency-replayed', 'true')
  return stored
}

/** What the request alone decides comes first. Events are judged where they are read: before it only where access is refused. */
async function authorizeJudged(
  base: AnyContext,
  route: Route,
  input: Parameters<Route['handle']>[1],
  raw: Parameters<typeof authorize>[2],
): Promise<AnyContext> {
  const { entry } = route
  if (entry.limit !== 'ingest') {
    await route.judge?.(input, base)
    return authorize(base, entry, raw)
  }
  try {
    return await authorize(base, entry, raw)
  } catch (error) {
    await route.judge?.(input, base)
    throw error
  }
}

/** Whose Idempotency-Key it is. Two apps on one profile share nothing. */
function holderOf({ caller }: AnyContext): string {
  switch (caller.kind) {
    case 'key':
      return caller.appId === null ? `profile:${caller.profileId}` : `app:${caller.appId}`
    case 'user':
      return `user:${caller.userId}`
    case 'app':
      return `app:${caller.appId}`
    case 'anonymous':
      return 'anonymous'
  }
}

/** The one place that logs who was shown; an answer that shows people on a route not known to do so is not sent. */
async function logShown(context: AnyContext, entry: Endpoint): Promise<void> {
  if (!('shown' in context)) return
  const { shown } = context as ProfileContext
  if (shown.size === 0) return
  if (entry.personLevel === undefined) throw new Error(`${entry.name} shows people without being personLevel`)
  await logPersonAccess(context as ProfileContext, entry.name, [...shown])
}

function render(entry: Endpoint, context: AnyContext, result: Answer<unknown>): Stored {
  const status = result.status ?? entry.statuses[0] ?? 200
  if (status === 204) return { status, body: null }
  const rest = { ...result.beside, meta: { ...scopeMeta(context), ...result.meta } }
  if (result.data instanceof JsonText)
    return { status, body: `{"data":${result.data.text},${JSON.stringify(rest).slice(1)}` }
  return { status, body: JSON.stringify({ data: result.data, ...rest }) }
}

function scopeMeta(context: AnyContext): Record<string, string> {
  if ('profile' in context) return { profile_id: (context.profile as { id: string }).id }
  if ('workspaceId' in context && context.caller.kind !== 'app')
    return { workspace_id: context.workspaceId as string }
  if (context.caller.kind === 'app') return { client_id: context.caller.clientId }
  return {}
}
