/**
 * HTTP client of the connectors: an `Outbound` that retries with full jitter and has a circuit breaker per origin,
 * and a JSON call whose response is parsed with a schema. Clock, random numbers and sleep are injected, so that
 * tests of retries do not wait.
 */

import type { z } from 'zod'
import {
  type BodyStream,
  type Outbound,
  OutboundError,
  type OutboundReply,
  type OutboundRequest,
} from '../platform/outbound/outbound.ts'
import { backoffMs, retryAfterMs } from '../platform/retry.ts'
import { ProviderError } from './connector.ts'
import { parseJson } from './json.ts'
import { providerMessageIn, refusalMessages } from './provider-messages.ts'

export type ProviderHttpOptions = {
  now?: () => number
  /** Between 0 and 1, like `Math.random`. */
  random?: () => number
  sleep?: (ms: number) => Promise<void>
  maxTries?: number
  /** Default timeout of one attempt. */
  tryTimeoutMs?: number
  baseDelayMs?: number
  maxDelayMs?: number
  /** A longer Retry-After is returned to the caller, who can reschedule, instead of waiting. */
  maxRetryAfterMs?: number
}

/** One client per provider, so that a failing provider does not open another provider's circuit breaker. */
export type ProviderHttp = Outbound & {
  /** Same circuit breaker, but all attempts and delays together stay within the budget. */
  within(budgetMs: number): ProviderHttp
}

const breakerFailures = 5
const breakerWindowMs = 30_000

/** Circuit breaker per origin: opens after five failures in thirty seconds; one successful probe closes it. */
function createBreaker(now: () => number) {
  const failures = new Map<string, number[]>()
  const openUntil = new Map<string, number>()
  return {
    check(origin: string): void {
      const until = openUntil.get(origin)
      if (until === undefined) return
      if (now() < until) throw new OutboundError('breaker_open', `Provider ${origin} keeps failing`)
      // The first caller after the pause is the probe; other calls are refused until it has finished.
      openUntil.set(origin, now() + breakerWindowMs)
    },
    failed(origin: string): void {
      const recent = (failures.get(origin) ?? []).filter((at) => at > now() - breakerWindowMs)
      recent.push(now())
      failures.set(origin, recent)
      if (recent.length >= breakerFailures) openUntil.set(origin, now() + breakerWindowMs)
    },
    succeeded(origin: string): void {
      failures.delete(origin)
      openUntil.delete(origin)
    },
  }
}

export function createProviderHttp(outbound: Outbound, options: ProviderHttpOptions = {}): ProviderHttp {
  const now = options.now ?? Date.now
  const random = options.random ?? Math.random
  const sleep = options.sleep ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))
  const maxTries = options.maxTries ?? 4
  const tryTimeoutMs = options.tryTimeoutMs ?? 20_000
  const baseDelayMs = options.baseDelayMs ?? 250
  const maxDelayMs = options.maxDelayMs ?? 8_000
  const maxRetryAfterMs = options.maxRetryAfterMs ?? 20_000
  const breaker = createBreaker(now)

  async function tryOnce(request: OutboundRequest, origin: string): Promise<OutboundReply | OutboundError> {
    breaker.check(origin)
    try {
      const reply = await outbound.send(request)
      if (reply.status >= 500 && request.isFinalReply?.(reply) !== true) breaker.failed(origin)
      else breaker.succeeded(origin)
      return reply
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (error.kind === 'timeout' || error.kind === 'unreachable') breaker.failed(origin)
      return error
    }
  }

  function pauseBefore(
    attempt: number,
    outcome: OutboundReply | OutboundError,
    isFinalReply: OutboundRequest['isFinalReply'],
  ): number | null {
    if (outcome instanceof OutboundError) {
      if (outcome.kind !== 'timeout' && outcome.kind !== 'unreachable') return null
    } else if ((outcome.status !== 429 && outcome.status < 500) || isFinalReply?.(outcome) === true)
      return null
    const jittered = random() * backoffMs(attempt, { firstMs: baseDelayMs, maxMs: maxDelayMs })
    if (outcome instanceof OutboundError) return jittered
    const retryAfter = retryAfterSeconds(outcome.headers, now())
    if (retryAfter === null) return jittered
    return retryAfter * 1000 > maxRetryAfterMs ? null : Math.max(retryAfter * 1000, jittered)
  }

  function withBudget(budgetMs: number | null): ProviderHttp {
    return {
      async send(request) {
        const origin = new URL(request.url).origin
        const endsAt = budgetMs === null ? Number.POSITIVE_INFINITY : now() + budgetMs
        for (let attempt = 0; ; attempt++) {
          const timeoutMs = Math.min(request.timeoutMs ?? tryTimeoutMs, endsAt - now())
          const outcome = await tryOnce({ ...request, timeoutMs }, origin)
          const isLast = request.once === true || attempt + 1 >= maxTries
          const pause = isLast ? null : pauseBefore(attempt, outcome, request.isFinalReply)
          if (pause === null || now() + pause >= endsAt || request.signal?.aborted) {
            if (outcome instanceof OutboundError) throw outcome
            return outcome
          }
          await sleep(pause)
        }
      },
      close: () => outbound.close(),
      within: withBudget,
    }
  }
  return withBudget(null)
}

