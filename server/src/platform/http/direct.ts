/**
 * Fast path for the event ingestion routes on Node's own server: the framework would take a fifth of the CPU of such a
 * request. It handles only plain requests, with the same functions; all others go to the framework.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { Config } from '../../config.ts'
import type { Service } from '../../context.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { sendError } from './refuse.ts'
import { toApiError } from './reply.ts'
import type { Observer, RequestHooks } from './request-hooks.ts'
import type { createTickBatcher } from './tick-batch.ts'

export type DirectRoute = {
  /** Without parameters. */
  path: string
  bodyLimit: number
  /** Called before the body is read; throws or rejects with an API error. */
  admit(request: Incoming, reply: Outgoing): Promise<void> | undefined
  /** Sends the response, or rejects with an API error. */
  respond(request: Incoming, reply: Outgoing): Promise<void>
  answered: Observer
}

type Parts = {
  service: Service
  hooks: RequestHooks
  runInBatch: ReturnType<typeof createTickBatcher>
  requestIdOf: (request: IncomingMessage) => string
}

/** Other content types may still be valid; the framework handles them. */
const usualTypes = new Set(
  ['application/json', 'text/plain'].flatMap((type) =>
    ['', ';charset=utf-8', '; charset=utf-8', ';charset=UTF-8', '; charset=UTF-8'].map((end) => type + end),
  ),
)
const noParameters = Object.freeze({})
const empty = Buffer.alloc(0)

export function mountFastPath(
  parts: Parts,
  routes: readonly DirectRoute[],
  framework: RequestListener,
): RequestListener {
  const { config } = parts.service
  const byUrl = new Map<string, DirectRoute>()
  for (const route of routes) byUrl.set(route.path, route).set(`${config.BASE_PATH}${route.path}`, route)
  const addressOf = createAddressOf(config)
  return (request, response) => {
    const route = byUrl.get(request.url!)
    if (route === undefined || !isPlain(request, route)) framework(request, response)
    else serve(parts, route, request, response, addressOf(request))
  }
}

/** Client address, determined as the framework does. */
function createAddressOf({ TRUST_PROXY }: Config): (request: IncomingMessage) => string {
  if (TRUST_PROXY.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const isTrusted = proxyAddress.compile([...TRUST_PROXY])
  return (request) => proxyAddress(request, isTrusted)
}

function isPlain({ method, httpVersion, headers }: IncomingMessage, { bodyLimit }: DirectRoute): boolean {
  return (
    method === 'POST' &&
    httpVersion === '1.1' &&
    usualTypes.has(headers['content-type']!) &&
    headers['content-length'] !== undefined &&
    Number(headers['content-length']) <= bodyLimit &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  )
}

function serve(
  { service, hooks, runInBatch, requestIdOf }: Parts,
  route: DirectRoute,
  from: IncomingMessage,
  to: ServerResponse,
  ip: string,
): void {
  const startedAt = performance.now()
  const request = new DirectRequest(route, from, requestIdOf(from), ip)
  const reply = new DirectReply(hooks, request, to)
  const refuse = (error: unknown) => {
    if (!to.headersSent) sendError(service, request, reply, toApiError(error))
  }
  const read = () =>
    readBody(
      from,
      (body) =>
        runInBatch(() => {
          request.body = body
          route.respond(request, reply).catch(refuse)
        }),
      (error) => {
        reply.header('connection', 'close')
        refuse(error)
      },
    )
  to.on('finish', () => route.answered(request, to.statusCode, performance.now() - startedAt))
  const tooMany = hooks.begin(request, reply)
  if (tooMany !== undefined) {
    refuse(tooMany)
    return
  }
  try {
    const admission = route.admit(request, reply)
    if (admission === undefined) read()
    else admission.then(read, refuse)
  } catch (error) {
    refuse(error)
  }
}

/** Content-Length was sent and is within the limit. */
function readBody(from: IncomingMessage, done: (body: Buffer) => void, failed: (error: Error) => void): void {
  let first: Buffer = empty
  let chunks: Buffer[] | undefined
  from.on('data', (chunk: Buffer) => {
    if (first === empty) first = chunk
    else if (chunks === undefined) chunks = [first, chunk]
    else chunks.push(chunk)
  })
  from.on('end', () => done(chunks === undefined ? first : Buffer.concat(chunks)))
  from.on('error', failed)
}

class DirectRequest implements Incoming {
  readonly id: string
  readonly ip: string
  readonly url: string
  readonly method = 'POST'
  readonly headers: Incoming['headers']
  readonly params = noParameters
  readonly query = noParameters
  readonly routeOptions: Incoming['routeOptions']
  body: unknown
  // Set after authentication, as on the framework's request.
  caller!: Incoming['caller']
  fault: Incoming['fault'] = undefined

  constructor({ path }: DirectRoute, from: IncomingMessage, id: string, ip: string) {
    this.id = id
    this.ip = ip
    this.url = path
    this.headers = from.headers
    this.routeOptions = { url: path }
  }
}

class DirectReply implements Outgoing {
  readonly raw: ServerResponse
  readonly #hooks: RequestHooks
  readonly #request: DirectRequest
  readonly #headers: OutgoingHttpHeaders = {}
  #status = 200

  constructor(hooks: RequestHooks, request: DirectRequest, raw: ServerResponse) {
    this.#hooks = hooks
    this.#request = request
    this.raw = raw
  }
  header(name: string, value: string): void {
    this.#headers[name.toLowerCase()] = value
  }
  headers(values: Record<string, string | string[]>): void {
    for (const name in values) this.#headers[name.toLowerCase()] = values[name]
  }
  hasHeader(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined
  }
  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()]
  }
  code(status: number): void {
    this.#status = status
  }
  type(contentType: string): void {
    this.#headers['content-type'] = contentType
  }
  send(body: string): void {
    const text = this.#hooks.toSend(this.#request, this, body) as string
    const bytes = Buffer.byteLength(text)
    this.#headers['content-length'] = bytes
    this.raw.writeHead(this.#status, this.#headers)
    // Header and body are one write; latin1 is cheaper to encode than UTF-8.
    this.raw.end(text, bytes === text.length ? 'latin1' : 'utf8')
  }
}
