import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP, type LookupFunction } from 'node:net'
import { Readable, type Writable } from 'node:stream'
import type { buildConnector, Dispatcher, Agent as UndiciAgent } from 'undici'
import { BoundedCache } from '../bounded-cache.ts'
import { traced } from '../tracing.ts'
import { blockList, isInside, isPublicAddress } from './addresses.ts'
import {
  type BodyStream,
  type Outbound,
  OutboundError,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.ts'

/** Loads only two files of undici: the whole package with fetch, websockets and mocks takes 5 MB more per process. */
const require = createRequire(import.meta.url)
const Agent: typeof UndiciAgent = require('undici/lib/dispatcher/agent.js')
const connect: typeof buildConnector = require('undici/lib/core/connect.js')

export type OutboundOptions = {
  /** `public`: user-supplied URLs, only public addresses over https. `none`: URLs configured by the operator. */
  guard: 'public' | 'none'
  /** Networks that `public` additionally allows, also over plain http. */
  allowCidrs?: readonly string[]
  connectTimeoutMs?: number
  totalTimeoutMs?: number
  maxBytes?: number
  /** A response beyond `maxBytes` is an error, or is truncated. */
  oversize?: 'refuse' | 'truncate'
  /** Rejects plain http in all cases. */
  httpsOnly?: boolean
  maxConnectionsPerOrigin?: number
  resolve?: Resolve
}

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

type Allowed = (protocol: string, address: string) => boolean

export function createOutbound(options: OutboundOptions): Outbound {
  const allowed = addressRule(options)
  const agent = new Agent({
    connect: guardedConnector(options, allowed),
    connections: options.maxConnectionsPerOrigin ?? 100,
    keepAliveTimeout: 30_000,
    // A single timer of ours covers the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  const checkedUrls = new BoundedCache<string, URL>(MAX_CHECKED_URLS)
  /** The URL's text is checked once; the address of its host is checked on every connection. */
  const checked = (text: string): URL => checkedUrls.recall(text, () => checkUrl(text, options, allowed))
  return {
    send: async (request) => {
      const url = checked(request.url)
      const attributes = () => ({ 'http.request.method': request.method, 'server.address': url.hostname })
      return traced({ name: `HTTP ${request.method}`, kind: 'client', attributes }, () =>
        exchange(agent, url, request, options),
      )
    },
    close: () => agent.destroy(),
  }
}

const MAX_CHECKED_URLS = 1000

/** Reason why a user-supplied URL is rejected, judging by the URL alone; undefined if it is allowed. */
export function urlRefusal(text: string, allowCidrs: readonly string[]): string | undefined {
  const options: OutboundOptions = { guard: 'public', allowCidrs }
  try {
    checkUrl(text, options, addressRule(options))
    return undefined
  } catch (error) {
    if (error instanceof OutboundError) return error.message
    throw error
  }
}

function addressRule(options: OutboundOptions): Allowed {
  if (options.guard === 'none') return () => true
  const extra = blockList(options.allowCidrs ?? [])
  return (protocol, address) =>
    isInside(extra, address) || (protocol === 'https:' && isPublicAddress(address))
}

/** A literal IP address never reaches `lookup`, so it is checked here, in the canonical form of the URL parser. */
function checkUrl(text: string, options: OutboundOptions, allowed: Allowed): URL {
  const url = URL.parse(text)
  if (!url) throw new OutboundError('blocked', 'The URL is not valid')
  const plain = url.protocol === 'http:'
  if (!plain && url.protocol !== 'https:') throw new OutboundError('blocked', 'The URL is not http or https')
  if (plain && options.httpsOnly) throw new OutboundError('blocked', 'The URL is not https')
  if (plain && options.guard === 'public' && !options.allowCidrs?.length) {
    throw new OutboundError('blocked', 'The URL is not https')
  }
  if (url.username || url.password)
    throw new OutboundError('blocked', 'The URL contains a user name or password')
  const addresses = literalAddresses(bareHost(url.hostname))
  if (addresses.length > 0 && !addresses.some((address) => allowed(url.protocol, address))) {
    throw new OutboundError('blocked', 'The address is not public')
  }
  return url
}

/** Addresses that need no lookup: names below localhost are loopback everywhere (RFC 6761). */
function literalAddresses(host: string): string[] {
  if (isIP(host)) return [host]
  return /(^|\.)localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : []
}

function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/**
 * The checked address is the one that is connected to: the name is resolved once, inside the connection, which
 * prevents DNS rebinding.
 */
function guardedConnector(options: OutboundOptions, allowed: Allowed): buildConnector.connector {
  const resolve = options.resolve ?? ((hostname) => systemLookup(hostname, { all: true }))
  const connectorFor = (protocol: string) =>
    connect({
      timeout: options.connectTimeoutMs ?? 3000,
      allowH2: false,
      lookup: guardedLookup(resolve, (address) => allowed(protocol, address)),
    })
  const secure = connectorFor('https:')
  const plain = connectorFor('http:')
  return (target, callback) => {
    const host = bareHost(target.hostname)
    if (isIP(host) && !allowed(target.protocol, host)) return callback(notPublic(), null)
    return (target.protocol === 'https:' ? secure : plain)(target, callback)
  }
}

function guardedLookup(resolve: Resolve, allowed: (address: string) => boolean): LookupFunction {
  return (hostname: string, options: LookupOptions, callback) => {
    const family = options.family === 4 || options.family === 'IPv4' ? 4 : options.family === 6 ? 6 : 0
    resolve(hostname).then(
      (answers) => {
        if (!answers.every((answer) => allowed(answer.address))) return callback(notPublic(), [])
        const usable = family === 0 ? answers : answers.filter((answer) => answer.family === family)
        const first = usable[0]
        if (!first) return callback(Object.assign(new Error('No address'), { code: 'ENOTFOUND' }), [])
        return options.all ? callback(null, usable) : callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }
}

function notPublic(): OutboundError {
  return new OutboundError('blocked', 'The address is not public')
}

/**
 * One request on undici's dispatcher directly, without a stream and abort signal per request, which halves its
 * cost.
 */
function exchange(
  agent: UndiciAgent,
  url: URL,
  request: OutboundRequest,
  options: OutboundOptions,
): Promise<OutboundReply> {
  const maxBytes = request.maxBytes ?? options.maxBytes ?? 10 * 1024 * 1024
  const { promise, resolve, reject } = Promise.withResolvers<OutboundReply>()
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Record<string, string> = {}
  let controller: Dispatcher.DispatchController | undefined
  let settled = false
  let sink: Writable | null = null
  const body = toBody(request.body, () => timer.refresh())

  const settle = () => {
    settled = true
    clearTimeout(timer)
    request.signal?.removeEventListener('abort', onAbort)
  }
  const fail = (error: OutboundError) => {
    if (settled) return
    settle()
    reject(error)
    sink?.destroy(error)
    controller?.abort(error)
  }
  const succeed = (truncated: boolean) => {
    if (settled) return
    settle()
    sink?.end()
    resolve({ status, headers, bytes: Buffer.concat(chunks, Math.min(size, maxBytes)) })
    if (truncated) controller?.abort(new OutboundError('too_large', 'The rest of the response was not read'))
  }
  const tooLarge = () =>
    options.oversize === 'truncate'
      ? succeed(true)
      : fail(new OutboundError('too_large', `The response is larger than ${maxBytes} bytes`))
  const onAbort = () => fail(new OutboundError('timeout', 'The request was aborted by its caller'))
  const budgetMs = request.timeoutMs ?? options.totalTimeoutMs ?? 20_000
  const timer = setTimeout(() => {
    // A slow body source or reader is not the host's fault.
    const kind = body.isPending() || sink?.writableNeedDrain === true ? 'blocked' : 'timeout'
    fail(new OutboundError(kind, `No complete response within ${budgetMs} ms`))
  }, budgetMs)
  request.signal?.addEventListener('abort', onAbort)
  if (request.signal?.aborted) onAbort()
  if (settled) return promise

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (settled) started.abort(new OutboundError('timeout', 'The request was aborted while queued'))
    },
    onResponseStart(_, statusCode, replyHeaders) {
      if (statusCode < 200) return
      status = statusCode
      headers = toHeaders(replyHeaders)
      if (options.oversize !== 'truncate' && Number(headers['content-length']) > maxBytes) tooLarge()
      if (settled) return
      sink = request.receive?.({ status, headers }) ?? null
      sink?.once('close', () => fail(new OutboundError('blocked', 'The reader of the response closed')))
    },
    onResponseData(current, chunk) {
      if (settled) return
      size += chunk.length
      if (sink === null) chunks.push(chunk)
      if (size > maxBytes) tooLarge()
      if (sink === null || settled) return
      timer.refresh()
      if (sink.write(chunk)) return
      current.pause()
      sink.once('drain', () => {
        if (settled) return
        timer.refresh()
        current.resume()
      })
    },
    onResponseEnd: () => succeed(false),
    onResponseError: (_, error) => fail(body.problem() ?? toOutboundError(error)),
  }
  try {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { 'user-agent': 'whence', ...body.headers, ...request.headers },
        body: body.content,
      },
      handler,
    )
  } catch (error) {
    fail(toOutboundError(error))
  }
  return promise
}

/** Each chunk of a streamed body restarts the timeout; a failure of its source is not attributed to the host. */
function toBody(body: OutboundRequest['body'], onPart: () => void) {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return { content: body ?? null, headers: {}, isPending: () => false, problem: () => null }
  let isPending = true
  let problem: OutboundError | null = null
  async function* read({ chunks }: BodyStream) {
    try {
      for await (const chunk of chunks) {
        onPart()
        yield chunk
      }
      isPending = false
    } catch (cause) {
      problem = new OutboundError('blocked', 'The body could not be read', { cause })
      throw problem
    }
  }
  return {
    content: Readable.from(read(body), { objectMode: false }),
    headers: { 'content-length': String(body.size) },
    isPending: () => isPending,
    problem: () => problem,
  }
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/** Keeps only the error code: messages of lower layers may contain the URL or the response. */
function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
  if (timeoutCodes.has(code)) return new OutboundError('timeout', `No connection in time (${code})`)
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('blocked', 'The request is not valid')
  return new OutboundError('unreachable', `No response (${code})`)
}
