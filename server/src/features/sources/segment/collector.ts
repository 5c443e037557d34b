/**
 * Shared by the collectors for third-party protocols. Messages pass through the route of `POST /events/batch`, so scopes,
 * limits and refusals are those of the API.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { KeyCaller, Service } from '../../../context.ts'
import { authenticateBearer } from '../../../platform/access/authenticate.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { cachedBriefly } from '../../../platform/access/short-cache.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { findCurrency, roundDecimal } from '../../../platform/contract/money.ts'
import { answer } from '../../../platform/http/answer.ts'
import { unauthorized } from '../../../platform/http/authorize.ts'
import { readJsonBatch } from '../../../platform/http/json.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { toApiError, toErrorBody } from '../../../platform/http/reply.ts'
import type { Route } from '../../../platform/http/route.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { type Json, objectOf, text } from './members.ts'

const BODY_LIMIT = 512 * 1024
const MAX_MESSAGES = 1000
const MICROS = '"timestamp_micros"'
/** Any origin may send, because the credential is in the request and never in a cookie. */
const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }

export const batchRouteOf = (eventRoutes: readonly Route[]): Route =>
  eventRoutes.find(({ entry }) => entry.name === sendEvents.name)!

type Collect = (service: Service, page: PageRequest, body: Json) => Promise<PageReply>

/** A cross-origin route for JSON bodies with a list `field`, and its preflight. */
export function collectorPages(path: string, field: string, collect: Collect): PageRoute[] {
  return [
    {
      method: 'POST',
      path,
      bodyLimit: BODY_LIMIT,
      handle: (service, page) =>
        withErrorReply(service, page, async () => collect(service, page, await readBody(page, field))),
    },
    { method: 'OPTIONS', path, handle: preflight },
  ]
}

async function preflight(): Promise<PageReply> {
  const headers = {
    ...corsHeaders,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'Authorization, Content-Type, X-Retry-Count',
    'access-control-max-age': '86400',
  }
  return { status: 204, headers, body: null }
}

/** Errors use the API's envelope and carry the CORS headers too. */
export async function withErrorReply(
  service: Service,
  page: PageRequest,
  work: () => Promise<PageReply>,
): Promise<PageReply> {
  try {
    return await work()
  } catch (cause) {
    const error = toApiError(cause)
    if (error.status === 500)
      service.log.error('collecting failed', { request_id: page.requestId, error: cause })
    const wait: Record<string, string> =
      error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }
    return reply(error.status, toErrorBody(error, page.requestId, service.config.BASE_URL), wait)
  }
}

export const reply = (status: number, body: unknown, headers: Record<string, string> = {}): PageReply => ({
  status,
  headers: { ...corsHeaders, ...headers },
  contentType: 'application/json; charset=utf-8',
  body: body === null ? null : JSON.stringify(body),
})

/** Accepts any content type. RudderStack's clients compress the body. */
async function readBody(page: PageRequest, field: string): Promise<Json> {
  const reading = readJsonBatch(quoteMicros(await inflated(page)), field)
  if (!reading.ok) throw new ApiError('invalid_request', reading.message)
  if (typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
    throw new ApiError('invalid_request', 'The body must be a JSON object.')
  return reading.value as Json
}

/** Quotes the 16-digit timestamp, which the JSON reader would refuse as a number. */
const quoteMicros = (bytes: Buffer): Buffer =>
  bytes.includes(MICROS)
    ? Buffer.from(
        bytes.toString('latin1').replace(/("timestamp_micros"\s{0,9}:\s{0,9})(\d{16,20})\b/g, '$1"$2"'),
        'latin1',
      )
    : bytes

async function inflated({ headers, bytes }: PageRequest): Promise<Buffer> {
  if (headers['content-encoding']?.toLowerCase() !== 'gzip') return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: BODY_LIMIT })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('payload_too_large', `The body may have ${BODY_LIMIT} bytes once decompressed.`)
    throw new ApiError('invalid_request', 'The body is not compressed with gzip.')
  }
}

export async function keyCallerOf(service: Service, key: string): Promise<KeyCaller> {
  const caller = await authenticateBearer(service, key)
  if (caller?.kind !== 'key') throw unauthorized()
  return caller
}

/** Each event is stored or refused independently; refusals can be listed through the API. */
export async function storeEvents(
  service: Service,
  page: PageRequest,
  { caller, route, events }: { caller: KeyCaller; route: Route; events: readonly Json[] },
): Promise<void> {
  if (events.length === 0) return
  const currency = await currencyOf(service, caller.profileId)
  const rounded = events.map((event) => withRoundedValue(event, currency))
  await answer(
    service,
    route,
    {
      params: {},
      query: {},
      body: Buffer.from(JSON.stringify({ events: rounded })),
      headers: { 'content-type': 'application/json', 'user-agent': page.headers['user-agent'] ?? '' },
      id: page.requestId,
      ip: page.ip,
      caller,
      url: '/api/v1/events/batch',
    },
    { header: () => undefined, headers: () => undefined },
  )
}

/** These clients cannot correct an amount that is refused: decimals that the currency does not have are rounded. */
function withRoundedValue(event: Json, profileCurrency: string): Json {
  const properties = objectOf(event.properties)
  const { value, currency } = properties
  const rounded = roundDecimal(value, findCurrency(text(currency, 10) ?? profileCurrency) ?? '')
  if (rounded === undefined) return event
  return { ...event, properties: { ...properties, value: rounded, value_reported: String(value) } }
}

const currencyOf = (service: Service, profileId: string) =>
  cachedBriefly(service, 'currency', profileId, async () => {
    const { db } = await service.nodes.of(profileId)
    return (await findProfileRef(db, { profileId }))?.currency ?? ''
  })

/** Elements of the array `field` of the body. */
export function listOf(body: Json, field: string): unknown[] {
  const list = body[field]
  if (!Array.isArray(list) || list.length > MAX_MESSAGES)
    throw new ApiError('invalid_request', `send an array of at most ${MAX_MESSAGES} elements.`, { field })
  return list
}
