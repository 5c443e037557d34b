/**
 * A collector that speaks the Segment HTTP tracking API, for servers that have one of its clients. The write key is an
 * API key with `events:write`. A refused batch is lost for ever at those clients, so one bad message refuses no other.
 */
import type { Service } from '../../../context.ts'
import { authenticateBearer } from '../../../platform/access/authenticate.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { answer } from '../../../platform/http/answer.ts'
import { unauthorized } from '../../../platform/http/authorize.ts'
import { readJson } from '../../../platform/http/json.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { toApiError, toErrorBody } from '../../../platform/http/reply.ts'
import type { Route } from '../../../platform/http/route.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { toEvent } from './to-event.ts'

const BODY_LIMIT = 512 * 1024
const MAX_MESSAGES = 1000
const types = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const

/** Messages go through the route of `POST /events/batch`, which is among these. */
export function segmentPages(eventRoutes: readonly Route[]): readonly PageRoute[] {
  const route = eventRoutes.find(({ entry }) => entry.name === sendEvents.name)!
  return [undefined, ...types].map((type) => ({
    method: 'POST',
    path: `/v1/${type ?? 'batch'}`,
    bodyLimit: BODY_LIMIT,
    handle: (service, page) => collect(service, page, route, type),
  }))
}

async function collect(
  service: Service,
  page: PageRequest,
  route: Route,
  type: (typeof types)[number] | undefined,
): Promise<PageReply> {
  try {
    const body = readBody(page)
    const caller = await authenticateBearer(service, writeKeyOf(page, body))
    if (caller?.kind !== 'key') throw unauthorized()
    const messages = type === undefined ? body.batch : [{ ...body, type }]
    if (!Array.isArray(messages) || messages.length > MAX_MESSAGES)
      throw new ApiError('invalid_request', `send an array of at most ${MAX_MESSAGES} messages.`, {
        field: 'batch',
      })
    const sent = { now: service.clock.now(), sentAt: body.sentAt }
    const events = messages.map((message) => toEvent(message, sent)).filter((event) => event !== undefined)
    if (events.length > 0)
      await answer(
        service,
        route,
        {
          params: {},
          query: {},
          body: Buffer.from(JSON.stringify({ events })),
          headers: { 'content-type': 'application/json', 'user-agent': page.headers['user-agent'] ?? '' },
          id: page.requestId,
          ip: page.ip,
          caller,
          url: '/api/v1/events/batch',
        },
        { header: () => undefined, headers: () => undefined },
      )
    return reply(200, { success: true })
  } catch (cause) {
    const error = toApiError(cause)
    if (error.status === 500)
      service.log.error('collecting failed', { request_id: page.requestId, error: cause })
    const wait: Record<string, string> =
      error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }
    return reply(error.status, toErrorBody(error, page.requestId, service.config.BASE_URL), wait)
  }
}

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): PageReply => ({
  status,
  headers,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})

/** The clients send `text/plain` or JSON. */
function readBody(page: PageRequest): Record<string, unknown> {
  const reading = readJson(page.bytes)
  if (!reading.ok) throw new ApiError('invalid_request', reading.message)
  if (typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
    throw new ApiError('invalid_request', 'The body must be a JSON object.')
  return reading.value as Record<string, unknown>
}

/** The user of Basic authentication, a bearer token, or `writeKey` in the body. */
function writeKeyOf(page: PageRequest, body: Record<string, unknown>): string {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,4096})$/i.exec(page.headers.authorization ?? '') ?? []
  if (scheme?.toLowerCase() === 'bearer') return value!
  if (value !== undefined) return Buffer.from(value, 'base64').toString('utf8').split(':')[0]!
  return typeof body.writeKey === 'string' ? body.writeKey.slice(0, 200) : ''
}
