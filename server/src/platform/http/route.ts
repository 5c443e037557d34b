/** Binds a contract entry to the function that does its job. */
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
  /** The bytes of a body that is not JSON, where the entry allows one. */
  raw: { contentType: string; bytes: Buffer } | null
  /** The same where the entry has it streamed; `size` is null where the sender does not give it. */
  stream: StreamedBody | null
}

export type StreamedBody = {
  contentType: string
  size: number | null
  chunks: AsyncIterableIterator<Uint8Array>
}

/** Data that is JSON already, so that a large page is written once. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `size` is null where it is known only at the end. */
type StreamedFile = { contentType: string; bytes: Readable; size: number | null }

export type Answer<R> = {
  data: R | JsonText
  status?: Status
  meta?: Record<string, unknown>
  extra?: Record<string, unknown>
  headers?: Record<string, string | string[]>
  /** Sent as it is instead of the envelope, for scripts and files. */
  file?: { contentType: string; bytes: Buffer | string } | StreamedFile
  /** The caller may store the answer, if it validates it with this before each use. */
  etag?: string
  /** The caller's stored answer is still valid: 304 without a body. */
  isUnchanged?: true
}

/** What a refusal that depends on the request alone may read in addition to it. */
export type Asking = Pick<AnyContext, 'service' | 'now' | 'caller'>

export type Route = {
  entry: Endpoint
  /** Throws what schemas cannot say and the request alone decides, so that it comes before scope, role and resource. */
  judge?: ((input: Input<unknown, unknown, unknown>, asking: Asking) => unknown) | undefined
  /** Of a streamed body, what no other body has; reads what was not read yet. */
  digest?: ((input: Input<unknown, unknown, unknown>) => Promise<string>) | undefined
  // The entry's own schemas made the input, so the erased types hold.
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
  judge?: (input: Input<z.output<P>, z.output<Q>, z.output<B>>, asking: Asking) => unknown,
  digest?: (input: Input<z.output<P>, z.output<Q>, z.output<B>>) => Promise<string>,
): Route {
  return {
    entry: entry as unknown as Endpoint,
    handle: handle as unknown as Route['handle'],
    judge: judge as unknown as Route['judge'],
    digest: digest as unknown as Route['digest'],
  }
}

/** A list in pages: `toRow` shows a row, `judge` refuses a cursor that is none. */
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
  judge?: (query: z.output<Q>) => unknown,
): Route {
  return route(
    entry,
    async (context, { query }) => {
      const { rows, pagination } = await list(context, query)
      return { data: rows.map((row) => toRow(row)) as unknown as z.input<R>, extra: { pagination } }
    },
    judge && (({ query }) => judge(query)),
  )
}

/** What follows the context: the path's parameters (one alone as its value; a workspace is in the context), query, body. */
type Args<P, Q, B> = [...PathArgs<P, Exclude<keyof P, 'workspaceId'>>, ...Given<Q>, ...Given<B>]
type PathArgs<P, K extends keyof P> = [K] extends [never] ? [] : Given<IsUnion<K> extends true ? P : P[K]>
type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never
/** A part that the entry does not mention has no known key. */
type Given<T> = string extends keyof T ? [] : [T]

type OperationOf<E> =
  E extends Endpoint<infer A, infer P, infer Q, infer B, infer R>
    ? (
        context: ContextOf<A>,
        ...args: Args<z.output<P>, z.output<Q>, z.output<B>>
      ) => Promise<z.input<R> extends null ? unknown : z.input<R>>
    : never

/** Binds entries to the operations of the same name, which return the data; without data, the answer is null. */
export function bind<C, N extends keyof C>(
  contract: C,
  operations: { [K in N]: OperationOf<C[K]> },
): Route[] {
  const names = Object.keys(operations) as N[]
  return names.map((name) => {
    const entry = contract[name] as Endpoint
    const operation = operations[name] as (...args: unknown[]) => Promise<unknown>
    const inPath = Array.from(entry.path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)
    const own = inPath.filter((param) => param !== 'workspaceId')
    const handle: Route['handle'] = async (context, { params, query, body }) => {
      const args: unknown[] = []
      if (own.length > 0) args.push(own.length > 1 ? params : (params as Record<string, unknown>)[own[0]!])
      if (entry.query !== nothing) args.push(query)
      if (entry.body !== null) args.push(body)
      const data = await operation(context, ...args)
      return { data: entry.reply instanceof z.ZodNull ? null : data }
    }
    return { entry, handle }
  })
}

/** Refused before any handler, for as long as the entry says that it is retired. */
export function retiredRoute(entry: Endpoint): Route {
  return { entry, handle: () => Promise.reject(new Error(`${entry.name} is retired`)) }
}