/** Parses Retry-After, a number or a date, to seconds; null if it is absent or invalid. */
export function retryAfterSeconds(headers: Record<string, string>, nowMs: number): number | null {
  const ms = retryAfterMs(headers['retry-after'], nowMs)
  return ms === null ? null : Math.ceil(ms / 1000)
}

export type JsonCall<T> = {
  method?: OutboundRequest['method']
  url: string
  query?: Record<string, string | number | undefined>
  headers?: Record<string, string>
  bearer?: string
  /** At most one of the two. */
  form?: Record<string, string>
  json?: unknown
  /** A body of another content type, instead of `form` and `json`. */
  raw?: { contentType: string; bytes: Uint8Array | BodyStream }
  timeoutMs?: number
  once?: boolean
  /** Parses the body of a 2xx response; an empty body is passed as null. */
  schema: z.ZodType<T>
  /** True for a 5xx response that is a deliberate refusal: it is not retried and does not count for the circuit breaker. */
  isFinalReply?: (reply: { status: number; body: unknown; headers: Record<string, string> }) => boolean
  /** Maps the provider's error body of a response that is not 2xx; null falls back to the status. */
  refusal?: (reply: {
    status: number
    body: unknown
    headers: Record<string, string>
  }) => ProviderError | null
}

export const callJson = async <T>(http: Outbound, call: JsonCall<T>): Promise<T> =>
  (await callForReply(http, call)).data

/** Also returns the response headers, for providers that paginate through them. */
export async function callForReply<T>(
  http: Outbound,
  call: JsonCall<T>,
): Promise<{ data: T; headers: Record<string, string> }> {
  const reply = await send(http, call)
  const body = readBody(reply)
  if (reply.status < 200 || reply.status > 299) throw toRefusal(call, reply, body)
  if (body.type === 'garbled') {
    throw new ProviderError('malformed', 'The provider’s response is not JSON')
  }
  const parsed = call.schema.safeParse(body.value)
  if (!parsed.success) {
    const issuePaths = parsed.error.issues.map((issue) => issue.path.join('.') || '(root)').slice(0, 5)
    throw new ProviderError(
      'malformed',
      `The provider's response has an unexpected form at ${issuePaths.join(', ')}`,
      {
        cause: parsed.error,
      },
    )
  }
  return { data: parsed.data, headers: reply.headers }
}

