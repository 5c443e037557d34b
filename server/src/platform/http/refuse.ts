/** Refusals: the error envelope, what is logged of it, and an answer to bytes that are no HTTP request. */
import type { Socket } from 'node:net'
import type { Service } from '../../context.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { requestId } from '../contract/ids.ts'
import { isOutOfRoom } from '../db/database.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { readJson } from './json.ts'
import { toApiError, toErrorBody } from './reply.ts'

export function sendError(service: Service, request: Incoming, reply: Outgoing, error: ApiError): void {
  if (error.status >= 500 && isFault(error))
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

/** In place of an answer that would add to what the address has not read yet. */
export function refuseUnread(service: Service, request: Incoming, reply: Outgoing): string {
  const message = 'Too many answers to this address are unread; read them and retry.'
  const error = new ApiError('rate_limit_exceeded', message, { retryAfter: 1 })
  for (const name of ['content-encoding', 'content-length', 'etag']) reply.removeHeader(name)
  reply.code(error.status)
  reply.type('application/json; charset=utf-8')
  reply.headers({ 'cache-control': 'no-store', 'retry-after': '1', connection: 'close' })
  return JSON.stringify(toErrorBody(error, request.id, service.config.BASE_URL))
}

/** Keeps what was wrong with an event for a few days: a sender who lost the answer can look it up. */
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

/** A person's request names a profile that may be another tenant's, so only a key's own profile counts. */
function profileOf({ caller }: Incoming): string | null {
  return caller?.kind === 'key' ? caller.profileId : null
}

const TELL_NO_ROOM_MS = 30_000
let loggedNoRoomAt = Number.NEGATIVE_INFINITY

/** A process that stops, or a deployment without billing, refuses as it should. */
function isFault({ code, cause }: ApiError): boolean {
  if (code === 'database_unavailable') return isWorthTelling(cause)
  return code !== 'service_unavailable' || cause !== undefined
}

/** A full disk is the operator's to know, but a line for every request would fill it further. */
function isWorthTelling(cause: unknown): boolean {
  if (!isOutOfRoom(cause) || performance.now() - loggedNoRoomAt < TELL_NO_ROOM_MS) return false
  loggedNoRoomAt = performance.now()
  return true
}

/** Bytes that are no HTTP request still get the envelope, where the socket can take it. */
export function answerBrokenRequest(service: Service, cause: Error, socket: Socket): void {
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
