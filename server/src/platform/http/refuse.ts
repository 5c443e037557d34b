/** Error responses: the envelope, logging, and the response to bytes that are not an HTTP request. */
import type { Socket } from 'node:net'
import type { Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { intendedCodes } from '../contract/error-catalogue.ts'
import { ApiError } from '../contract/errors.ts'
import { requestId } from '../contract/ids.ts'
import { isConflict, isOutOfSpace } from '../db/database.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { readJson } from './json.ts'
import { toApiError, toErrorBody } from './reply.ts'

export function sendError(service: Service, request: Incoming, reply: Outgoing, error: ApiError): void {
  if (isFault(error)) request.fault = error.code
  if (request.fault !== undefined && shouldLog(error))
    service.log.error('request failed', {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      code: error.code,
      error: error.cause ?? error,
    })
  if (error.retryAfter !== null) reply.header('retry-after', String(error.retryAfter))
  if (error.code === 'unauthorized' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="whence"')
  reply.header('cache-control', 'no-store')
  reply.code(error.status)
  reply.type('application/json; charset=utf-8')
  reply.send(JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL)))
}

/** Sent instead of a response if the address has too many unread responses. */
export function refuseUnread(service: Service, request: Incoming, reply: Outgoing): string {
  const message = 'Too many responses to this address are unread; read them and retry.'
  const error = new ApiError('rate_limit_exceeded', message, { retryAfter: 1 })
  for (const name of ['content-encoding', 'content-length', 'etag']) reply.removeHeader(name)
  reply.code(error.status)
  reply.type('application/json; charset=utf-8')
  reply.headers({ 'cache-control': 'no-store', 'retry-after': '1', connection: 'close' })
  return JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL))
}

/** Stores rejections of events for a few days, so that senders who lost the response can look them up. */
export function recordRefusal(service: Service, entry: Endpoint, request: Incoming, cause: unknown): void {
  if (entry.limit !== 'ingest') return
  const { status, code, message } = toApiError(cause)
  if (status >= 500 || code === 'rate_limit_exceeded') return
  const reading = Buffer.isBuffer(request.body) ? readJson(request.body) : undefined
  const header = request.headers['idempotency-key']
  service.refusals.add({
    profileId: profileOf(request),
    requestId: request.id,
    status,
    code,
    message,
    event: {
      idempotency_key: header,
      ...(reading?.ok && typeof reading.value === 'object' ? reading.value : {}),
    },
  })
}

/** Only an API key's profile is trusted: `profile_id` of a person's request may belong to another tenant. */
function profileOf({ caller }: Incoming): string | null {
  return caller?.kind === 'key' ? caller.profileId : null
}

const LOG_OUT_OF_SPACE_MS = 30_000
let loggedOutOfSpaceAt = Number.NEGATIVE_INFINITY

/** By code: a stopping process, or a deployment without billing, refuses as intended. Counted, for the alert WhenceErrors. */
function isFault({ status, code, cause }: ApiError): boolean {
  if (status < 500 || intendedCodes.has(code)) return false
  return code !== 'service_unavailable' || cause !== undefined
}

/** An outage is logged elsewhere. Operators must learn of a full disk, but a log line per request would fill it further. */
function shouldLog({ code, cause }: ApiError): boolean {
  if (code !== 'database_unavailable' || isConflict(cause)) return true
  if (!isOutOfSpace(cause) || performance.now() - loggedOutOfSpaceAt < LOG_OUT_OF_SPACE_MS) return false
  loggedOutOfSpaceAt = performance.now()
  return true
}

/** Responds to an invalid HTTP request with the error envelope if the socket is writable. */
export function respondToInvalidHttp(service: Service, cause: Error, socket: Socket): void {
  if (socket.writable) {
    const isLate = 'code' in cause && cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const message = isLate ? 'The request did not arrive in time.' : 'The request is not valid HTTP.'
    const error = new ApiError('invalid_request', message, { cause })
    const id = requestId()
    const { error: details } = toErrorBody(error, id, service.config.BASE_URL)
    const body = JSON.stringify({ error: { ...details, status: isLate ? 408 : details.status } })
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
