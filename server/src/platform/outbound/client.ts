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

/** These two files of it: with fetch, websockets and mocks, which the whole package loads, a process takes 5 MB more. */
const require = createRequire(import.meta.url)
const Agent: typeof UndiciAgent = require('undici/lib/dispatcher/agent.js')
const connect: typeof buildConnector = require('undici/lib/core/connect.js')

export type OutboundOptions = {
  /** `public`: strangers name the URL, only public addresses over https. `none`: the operator configured it. */
  guard: 'public' | 'none'
  /** Networks that `public` lets through besides, also over plain http. */
  allowCidrs?: readonly string[]
  connectTimeoutMs?: number
  totalTimeoutMs?: number
  maxBytes?: number
  /** What a reply beyond `maxBytes` becomes: an error, or its first bytes. */
  oversize?: 'refuse' | 'truncate'
  /** Refuses plain http altogether. */
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
    // The whole budget of a try is one timer of ours.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  const passed = new BoundedCache<string, URL>(MAX_PASSED)
  /** The URL's text is checked once; the address behind a name is checked at every connection. */
  const checked = (text: string): URL => passed.recall(text, () => checkUrl(text, options, allowed))
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

const MAX_PASSED = 1000

/** Why a user's URL would never be called, as far as the URL alone shows; undefined if it may be. */
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

/** A literal address never reaches `lookup`, so it is judged here, in the one spelling the URL parser leaves. */
function checkUrl(text: string, options: OutboundOptions, allowed: Allowed): URL {
  const url = URL.parse(text)
  if (!url) throw new OutboundError('blocked', 'The URL is not valid')
  const plain = url.protocol === 'http:'
  if (!plain && url.protocol !== 'https:') throw new OutboundError('blocked', 'The URL is not http or https')
  if (plain && options.httpsOnly) throw new OutboundError('blocked', 'The URL is not https')
  if (plain && options.guard === 'public' && !options.allowCidrs?.length) {
    throw new OutboundError('blocked', 'The URL is not https')
  }
  if (url.username || url.password) throw new OutboundError('blocked', 'The URL carries a user name')
  const host = bareHost(url.hostname)
  if (isIP(host) && !allowed(url.protocol, host)) {
    throw new OutboundError('blocked', 'The address is not public')
  }
  return url
}

function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/**
 * The address that was judged is the address that is connected to: the name is resolved once, inside
 * the connection, so a name server that changes its answer afterwards changes nothing.
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

/** One request on the raw dispatcher: no stream and no abort signal per request, which halves its cost. */
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
    if (truncated) controller?.abort(new OutboundError('too_large', 'The rest of the reply was not read'))
  }
  const tooLarge = () =>
    options.oversize === 'truncate'
      ? succeed(true)
      : fail(new OutboundError('too_large', `The reply is larger than ${maxBytes} bytes`))
  const onAbort = () => fail(new OutboundError('timeout', 'The request was given up by its caller'))
  const budgetMs = request.timeoutMs ?? options.totalTimeoutMs ?? 20_000
  const timer = setTimeout(() => {
    // A sender or a reader that is slow says nothing of the host.
    const kind = body.isPending() || sink?.writableNeedDrain === true ? 'blocked' : 'timeout'
    fail(new OutboundError(kind, `No complete reply within ${budgetMs} ms`))
  }, budgetMs)
  request.signal?.addEventListener('abort', onAbort)
  if (request.signal?.aborted) onAbort()
  if (settled) return promise

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (settled) started.abort(new OutboundError('timeout', 'The request was given up in the queue'))
    },
    onResponseStart(_, statusCode, replyHeaders) {
      if (statusCode < 200) return
      status = statusCode
      headers = toHeaders(replyHeaders)
      if (options.oversize !== 'truncate' && Number(headers['content-length']) > maxBytes) tooLarge()
      if (settled) return
      sink = request.receive?.({ status, headers }) ?? null
      sink?.once('close', () => fail(new OutboundError('blocked', 'The reader of the reply went away')))
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

/** A streamed body moves the budget with each part, and a failure of its source is not the host's. */
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

/** Keeps the code of the failure only: messages of the layers below may quote the URL or the reply. */
function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
  if (timeoutCodes.has(code)) return new OutboundError('timeout', `No connection in time (${code})`)
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('blocked', 'The request is not valid')
  return new OutboundError('unreachable', `No reply (${code})`)
}
