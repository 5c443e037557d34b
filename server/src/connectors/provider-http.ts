/**
 * How connectors call a provider: an `Outbound` that retries with full jitter and stops asking a
 * provider that keeps failing, and one JSON call whose reply is parsed by a schema. Time, chance and
 * sleep are arguments, so that tests of the waiting take no time.
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
import { providerWords, refusalWords } from './provider-words.ts'

export type ProviderHttpOptions = {
  now?: () => number
  /** Between 0 and 1, like `Math.random`. */
  random?: () => number
  sleep?: (ms: number) => Promise<void>
  maxTries?: number
  /** Budget of one try where the call names none. */
  tryTimeoutMs?: number
  baseDelayMs?: number
  maxDelayMs?: number
  /** A longer Retry-After is not waited for here; it goes back to the caller, who can reschedule. */
  maxRetryAfterMs?: number
}

/** One per provider, so that a dead provider opens no other provider's breaker. */
export type ProviderHttp = Outbound & {
  /** The same breaker, but all tries and waits together end within the budget. */
  within(budgetMs: number): ProviderHttp
}

const breakerFailures = 5
const breakerWindowMs = 30_000

/** Opens per origin after five failures in thirty seconds; one probe closes it again. */
function createBreaker(now: () => number) {
  const failures = new Map<string, number[]>()
  const openUntil = new Map<string, number>()
  return {
    check(origin: string): void {
      const until = openUntil.get(origin)
      if (until === undefined) return
      if (now() < until) throw new OutboundError('breaker_open', `Provider ${origin} keeps failing`)
      // The first caller after the pause is the probe; the others stay refused until it has finished.
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
      if (reply.status >= 500 && request.isAnswer?.(reply) !== true) breaker.failed(origin)
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
    isAnswer: OutboundRequest['isAnswer'],
  ): number | null {
    if (outcome instanceof OutboundError) {
      if (outcome.kind !== 'timeout' && outcome.kind !== 'unreachable') return null
    } else if ((outcome.status !== 429 && outcome.status < 500) || isAnswer?.(outcome) === true) return null
    const jittered = random() * backoffMs(attempt, { firstMs: baseDelayMs, maxMs: maxDelayMs })
    if (outcome instanceof OutboundError) return jittered
    const asked = retryAfterSeconds(outcome.headers, now())
    if (asked === null) return jittered
    return asked * 1000 > maxRetryAfterMs ? null : Math.max(asked * 1000, jittered)
  }

  function make(budgetMs: number | null): ProviderHttp {
    return {
      async send(request) {
        const origin = new URL(request.url).origin
        const endsAt = budgetMs === null ? Number.POSITIVE_INFINITY : now() + budgetMs
        for (let attempt = 0; ; attempt++) {
          const timeoutMs = Math.min(request.timeoutMs ?? tryTimeoutMs, endsAt - now())
          const outcome = await tryOnce({ ...request, timeoutMs }, origin)
          const isLast = request.once === true || attempt + 1 >= maxTries
          const pause = isLast ? null : pauseBefore(attempt, outcome, request.isAnswer)
          if (pause === null || now() + pause >= endsAt || request.signal?.aborted) {
            if (outcome instanceof OutboundError) throw outcome
            return outcome
          }
          await sleep(pause)
        }
      },
      close: () => outbound.close(),
      within: make,
    }
  }
  return make(null)
}

/** Seconds to wait, from a number or a date; null when the header is absent or means nothing. */
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
  /** Bytes of another kind instead. */
  raw?: { contentType: string; bytes: Uint8Array | BodyStream }
  timeoutMs?: number
  once?: boolean
  /** Parses the body of a 2xx reply; an empty body is given to it as null. */
  schema: z.ZodType<T>
  /** A 5xx that says more than that the provider failed, and is not to be asked again. */
  isAnswer?: (reply: { status: number; body: unknown; headers: Record<string, string> }) => boolean
  /** The provider's own way to refuse, read from a body that is not 2xx; null leaves it to the status. */
  refusal?: (reply: {
    status: number
    body: unknown
    headers: Record<string, string>
  }) => ProviderError | null
}

export const callJson = async <T>(http: Outbound, call: JsonCall<T>): Promise<T> =>
  (await callForReply(http, call)).data

/** The same with the headers of the reply, where a provider pages by them. */
export async function callForReply<T>(
  http: Outbound,
  call: JsonCall<T>,
): Promise<{ data: T; headers: Record<string, string> }> {
  const reply = await send(http, call)
  const body = readBody(reply)
  if (reply.status < 200 || reply.status > 299) throw refused(call, reply, body)
  if (body.type === 'garbled') {
    throw new ProviderError('malformed', 'The provider answered something that is not JSON')
  }
  const parsed = call.schema.safeParse(body.value)
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join('.') || '(root)').slice(0, 5)
    throw new ProviderError('malformed', `The provider's answer lacks its form at ${where.join(', ')}`, {
      cause: parsed.error,
    })
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
      ...(call.isAnswer === undefined ? {} : { isAnswer: (reply) => call.isAnswer!(toRead(reply)) }),
    })
  } catch (error) {
    throw toProviderError(error)
  }
}

/** Why no answer came, as a failure of the provider. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'too_large')
    return new ProviderError('malformed', 'The provider answered too much', { cause: error })
  return new ProviderError('unavailable', `The provider gave no answer (${error.kind})`, {
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

function refused(call: JsonCall<unknown>, reply: OutboundReply, body: Body): ProviderError {
  const value = body.type === 'json' ? body.value : null
  const own = call.refusal?.({ status: reply.status, body: value, headers: reply.headers })
  if (own) return withWords(own, value)
  return refusalByStatus(reply.status, value, retryAfterSeconds(reply.headers, Date.now()))
}

/** A refusal that a connector read by its own rules still carries what the provider said. */
function withWords(error: ProviderError, body: unknown): ProviderError {
  if (error.providerMessage !== null) return error
  const { reason, message, providerCode, retryAfterSeconds: retryAfter, cause } = error
  const providerMessage = providerWords(body)
  return new ProviderError(reason, message, {
    providerCode,
    providerMessage,
    retryAfterSeconds: retryAfter,
    cause,
  })
}

/** What a status means where the provider's body says nothing of its own. */
export function refusalByStatus(status: number, body: unknown, retryAfter: number | null): ProviderError {
  const code = oauthCode(body)
  const details = {
    providerCode: code ?? String(status),
    providerMessage: providerWords(body),
    retryAfterSeconds: retryAfter,
  }
  if (status === 429) return new ProviderError('rate_limited', refusalWords.rate_limited, details)
  if (status >= 500) return new ProviderError('unavailable', `The provider failed with ${status}`, details)
  // Our own registration is wrong: a new consent does not fix that.
  if (code === 'invalid_client') {
    return new ProviderError('unavailable', 'The provider does not know this deployment', details)
  }
  if (code === 'invalid_grant' || status === 401) {
    return new ProviderError('invalid_grant', refusalWords.invalid_grant, details)
  }
  if (status === 403) return new ProviderError('permission_missing', refusalWords.permission_missing, details)
  if (status === 404) return new ProviderError('not_found', refusalWords.not_found, details)
  return new ProviderError('rejected', `The provider refused with ${status}`, details)
}

/** The `error` word of an OAuth 2.0 error body. */
function oauthCode(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  return typeof body.error === 'string' ? body.error : null
}

/** What the provider sent next to the fields a schema names, so that nothing is lost silently. */
export function fieldsAside(
  schema: { shape: Record<string, unknown> },
  value: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in schema.shape)))
}
