/** Calls operations: authentication, retries with one idempotency key, pagination, typed errors. */
import { ConnectionError, type ErrorFields, toError } from './errors.ts'
import type { Operation, RawBody } from './operation.ts'
import { isRetryable, waitBefore } from './retries.ts'

export type ClientOptions = {
  /** Base URL of the service, for example https://whence.example. On a page of the service itself: the path before `/api`. */
  baseUrl: string
  /** An API key or user token. Without one and without `app`, a browser sends the session cookie of its own origin. */
  token?: string
  /** The credentials of a partner app, for its own routes. */
  app?: { clientId: string; clientSecret: string }
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Retries after the first attempt; default 3. With 0, a write has an idempotency key only if the call sets one. */
  maxRetries?: number
  /** Timeout of one attempt in milliseconds; default 60,000. */
  timeoutMs?: number
  fetch?: typeof fetch
  /** For tests. */
  sleep?: (ms: number) => Promise<void>
}

export type CallOptions = {
  /** Used instead of a generated key, to retry a call of another process. */
  idempotencyKey?: string
  signal?: AbortSignal
}

type Parts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  raw?: RawBody<string>
}
/** The input may be omitted if all its parts are optional. */
export type Arguments<Input> =
  Partial<Input> extends Input
    ? [input?: NoInfer<Input> & CallOptions]
    : [input: NoInfer<Input> & CallOptions]
export type Page<Row> = { data: Row[]; pagination: { has_next: boolean; cursor: string | null } }

export type Client = {
  call<Input, Output>(operation: Operation<Input, Output>, ...input: Arguments<Input>): Promise<Output>
  /** Iterates over all rows of a list, page by page. */
  rows<Input, Row>(operation: Operation<Input, Page<Row>>, ...input: Arguments<Input>): AsyncGenerator<Row>
}

export function createClient(options: ClientOptions): Client {
  const { maxRetries = 3, timeoutMs = 60_000, sleep = pause } = options
  const authorization = authorizationOf(options)
  const send = options.fetch ?? fetch

  async function call<Output>(operation: Operation<unknown, Output>, input: Parts & CallOptions = {}) {
    const url = urlOf(options.baseUrl, operation, input)
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...options.headers,
      ...authorization,
    }
    const isOwnKey =
      maxRetries > 0 && operation.batch === undefined && !(operation.isEvent && carriesMoney(input.body))
    const key = input.idempotencyKey ?? (isOwnKey ? newIdempotencyKey() : undefined)
    if (operation.takesKey && key !== undefined) headers['idempotency-key'] = key
    const body = bodyOf(operation, input)
    if (body !== undefined) headers['content-type'] = input.raw?.type ?? 'application/json'
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(
        url,
        { method: operation.method, headers, ...(body === undefined ? {} : { body }) },
        input,
      )
      if (outcome instanceof Response && outcome.ok) return readBody<Output>(operation, outcome)
      const { error, retryAfter, isFinal } = await failureOf(outcome, isIdempotent(operation))
      const waitMs = waitBefore(attempt, retryAfter, Math.random(), Date.now())
      if (isFinal || attempt > maxRetries || waitMs === undefined || input.signal?.aborted) throw error
      await sleep(waitMs)
    }
  }

  async function tryOnce(
    url: string,
    request: RequestInit,
    { signal }: CallOptions,
  ): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await send(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    } catch (error) {
      return error as Error
    }
  }

  async function* rows<Row>(operation: Operation<unknown, Page<Row>>, input: Parts & CallOptions = {}) {
    let query = input.query
    for (;;) {
      const { data, pagination } = await call(operation, { ...input, ...(query ? { query } : {}) })
      yield* data
      if (!pagination.has_next) return
      query = { ...query, cursor: pagination.cursor }
    }
  }

  return { call, rows } as Client
}

/** Reads, and writes that the service deduplicates. */
const isIdempotent = (operation: Operation<unknown, unknown>) =>
  operation.method === 'GET' || operation.takesKey === true || operation.batch !== undefined

async function failureOf(outcome: Response | Error, isIdempotent: boolean) {
  if (outcome instanceof Error)
    return { error: new ConnectionError(outcome), retryAfter: null, isFinal: !isIdempotent }
  const text = await outcome.text().catch(() => '')
  const fields = readError(text)
  // A rate-limited request did nothing, so any operation is safe to retry.
  const isRateLimited = outcome.status === 429
  return {
    error: toError(outcome.status, fields),
    retryAfter: outcome.headers.get('retry-after'),
    isFinal: !isRetryable(outcome.status, fields.code) || !(isIdempotent || isRateLimited),
  }
}

function readError(text: string): ErrorFields {
  try {
    return (JSON.parse(text) as { error?: ErrorFields }).error ?? {}
  } catch {
    return {}
  }
}

async function readBody<Output>(operation: Operation<unknown, Output>, reply: Response): Promise<Output> {
  if (operation.isFile) return (await reply.blob()) as Output
  return (reply.status === 204 ? null : await reply.json()) as Output
}

function authorizationOf({ token, app }: ClientOptions): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (app !== undefined) return { authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}` }
  return {}
}

/** The URL of a request, for links and for display. */
export function urlOf(
  baseUrl: string,
  { path }: Operation<unknown, unknown>,
  { params = {}, query = {} }: Pick<Parts, 'params' | 'query'> = {},
): string {
  const pathWithParams = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value))
  const text = search.size === 0 ? '' : `?${search}`
  return `${baseUrl.replace(/\/+$/, '')}${pathWithParams}${text}`
}

/** Does not use `crypto.randomUUID`, which is missing on pages without HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The API refuses money without an idempotency key. A random one would pass that check, and the same order sent twice
 * would be paid twice: the key must be the caller's, such as the number of the invoice.
 */
function carriesMoney(event: unknown): boolean {
  const value = (event as { properties?: { value?: unknown } } | undefined)?.properties?.value
  return value !== undefined && value !== null
}

/** Adds idempotency keys to batch elements without one and without money, so that a retry counts none twice. */
function bodyOf(
  operation: Operation<unknown, unknown>,
  { body, raw }: Parts,
): RequestInit['body'] | undefined {
  if (raw !== undefined) return raw.content
  if (body === undefined) return undefined
  const { batch } = operation
  if (batch === undefined) return JSON.stringify(body)
  const elements = (body as Record<string, Record<string, unknown>[]>)[batch] ?? []
  const elementsWithKeys = elements.map((element) =>
    carriesMoney(element) ? element : { idempotency_key: newIdempotencyKey(), ...element },
  )
  return JSON.stringify({ ...(body as object), [batch]: elementsWithKeys })
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
