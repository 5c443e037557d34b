/** Binds contract entries to their handlers. */
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { AnyContext, ContextOf } from '../../context.ts'
import { type Access, type Endpoint, nothing, type Status } from '../contract/endpoint.ts'

export type Input<P, Q, B> = {
  /** Names in lower case; the first value of a repeated one. */
  headers: Record<string, string>
  params: P
  query: Q
  body: B
  /** Bytes of a non-JSON body, if the entry allows one. */
  raw: { contentType: string; bytes: Buffer } | null
  /** Streamed body, if the entry declares it; `size` is null without Content-Length. */
  stream: StreamedBody | null
}

export type StreamedBody = {
  contentType: string
  size: number | null
  chunks: AsyncIterableIterator<Uint8Array>
}

/** Already serialised data, so that a large result is serialised once. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `size` is null if it is not known in advance. */
type StreamedFile = { contentType: string; bytes: Readable; size: number | null }

export type Answer<R> = {
  data: R | JsonText
  status?: Status
  meta?: Record<string, unknown>
  extra?: Record<string, unknown>
  headers?: Record<string, string | string[]>
  /** Sent unchanged instead of the envelope, for scripts and files. */
  file?: { contentType: string; bytes: Buffer | string } | StreamedFile
  /** The caller may cache the response if it revalidates it with this ETag before each use. */
  etag?: string
  /** The caller's cached response is still valid: 304 without a body. */
  isUnchanged?: true
}

/** Context of a pre-check. */
export type PrecheckContext = Pick<AnyContext, 'service' | 'now' | 'caller'>

export type Route = {
  entry: Endpoint
  /**
   * Validation beyond the schema that needs only the request, so that it runs before checks of scope, role and
   * resource.
   */
  precheck?: ((input: Input<unknown, unknown, unknown>, context: PrecheckContext) => unknown) | undefined
  /** Content hash of a streamed body, for idempotency; reads the remaining body. */
  digest?: ((input: Input<unknown, unknown, unknown>) => Promise<string>) | undefined
  // The input was parsed by the entry's schemas, so erasing its type is safe.
  handle(context: ContextOf<Access>, input: Input<unknown, unknown, unknown>): Promise<Answer<unknown>>
}

type Schema = z.ZodType

export function route<
  A extends Access,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
>(
  entry: Endpoint<A, P, Q, B, R>,
  handle: (
    context: ContextOf<A>,
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Answer<z.input<R>>>,
  precheck?: (input: Input<z.output<P>, z.output<Q>, z.output<B>>, context: PrecheckContext) => unknown,
  digest?: (input: Input<z.output<P>, z.output<Q>, z.output<B>>) => Promise<string>,
): Route {
  return {
    entry: entry as unknown as Endpoint,
    handle: handle as unknown as Route['handle'],
    precheck: precheck as unknown as Route['precheck'],
    digest: digest as unknown as Route['digest'],
  }
}

/** A paged list: `toRow` renders a row, `precheck` rejects an invalid cursor. */
export function pageRoute<
  A extends Access,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends z.ZodType<unknown, readonly unknown[]>,
  Row,
>(
  entry: Endpoint<A, P, Q, B, R>,
  list: (
    context: ContextOf<A>,
    query: z.output<Q>,
  ) => Promise<{ rows: readonly Row[]; pagination: Record<string, unknown> }>,
  toRow: (row: Row) => z.input<R>[number],
  precheck?: (query: z.output<Q>) => unknown,
): Route {
  return route(
    entry,
    async (context, { query }) => {
      const { rows, pagination } = await list(context, query)
      return { data: rows.map((row) => toRow(row)) as unknown as z.input<R>, extra: { pagination } }
    },
    precheck && (({ query }) => precheck(query)),
  )
}

/**
 * Arguments after the context: path parameters (a single one as its value; the workspace is in the context), query,
 * body.
 */
type Args<P, Q, B> = [...PathArgs<P, Exclude<keyof P, 'workspaceId'>>, ...IfDeclared<Q>, ...IfDeclared<B>]
type PathArgs<P, K extends keyof P> = [K] extends [never]
  ? []
  : IfDeclared<IsUnion<K> extends true ? P : P[K]>
type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never
/** Parts that the entry does not declare are omitted. */
type IfDeclared<T> = string extends keyof T ? [] : [T]

type OperationOf<E> =
  E extends Endpoint<infer A, infer P, infer Q, infer B, infer R>
    ? (
        context: ContextOf<A>,
        ...args: Args<z.output<P>, z.output<Q>, z.output<B>>
      ) => Promise<z.input<R> extends null ? unknown : z.input<R>>
    : never

/** Binds entries to operations of the same name, which return the data; entries with a null reply ignore it. */
export function bind<C, N extends keyof C>(
  contract: C,
  operations: { [K in N]: OperationOf<C[K]> },
): Route[] {
  const names = Object.keys(operations) as N[]
  return names.map((name) => {
    const entry = contract[name] as Endpoint
    const operation = operations[name] as (...args: unknown[]) => Promise<unknown>
    const inPath = Array.from(entry.path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)
    const pathParams = inPath.filter((param) => param !== 'workspaceId')
    const handle: Route['handle'] = async (context, { params, query, body }) => {
      const args: unknown[] = []
      if (pathParams.length > 0)
        args.push(pathParams.length > 1 ? params : (params as Record<string, unknown>)[pathParams[0]!])
      if (entry.query !== nothing) args.push(query)
      if (entry.body !== null) args.push(body)
      const data = await operation(context, ...args)
      return { data: entry.reply instanceof z.ZodNull ? null : data }
    }
    return { entry, handle }
  })
}

/** Rejected before the handler while the entry is marked as retired. */
export function retiredRoute(entry: Endpoint): Route {
  return { entry, handle: () => Promise.reject(new Error(`${entry.name} is retired`)) }
}