async function send(http: Outbound, call: JsonCall<unknown>): Promise<OutboundReply> {
  const url = new URL(call.url)
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers }
  if (call.bearer !== undefined) headers.authorization = `Bearer ${call.bearer}`
  let body: string | Uint8Array | BodyStream | undefined
  if (call.raw) {
    headers['content-type'] = call.raw.contentType
    body = call.raw.bytes
  } else if (call.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded'
    body = new URLSearchParams(call.form).toString()
  } else if (call.json !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(call.json)
  }
  try {
    return await http.send({
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      url: url.toString(),
      headers,
      ...(body === undefined ? {} : { body }),
      ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
      ...(call.once === true ? { once: true } : {}),
      ...(call.isFinalReply === undefined
        ? {}
        : { isFinalReply: (reply) => call.isFinalReply!(toRead(reply)) }),
    })
  } catch (error) {
    throw toProviderError(error)
  }
}

/** Maps a failed request to a `ProviderError`. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'too_large')
    return new ProviderError('malformed', 'The provider’s response is too large', { cause: error })
  return new ProviderError('unavailable', `The provider did not respond (${error.kind})`, {
    cause: error,
    providerCode: error.kind,
  })
}

function toRead(reply: OutboundReply) {
  const body = readBody(reply)
  return { ...reply, body: body.type === 'json' ? body.value : null }
}

type Body = { type: 'json'; value: unknown } | { type: 'garbled' }

function readBody(reply: OutboundReply): Body {
  if (reply.bytes.length === 0) return { type: 'json', value: null }
  try {
    return { type: 'json', value: parseJson(new TextDecoder('utf-8', { fatal: true }).decode(reply.bytes)) }
  } catch {
    return { type: 'garbled' }
  }
}

function toRefusal(call: JsonCall<unknown>, reply: OutboundReply, body: Body): ProviderError {
  const value = body.type === 'json' ? body.value : null
  const refusal = call.refusal?.({ status: reply.status, body: value, headers: reply.headers })
  if (refusal) return withProviderMessage(refusal, value)
  return refusalByStatus(reply.status, value, retryAfterSeconds(reply.headers, Date.now()))
}

/** Adds the provider's message to a refusal that a connector built without one. */
function withProviderMessage(error: ProviderError, body: unknown): ProviderError {
  if (error.providerMessage !== null) return error
  const { reason, message, providerCode, retryAfterSeconds: retryAfter, cause } = error
  const providerMessage = providerMessageIn(body)
  return new ProviderError(reason, message, {
    providerCode,
    providerMessage,
    retryAfterSeconds: retryAfter,
    cause,
  })
}

/** Default mapping of a status, for error bodies without a provider-specific meaning. */
export function refusalByStatus(status: number, body: unknown, retryAfter: number | null): ProviderError {
  const code = oauthCode(body)
  const details = {
    providerCode: code ?? String(status),
    providerMessage: providerMessageIn(body),
    retryAfterSeconds: retryAfter,
  }
  if (status === 429) return new ProviderError('rate_limited', refusalMessages.rate_limited, details)
  if (status >= 500) return new ProviderError('unavailable', `The provider failed with ${status}`, details)
  // The deployment's registration is wrong; a new consent does not fix that.
  if (code === 'invalid_client') {
    return new ProviderError(
      'unavailable',
      'The provider rejected this deployment’s app registration',
      details,
    )
  }
  if (code === 'invalid_grant' || status === 401) {
    return new ProviderError('invalid_grant', refusalMessages.invalid_grant, details)
  }
  if (status === 403)
    return new ProviderError('permission_missing', refusalMessages.permission_missing, details)
  if (status === 404) return new ProviderError('not_found', refusalMessages.not_found, details)
  return new ProviderError('rejected', `The provider refused with ${status}`, details)
}

/** The field `error` of an OAuth 2.0 error body. */
function oauthCode(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  return typeof body.error === 'string' ? body.error : null
}

/** Fields of the provider that a schema does not name, stored so that no data is lost silently. */
export function fieldsAside(
  schema: { shape: Record<string, unknown> },
  value: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in schema.shape)))
}
