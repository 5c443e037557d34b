/** Refusals: the error envelope, what is logged of it, and an answer to bytes that are no HTTP request. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../context.ts'
import { ApiError } from '../contract/errors.ts'
import { requestId } from '../contract/ids.ts'
import { isOutOfRoom } from '../db/database.ts'
import { toErrorBody } from './reply.ts'

export function sendError(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
): void {
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
export function answerBrokenRequest(service: Service, cause: Error, socket: Socket): void {
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
