/** The typed client of the contract, used by the tests: unlike the SDK's types, it allows invalid requests. */
import type { z } from 'zod'
import type { Access, Endpoint } from './endpoint.ts'
import type { ErrorBody } from './errors.ts'

export type Schema = z.ZodType

export type ClientOptions = {
  baseUrl: string
  /** Bearer token, or undefined to use the session cookie. */
  token?: string | undefined
  headers?: Record<string, string>
  fetch?: typeof fetch
}

export type CallInput<P extends Schema, Q extends Schema, B extends Schema> = {
  params?: z.input<P>
  /** User credentials need `profile_id` on every profile route, even if the entry declares no query. */
  query?: (z.input<Q> extends Record<string, never> ? unknown : z.input<Q>) & {
    profile_id?: string | undefined
  }
  body?: z.input<B>
  raw?: { contentType: string; bytes: string | Uint8Array<ArrayBuffer> | Blob }
  headers?: Record<string, string>
}

export type Success<R> = { data: R; meta: Record<string, unknown>; [extra: string]: unknown }

/** An error response; `body` is the error envelope. */
export class ClientError extends Error {
  readonly status: number
  readonly body: ErrorBody
  constructor(status: number, body: ErrorBody) {
    super(`${body.error?.code ?? status}: ${body.error?.message ?? ''}`)
    this.name = 'ClientError'
    this.status = status
    this.body = body
  }
  get code() {
    return this.body.error.code
  }
}

export function urlOf(
  entry: Endpoint,
  baseUrl: string,
  params: Record<string, unknown>,
  query: Record<string, unknown>,
): string {
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return `${baseUrl}/api/v1${path}${text === '' ? '' : `?${text}`}`
}

export function createClient(options: ClientOptions) {
  const send = options.fetch ?? fetch
  return async function call<
    A extends Access,
    P extends Schema,
    Q extends Schema,
    B extends Schema,
    R extends Schema,
  >(entry: Endpoint<A, P, Q, B, R>, input: CallInput<P, Q, B> = {}): Promise<Success<z.output<R>>> {
    const url = urlOf(
      entry as unknown as Endpoint,
      options.baseUrl,
      (input.params ?? {}) as Record<string, unknown>,
      (input.query ?? {}) as Record<string, unknown>,
    )
    const headers: Record<string, string> = { ...options.headers, ...input.headers }
    if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`
    const body = input.raw?.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
    if (body !== undefined) headers['content-type'] = input.raw?.contentType ?? 'application/json'
    const reply = await send(url, { method: entry.method, headers, ...(body === undefined ? {} : { body }) })
    const text = await reply.text()
    const parsed = text === '' ? { data: null, meta: {} } : JSON.parse(text)
    if (!reply.ok) throw new ClientError(reply.status, parsed as ErrorBody)
    return parsed as Success<z.output<R>>
  }
}
export type Client = ReturnType<typeof createClient>
